import { splitCid } from '@parley/protocol/cid'
import type { Kysely } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ChannelRow, ReadRow, Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Hub } from '../../platform/realtime/hub.ts'
import type { UnreadState } from '../../platform/realtime/online-user.ts'
import type { Server } from '../../server.ts'
import type { App } from '../apps/app.ts'
import { sameRights } from '../channels/publish-capabilities.ts'
import { membersNamed } from '../members/members-of-channels.ts'
import { keepsTeamsApart, readable } from './may-read.ts'
import { type ReadState, readsOfUsers } from './read-store.ts'

/** Users whose membership one query checks. */
const MEMBERS_AT_ONCE = 500

export type { ReadState } from './read-store.ts'
export { readsOfListed, readsOfMembers, setUncounted, unreadIn } from './read-store.ts'

/** Whether messages count as unread for this member [READ-13, MEM-28, USR-19]. */
export function counts(app: App, { type, status, blocked }: Pick<ReadState, 'type' | 'status' | 'blocked'>): boolean {
  return app.countsReads(type) && (status === 'member' || status === 'accepted') && !blocked
}

/** Unread messages of a member; 0 where messages do not count. */
export function unreadOf(app: App, read: Pick<ReadState, 'type' | 'status' | 'blocked' | 'unread'>): number {
  return counts(app, read) ? read.unread : 0
}

/** The read states of users in all their channels, or the named ones, that they may read [READ-27]. */
export async function openReads(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
  cids?: readonly string[],
): Promise<ReadState[]> {
  const withRights = app.settings.multi_tenant_enabled
  return readable(app, await readsOfUsers(db, dialect, app.id, userIds, { cids, withRights }))
}

/** A user's unread states in all channels, or the named ones: the hub's initial state. */
export async function unreadStatesOf(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userId: string,
  cids?: readonly string[],
): Promise<Map<string, UnreadState>> {
  const unreadStates = new Map<string, UnreadState>()
  for (const read of await openReads(db, dialect, app, [userId], cids)) {
    if (read.status === 'pending' || read.blocked) continue
    unreadStates.set(read.cid, {
      seq: read.seq,
      ordinal: read.ordinal,
      unread: unreadOf(app, read),
      counts: counts(app, read),
      hiddenTo: read.hide_before,
      joinedAt: read.joined,
    })
  }
  return unreadStates
}

/** After an app's settings changed: reloads unread states in channel types that start or stop counting [READ-13]. */
export async function reloadUnreadStates(hub: Hub, before: App, after: App) {
  const turned = new Set([...after.types.keys()].filter((type) => before.countsReads(type) !== after.countsReads(type)))
  if (turned.size > 0) await hub.reloadUnreadStates(after.id, (cid) => turned.has(splitCid(cid).type))
}

/** After an app's permissions changed: with multi-tenancy, this node's users may read other channels now [READ-27]. */
export async function reloadUnreadStatesByTeam(hub: Hub, before: App, after: App) {
  if (![before, after].some(keepsTeamsApart) || sameRights(before, after)) return
  await hub.reloadUnreadStatesOfUsers(after.id, hub.usersHere(after.id))
}

/** After a channel's team or overrides changed: reloads the unread states of its members on this node [READ-27]. */
export async function reloadUnreadStatesIn(server: Server, was: ChannelRow) {
  const { app, cid } = was
  // A node that never had clients of the app has not loaded it, and has no states of it either.
  const rules = server.apps.loaded(app)
  if (!rules || !keepsTeamsApart(rules)) return
  const channel = await server.channels.get(app, cid)
  if (!channel || (channel.team === was.team && channel.overrides_json === was.overrides_json)) return
  const here = server.hub.usersHere(app)
  for (let at = 0; at < here.length; at += MEMBERS_AT_ONCE) {
    const places = here.slice(at, at + MEMBERS_AT_ONCE).map((user_id) => ({ cid, user_id }))
    const ids = (await membersNamed(server, app, places)).map(({ user_id }) => user_id)
    await server.hub.reloadUnreadStatesOfUsers(app, ids, [cid])
  }
}

/** A user's total unread messages and channels, read now. */
export async function totalsIn(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userId: string,
): Promise<{ unread: number; channels: number }> {
  const totals = { unread: 0, channels: 0 }
  for (const { unread } of (await unreadStatesOf(db, dialect, app, userId)).values()) {
    totals.unread += unread
    if (unread > 0) totals.channels += 1
  }
  return totals
}

/** Unread messages and channels of each of these users; one query for all. */
export async function totalsOfUsers(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
): Promise<(userId: string) => { unread: number; channels: number }> {
  const reads = await openReads(db, dialect, app, userIds)
  const unread = Map.groupBy(
    reads.filter((read) => unreadOf(app, read) > 0),
    (read) => read.user_id,
  )
  return (userId) => {
    const own = unread.get(userId) ?? []
    return { unread: own.reduce((sum, read) => sum + unreadOf(app, read), 0), channels: own.length }
  }
}

/** Unread totals of each user, and their unread count and last read time in one channel; one query for all users. */
export async function unreadStatesOfUsers(
  db: Kysely<Tables>,
  dialect: Dialect,
  app: App,
  userIds: readonly string[],
): Promise<
  (
    userId: string,
    cid: string | undefined,
  ) => { unread: number; channels: number; inChannel: { unread: number; lastRead: string } | undefined }
> {
  const reads = Map.groupBy(await openReads(db, dialect, app, userIds), (read) => read.user_id)
  return (userId, cid) => {
    const own = reads.get(userId) ?? []
    const unread = own.map((read) => unreadOf(app, read))
    const here = own.find((read) => read.cid === cid)
    return {
      unread: unread.reduce((sum, count) => sum + count, 0),
      channels: unread.filter((count) => count > 0).length,
      inChannel: here && { unread: unreadOf(app, here), lastRead: isoOf(here.last_read) },
    }
  }
}

/** The read row of a user who joins now: everything so far is read [messaging.md 10.1]. */
export function readAtJoining(channel: ChannelRow, userId: string, at: number): ReadRow {
  return {
    app: channel.app,
    cid: channel.cid,
    user_id: userId,
    last_read: at,
    last_read_message_id: null,
    ordinal: channel.counted,
    own_after: 0,
  }
}
