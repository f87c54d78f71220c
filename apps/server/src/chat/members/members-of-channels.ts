import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, Place, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { meeting, membersAmong, membersAt, membershipsOf, newestMembers } from './member-store.ts'

/** The newest members of each channel, oldest first. */
export function membersOfChannels(
  server: Server,
  app: string,
  cids: readonly string[],
  page: { limit: number; offset: number },
): Promise<MemberRow[]> {
  const { read, dialect } = server.database
  return newestMembers(read, dialect, app, cids, page)
}

/**
 * The newest members of each channel and a user's own membership; the latter needs its own query only if it may be
 * older.
 */
export async function membersAndOwn(
  server: Server,
  app: string,
  cids: readonly string[],
  page: { limit: number; offset: number },
  userId: string | undefined,
): Promise<{ members: MemberRow[]; own: Map<string, MemberRow> }> {
  const members = await membersOfChannels(server, app, cids, page)
  if (userId === undefined) return { members, own: new Map() }
  const own = new Map(members.filter((row) => row.user_id === userId).map((row) => [row.cid, row]))
  const listed = Map.groupBy(members, (row) => row.cid)
  const isWhole = (cid: string) => page.offset === 0 && (listed.get(cid)?.length ?? 0) < page.limit
  const others = cids.filter((cid) => !own.has(cid) && !isWhole(cid))
  for (const [cid, row] of await ownMemberships(server, app, userId, others)) own.set(cid, row)
  return { members, own }
}

/** One user's memberships in these channels, by cid. */
export async function ownMemberships(
  server: Server,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<Map<string, MemberRow>> {
  const { read, dialect } = server.database
  return new Map((await membershipsOf(read, dialect, app, userId, cids)).map((member) => [member.cid, member]))
}

/** The same inside a write: since the access check the user may have been removed, or the history hidden from them. */
export async function membershipsNow(
  { db, dialect }: Batch,
  { app, id }: UserRow,
  cids: readonly string[],
): Promise<Map<string, MemberRow>> {
  return new Map((await membershipsOf(db, dialect, app, id, cids)).map((member) => [member.cid, member]))
}

/** The (channel, user) pairs that are memberships; one query for all. */
export function membersNamed(server: Server, app: string, places: readonly Place[]): Promise<MemberRow[]> {
  const { read, dialect } = server.database
  return membersAt(read, dialect, app, places)
}

/** The users who share a channel with a user. */
export function metBy(server: Server, app: string, userId: string, ids: readonly string[]): Promise<Set<string>> {
  const { read, dialect } = server.database
  return meeting(read, dialect, app, userId, ids)
}

/** The users who are members of the channel now, by user id. */
export async function membersIn(
  { db, dialect }: Batch,
  { app, cid }: ChannelRow,
  userIds: readonly string[],
): Promise<Map<string, MemberRow>> {
  return new Map((await membersAmong(db, dialect, app, cid, userIds)).map((member) => [member.user_id, member]))
}
