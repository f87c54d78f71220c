import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { userSummariesOf } from '../users/user-summaries.ts'
import { cidsMadeBy, setChannelData } from './channel-store.ts'
import { channelEvent, channelWire, usersOfChannel } from './channel-wire.ts'

/** Some of the channels a user created: all, those that are not deleted, or those deleted at one moment. */
export function channelsMadeBy(
  { database }: Server,
  app: string,
  userId: string,
  which: 'all' | { deletedAt: Micros | null },
  limit: number,
): Promise<string[]> {
  return cidsMadeBy(database.read, app, userId, which === 'all' ? undefined : which.deletedAt, limit)
}

/** Gives the channels of a deleted creator a new owner. */
export async function giveChannel(server: Server, batch: Batch, channel: ChannelRow, heirId: string) {
  const at = batch.nextTime(channel)
  Object.assign(channel, { created_by: heirId, updated_at: at })
  await setChannelData(batch.db, channel)
  batch.changedChannels.add(`${channel.app}|${channel.cid}`)
  if (channel.deleted_at !== null) return
  const userSummaries = await userSummariesOf(server, channel.app, usersOfChannel(channel))
  batch.publish(channel, 'channel.updated', {
    at,
    watchers: channelEvent(channel, 'channel.updated', at, {
      channel: channelWire(server, channel, userSummaries),
    }),
  })
}
