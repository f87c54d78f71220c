import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelByCid, channelsByCids, channelsStored } from './channel-store.ts'

/** The channel row from the database, counters included, which change on other nodes too; deleted or not. */
export function storedChannel(server: Server, app: string, cid: string): Promise<ChannelRow | undefined> {
  return channelByCid(server.database.read, app, cid)
}

/** Several of them, unordered. */
export async function storedChannels(
  { database: { read, dialect } }: Server,
  app: string,
  cids: readonly string[],
): Promise<ChannelRow[]> {
  return cids.length === 0 ? [] : channelsStored(read, dialect, app, cids)
}

/** Reloads the same channels; channels deleted since are left out. */
export async function readAgain(
  { database: { read, dialect } }: Server,
  channels: readonly ChannelRow[],
): Promise<ChannelRow[]> {
  const cids = channels.map((channel) => channel.cid)
  if (cids.length === 0) return []
  const rows = new Map((await channelsByCids(read, dialect, channels[0]!.app, cids)).map((row) => [row.cid, row]))
  return cids.flatMap((cid) => rows.get(cid) ?? [])
}
