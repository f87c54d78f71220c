import { UNREAD_CHANNELS_LISTED } from '@parley/protocol/limits'
import type { UnreadCounts } from '@parley/protocol/reads'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { unreadInThreads } from '../threads/thread-totals.ts'
import { openReads, type ReadState, unreadOf } from './counting.ts'

/** The unread counts of each user. The number of queries does not grow with the users. */
export async function unreadCounts(
  server: Server,
  app: string,
  userIds: readonly string[],
): Promise<(userId: string) => UnreadCounts> {
  const { read, dialect } = server.database
  const reads = Map.groupBy(await openReads(read, dialect, server.apps.of(app), userIds), (row) => row.user_id)
  const threads = await unreadInThreads(read, dialect, server.apps.of(app), userIds)
  return (userId) => countsOf(server, app, reads.get(userId) ?? [], threads(userId))
}

/** A user's unread count in the channels of each team; undefined without multi-tenancy. */
export async function unreadByTeam(
  { apps, database }: Server,
  app: string,
  userId: string,
  db: Kysely<Tables> = database.read,
): Promise<Record<string, number> | undefined> {
  if (!apps.of(app).settings.multi_tenant_enabled) return undefined
  const reads = await openReads(db, database.dialect, apps.of(app), [userId])
  return byTeam(reads.map((row) => ({ ...row, unread: unreadOf(apps.of(app), row) })).filter((row) => row.unread > 0))
}

/** In total and by channel; the channel with the latest message comes first [READ-5]. */
function countsOf(
  server: Server,
  app: string,
  reads: readonly ReadState[],
  threads: UnreadCounts['threads'],
): UnreadCounts {
  const channels = reads
    .map((row) => ({ ...row, unread: unreadOf(server.apps.of(app), row) }))
    .filter((row) => row.unread > 0)
    .sort((a, b) => (b.last_message_at ?? 0) - (a.last_message_at ?? 0))
  return {
    total_unread_count: sum(channels),
    total_unread_threads_count: threads.length,
    ...(server.apps.of(app).settings.multi_tenant_enabled && { total_unread_count_by_team: byTeam(channels) }),
    channels: channels
      .slice(0, UNREAD_CHANNELS_LISTED)
      .map(({ cid, unread, last_read }) => ({ channel_id: cid, unread_count: unread, last_read: isoOf(last_read) })),
    channel_type: [...Map.groupBy(channels, ({ type }) => type)].map(([channel_type, list]) => ({
      channel_type,
      channel_count: list.length,
      unread_count: sum(list),
    })),
    threads,
  }
}

/** Channels without a team count in no team. */
function byTeam(channels: readonly { team: string | null; unread: number }[]): Record<string, number> {
  const teams = Map.groupBy(
    channels.filter((channel) => channel.team !== null),
    (channel) => channel.team!,
  )
  return Object.fromEntries([...teams].map(([team, list]) => [team, sum(list)]))
}

function sum(channels: readonly { unread: number }[]): number {
  return channels.reduce((total, { unread }) => total + unread, 0)
}
