import { UNREAD_CHANNELS_LISTED } from '@parley/protocol/limits'
import type { UnreadCounts } from '@parley/protocol/reads'
import { isoOf } from '../micros.ts'
import type { Server } from '../server.ts'
import { unreadInThreads } from '../threads/thread-totals.ts'
import { unreadOf } from './counting.ts'
import { readsOfUser } from './read-store.ts'

/** What one user has not read, in all and by channel; the channel with the latest message comes first [READ-5]. */
export async function unreadCounts(server: Server, app: string, userId: string): Promise<UnreadCounts> {
  const rows = await readsOfUser(server.database.read, server.database.dialect, app, userId)
  const threads = await unreadInThreads(server.database.read, server.database.dialect, server.apps.of(app), userId)
  const channels = rows
    .map((row) => ({ ...row, unread: unreadOf(server.apps.of(app), row) }))
    .filter((row) => row.unread > 0)
    .sort((a, b) => (b.last_message_at ?? 0) - (a.last_message_at ?? 0))
  return {
    total_unread_count: sum(channels),
    total_unread_threads_count: threads.length,
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

function sum(channels: readonly { unread: number }[]): number {
  return channels.reduce((total, { unread }) => total + unread, 0)
}
