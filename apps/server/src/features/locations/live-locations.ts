/** Live locations that users share [messaging.md 5.12]. */
import type { LocationRequest, SharedLocation } from '@parley/protocol/locations'
import type { MessageRequest } from '@parley/protocol/messages'
import { checkWriter, isShadowed } from '../../chat/bans/banned.ts'
import { type Access, stillThere } from '../../chat/channels/channel-access.ts'
import { openChannels } from '../../chat/channels/open-channels.ts'
import { withExtras } from '../../chat/messages/extras.ts'
import { horizonOf, isWithin, missing } from '../../chat/messages/message-access.ts'
import { changeExtras } from '../../chat/messages/message-extras.ts'
import { locationIn } from '../../chat/messages/message-wire.ts'
import { messagesNamed } from '../../chat/messages/messages-of-threads.ts'
import { publishUpdated } from '../../chat/messages/publish-updated.ts'
import { storedMessage } from '../../chat/messages/reaction-groups.ts'
import { hideFromOthers } from '../../chat/messages/shadow-message.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { LiveLocationRow, MessageRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import { cancel, type ScheduledJobKind, scheduleJob } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import type { Server } from '../../server.ts'
import { deleteLive, liveInChannels, liveOfUser, putLive } from './live-store.ts'

/** All live locations in an erased channel. */
export { deleteLiveIn } from './live-store.ts'

/** Ends a live location and publishes it to the watchers. */
export const locationEnd: ScheduledJobKind = {
  name: 'live location',
  async happen(server, batch, { app, id }) {
    await deleteLive(batch.db, app, id)
    const row = await storedMessage(batch.db, app, id)
    if (row && row.deleted_at === null) await publishUpdated(server, batch, row)
  },
}

/**
 * @throws ChatError ChannelFeatureNotSupportedError (19) — locations are turned off here
 * @throws ChatError InputError (4) — its end is past
 */
export function checkSharing(server: Server, { channel, config }: Access, { shared_location }: MessageRequest) {
  if (!shared_location) return
  const { end_at } = shared_location
  if (!config.shared_locations || !server.apps.of(channel.app).settings.shared_locations_enabled)
    throw new ChatError(
      'ChannelFeatureNotSupportedError',
      `locations are turned off in channels of type ${config.name}`,
    )
  const until = end_at === undefined ? undefined : microsOf(end_at)
  if (end_at !== undefined && (until === undefined || until <= server.clock.micros()))
    throw inputError('message.shared_location.end_at', 'message.shared_location.end_at must be a time to come')
}

/** Schedules the end of a live location that was posted. */
export function keepLive(batch: Batch, row: MessageRow) {
  const until = row.extras_json?.includes('end_at') ? endOf(row) : undefined
  if (until !== undefined) batch.later(() => follow(batch, row, until))
}

/**
 * Updates the position or end of one's own live location; an end that is past ends it now.
 *
 * @throws ChatError InputError (4) — it is not live, or another device shares it
 * @throws ChatError NotAllowedError (17) — it is another user's, or its owner is banned, who may only end it [MOD-17]
 */
export async function moveLocation(
  server: Server,
  access: Access,
  message: MessageRow,
  owner: UserRow,
  change: Partial<LocationRequest> & { created_by_device_id: string },
): Promise<SharedLocation> {
  const { app, cid, id } = message
  if (message.user_id !== owner.id) throw new ChatError('NotAllowedError', 'this location is shared by somebody else')
  const isMove = change.latitude !== undefined || change.longitude !== undefined
  const isEnd = change.end_at !== undefined && (microsOf(change.end_at) ?? 0) <= server.clock.micros() && !isMove
  const user = isEnd ? owner : await checkWriter(server, owner, access)
  return server.commit.write(app, [cid], async (batch) => {
    stillThere(batch, access.channel)
    const stored = await storedMessage(batch.db, app, id)
    if (!stored || stored.deleted_at !== null) throw missing(id)
    const isUnseen = !isEnd && !stored.shadowed && isShadowed(user, access)
    const row = isUnseen ? await hideFromOthers(server, batch, stored) : stored
    const before = locationIn(row)
    const until = endOf(row)
    if (!before || until === undefined || until <= batch.now())
      throw new ChatError('InputError', `message ${id} shares no live location`)
    if (before.created_by_device_id !== change.created_by_device_id)
      throw inputError('created_by_device_id', 'another device shares this location')
    const end = change.end_at === undefined ? until : microsOf(change.end_at)
    if (end === undefined) throw inputError('end_at', 'end_at is not a time')
    const { latitude = before.latitude, longitude = before.longitude } = change
    const shared_location = {
      latitude,
      longitude,
      created_by_device_id: before.created_by_device_id,
      end_at: isoOf(end),
      updated_at: isoOf(batch.now()),
    }
    const changed = await changeExtras(batch, row, withExtras(row, { shared_location }))
    if (end > batch.now()) await follow(batch, changed, end)
    else {
      await deleteLive(batch.db, app, id)
      await cancel(batch, locationEnd, row, id)
    }
    await publishUpdated(server, batch, changed)
    return locationIn(changed)!
  })
}

/** The user's own live locations. */
export async function ownLocations(server: Server, user: UserRow): Promise<SharedLocation[]> {
  const rows = await liveOfUser(server.database.read, user.app, user.id, server.clock.micros())
  const open = await openChannels(server, user, [...new Set(rows.map(({ cid }) => cid))])
  return locationsOf(
    server,
    user.app,
    rows.filter(({ cid }) => open.has(cid)),
    () => true,
  )
}

/** The live locations in these channels, as far as the user may see the messages, by cid. */
export async function locationsInChannels(
  server: Server,
  app: string,
  accesses: ReadonlyMap<string, Access>,
): Promise<Map<string, { active_live_locations: SharedLocation[] }>> {
  const sharing = [...accesses].filter(([, { config }]) => config.shared_locations).map(([cid]) => cid)
  const { read, dialect } = server.database
  const rows = await liveInChannels(read, dialect, app, sharing, server.clock.micros())
  const seen = (row: MessageRow) => isWithin(row, horizonOf(accesses.get(row.cid)!))
  const byCid = Map.groupBy(await locationsOf(server, app, rows, seen), (location) => location.channel_cid)
  return new Map([...byCid].map(([cid, active_live_locations]) => [cid, { active_live_locations }]))
}

async function locationsOf(
  server: Server,
  app: string,
  rows: readonly LiveLocationRow[],
  seen: (row: MessageRow) => boolean,
): Promise<SharedLocation[]> {
  if (rows.length === 0) return []
  const messages = await messagesNamed(
    server,
    app,
    rows.map((row) => row.message_id),
  )
  return messages.filter((row) => row.deleted_at === null && seen(row)).flatMap((row) => locationIn(row) ?? [])
}

async function follow(batch: Batch, row: MessageRow, until: number) {
  const { app, cid, id, user_id } = row
  await putLive(batch.db, { app, cid, user_id, message_id: id, end_at: until })
  await scheduleJob(batch, locationEnd, row, id, until)
}

function endOf(row: MessageRow): number | undefined {
  const end = locationIn(row)?.end_at
  return end === undefined ? undefined : microsOf(end)
}
