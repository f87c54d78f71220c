import type { ChannelMute, Mute, OwnUser } from '@parley/protocol/users'
import type { Kysely } from 'kysely'
import type { ChannelMuteRow, Tables, UserMuteRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { OnlineUser } from '../../platform/realtime/online-user.ts'
import type { Server } from '../../server.ts'
import { channelsShown } from '../channels/channels-shown.ts'
import { latestHidden } from '../members/hide-channel.ts'
import { unreadByTeam } from '../reads/unread-counts.ts'
import { blockedIdsOf } from '../users/blocked.ts'
import { type OwnedData, ownedDataOf } from '../users/user-owned-data.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { ownUserWire, userWire } from '../users/user-wire.ts'
import { channelMutesOf, lastingMutes, mutesOfTarget, userMutesOf } from './mute-store.ts'

/** The user as only that user sees it, with the active mutes [messaging.md 13.2]. */
export async function ownUser(
  server: Server,
  user: UserRow,
  { mutesAnything, totals }: Pick<OnlineUser, 'mutesAnything' | 'totals'>,
  db: Kysely<Tables> = server.database.read,
): Promise<OwnUser> {
  const { app, id } = user
  const { users: extensions } = server.extensions
  const has = await ownedDataOf<OwnedData>(db, app, id, ['blocks', ...extensions.map(({ table }) => table)])
  const [blocked, byTeam, hidden, ...added] = await Promise.all([
    has.has('blocks') ? blockedIdsOf(server, app, [id], db) : undefined,
    unreadByTeam(server, app, id, db),
    latestHidden(db, user),
    ...extensions.map(async ({ table, absent, read }) =>
      has.has(table) ? (await read(server, app, [id], db))(id) : absent,
    ),
  ])
  const own = {
    ...ownUserWire(user, totals),
    ...(hidden.length > 0 && { latest_hidden_channels: hidden }),
    blocked_user_ids: blocked?.(id) ?? [],
    ...(byTeam && { total_unread_count_by_team: byTeam }),
    ...Object.assign({}, ...added),
  }
  if (!mutesAnything) return own
  const now = server.clock.micros()
  const lasts = ({ until }: { until: number | null }) => until === null || until > now
  const users = (await userMutesOf(db, user.app, user.id)).filter(lasts)
  const channels = (await channelMutesOf(db, user.app, user.id)).filter(lasts)
  return {
    ...own,
    mutes: await muteWires(server, user, users),
    channel_mutes: await channelMuteWires(server, user, channels, db),
  }
}

/** What each of these users mutes now; the number of queries does not grow with them. */
export async function mutesOfUsers(
  server: Server,
  app: string,
  rows: readonly UserRow[],
): Promise<(userId: string) => Pick<OwnUser, 'mutes' | 'channel_mutes'>> {
  const { read, dialect } = server.database
  const ids = rows.map((row) => row.id)
  const { users, channels } = await lastingMutes(read, dialect, app, ids, server.clock.micros())
  const userSummaries = await userSummariesOf(server, app, [...ids, ...users.map((mute) => mute.target_id)])
  const shown = await channelsShown(
    server,
    read,
    app,
    channels.map((mute) => mute.cid),
  )
  return (userId) => ({
    mutes: users
      .filter((mute) => mute.user_id === userId)
      .map((mute) => ({ user: userSummaries.of(userId), target: userSummaries.of(mute.target_id), ...timesOf(mute) })),
    channel_mutes: channels
      .filter((mute) => mute.user_id === userId && shown.has(mute.cid))
      .map((mute) => ({ user: userSummaries.of(userId), channel: shown.get(mute.cid)!, ...timesOf(mute) })),
  })
}

export async function muteWires(server: Server, user: UserRow, rows: readonly UserMuteRow[]): Promise<Mute[]> {
  const userSummaries = await userSummariesOf(
    server,
    user.app,
    rows.map((row) => row.target_id),
  )
  return rows.map((row) => ({
    user: userWire(user, server.presence.isOnline(user.app, user.id)),
    target: userSummaries.of(row.target_id),
    ...timesOf(row),
  }))
}

/** The users who mute a user now, newest first. */
export async function mutesAgainst(server: Server, target: UserRow, limit: number): Promise<Mute[]> {
  const rows = await mutesOfTarget(server.database.read, target.app, target.id, server.clock.micros(), limit)
  const ids = rows.map((row) => row.user_id)
  const userSummaries = await userSummariesOf(server, target.app, [target.id, ...ids])
  return rows.map((row) => ({
    user: userSummaries.of(row.user_id),
    target: userSummaries.of(target.id),
    ...timesOf(row),
  }))
}

/** Deleted channels are left out. */
export async function channelMuteWires(
  server: Server,
  user: UserRow,
  rows: readonly ChannelMuteRow[],
  db: Kysely<Tables> = server.database.read,
): Promise<ChannelMute[]> {
  const channels = await channelsShown(
    server,
    db,
    user.app,
    rows.map((row) => row.cid),
  )
  return rows.flatMap((row) => {
    const channel = channels.get(row.cid)
    if (!channel) return []
    return [{ user: userWire(user, server.presence.isOnline(user.app, user.id)), channel, ...timesOf(row) }]
  })
}

function timesOf({ created_at, updated_at, until }: UserMuteRow | ChannelMuteRow) {
  return {
    created_at: isoOf(created_at),
    updated_at: isoOf(updated_at),
    ...(until !== null && { expires: isoOf(until) }),
  }
}
