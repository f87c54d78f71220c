import type { MemberRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { membershipsOf, newestMembers } from './member-store.ts'

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
