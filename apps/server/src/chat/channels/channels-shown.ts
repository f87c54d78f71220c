import type { Channel } from '@parley/protocol/channels'
import type { Kysely } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { channelsByCids } from './channel-store.ts'
import { channelWire, usersOfChannel } from './channel-wire.ts'

/** The existing channels among these in their public form, by cid. */
export async function channelsShown(
  server: Server,
  db: Kysely<Tables>,
  app: string,
  cids: readonly string[],
): Promise<Map<string, Channel>> {
  if (cids.length === 0) return new Map()
  const channels = await channelsByCids(db, server.database.dialect, app, cids)
  const userSummaries = await userSummariesOf(server, app, channels.flatMap(usersOfChannel))
  return new Map(
    channels
      .filter((channel) => channel.deleted_at === null)
      .map((channel) => [channel.cid, channelWire(server, channel, userSummaries)]),
  )
}
