import type { ChannelMuteRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { channelMutesOf } from './mute-store.ts'

/** All mutes of an erased channel. */
export { deleteMutesIn } from './mute-store.ts'

/** The channels a user mutes now, by cid; one query. */
export async function mutedChannels(
  { database, clock }: Server,
  app: string,
  userId: string,
): Promise<ReadonlyMap<string, ChannelMuteRow>> {
  const now = clock.micros()
  const mutes = await channelMutesOf(database.read, app, userId)
  return new Map(mutes.filter(({ until }) => until === null || until > now).map((mute) => [mute.cid, mute]))
}
