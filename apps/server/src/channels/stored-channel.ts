import type { ChannelRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { channelByCid } from './channel-store.ts'

/** The channel as it is stored now, counters included, which move on other nodes too; a deleted one as well. */
export function storedChannel(server: Server, app: string, cid: string): Promise<ChannelRow | undefined> {
  return channelByCid(server.database.read, app, cid)
}
