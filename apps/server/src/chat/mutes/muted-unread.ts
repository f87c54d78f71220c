import type { Kysely } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { Mutes } from '../../platform/realtime/online-user.ts'
import type { Server } from '../../server.ts'
import { ownedDataOf } from '../users/user-owned-data.ts'
import { channelMutesOf, lastingMutes, mutedCounts, mutersAmong, userMutesOf } from './mute-store.ts'

export { mutedAfter } from './mute-store.ts'

/**
 * Subtracts muted messages from unread counts [READ-11, READ-12]. Users who mute nothing cost one query for all of them
 * together.
 */
export async function withoutMuted<Read extends { app: string; cid: string; user_id: string; unread: number }>(
  db: Kysely<Tables>,
  dialect: Dialect,
  reads: readonly Read[],
): Promise<Read[]> {
  const unread = reads.filter((read) => read.unread > 0)
  const app = unread[0]?.app
  if (app === undefined) return [...reads]
  const muters = await mutersAmong(db, dialect, app, [...new Set(unread.map((read) => read.user_id))])
  if (muters.size === 0) return [...reads]
  const muted = await mutedCounts(
    db,
    dialect,
    app,
    unread.filter((read) => muters.has(read.user_id)),
  )
  return reads.map((read) => {
    const less = muted.get(`${read.cid}|${read.user_id}`) ?? 0
    return less === 0 ? read : { ...read, unread: Math.max(0, read.unread - less) }
  })
}

/** A user's mutes as the hub needs them to count. */
export async function mutesOf(db: Kysely<Tables>, app: string, userId: string): Promise<Mutes> {
  const has = await ownedDataOf(db, app, userId, ['user_mutes', 'channel_mutes'])
  const users = has.has('user_mutes') ? await userMutesOf(db, app, userId) : []
  const channels = has.has('channel_mutes') ? await channelMutesOf(db, app, userId) : []
  return {
    users: users.map((mute) => [mute.target_id, mute.created_at, mute.until]),
    channels: channels.map((mute) => [mute.cid, mute.until]),
  }
}

/** The users and channels each of these users mutes now; one query for each kind. */
export async function mutedBy(
  server: Server,
  app: string,
  userIds: readonly string[],
): Promise<(userId: string) => { users: ReadonlySet<string>; channels: ReadonlySet<string> }> {
  const { read, dialect } = server.database
  const { users, channels } = await lastingMutes(read, dialect, app, userIds, server.clock.micros())
  const byUser = Map.groupBy(users, (mute) => mute.user_id)
  const channelsByUser = Map.groupBy(channels, (mute) => mute.user_id)
  return (userId) => ({
    users: new Set(byUser.get(userId)?.map((mute) => mute.target_id)),
    channels: new Set(channelsByUser.get(userId)?.map((mute) => mute.cid)),
  })
}
