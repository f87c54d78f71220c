import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

/** Whether a channel has so many watchers that read and typing events are not published there [messaging.md 2.6]. */
export function isThin({ apps, hub }: Server, channel: ChannelRow): boolean {
  const above = apps.of(channel.app).configOf(channel).thin_events_above
  return above > 0 && hub.watcherCount(channel.app, channel.cid) > above
}
