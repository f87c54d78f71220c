import type { ChannelRow } from '../database/tables.ts'
import type { Server } from '../server.ts'

/** Whether so many watch a channel that other people's reading and typing is not told there [messaging.md 2.6]. */
export function isThin({ apps, hub }: Server, channel: ChannelRow): boolean {
  const above = apps.of(channel.app).configOf(channel).thin_events_above
  return above > 0 && hub.watcherCount(channel.app, channel.cid) > above
}
