import type { Channel, TruncateChannelRequest } from '@parley/protocol/channels'
import type { Message } from '@parley/protocol/messages'
import type { Static } from 'typebox'
import { inputError } from '../chat-error.ts'
import { actingUser, type Caller } from '../http/caller.ts'
import { sendMessage } from '../messages/send-message.ts'
import { microsOf } from '../micros.ts'
import { readAllOf } from '../reads/joining.ts'
import type { Server } from '../server.ts'
import { facesOf } from '../users/faces.ts'
import type { Access } from './channel-access.ts'
import { setChannelData } from './channel-store.ts'
import { channelEvent, channelWire } from './channel-wire.ts'

/**
 * Removes the messages older than a time, or all of them [CHN-20, CHN-38, CHN-39]; everybody has read what is left.
 * A message sent along comes after it and does not count as unread [CHN-54].
 *
 * @throws ChatError InputError (4) — the time lies in the future
 */
export async function truncateChannel(
  server: Server,
  caller: Caller,
  access: Access,
  request: Static<typeof TruncateChannelRequest>,
): Promise<{ channel: Channel; message?: Message }> {
  const { app, cid } = access.channel
  const named = request.truncated_at === undefined ? undefined : microsOf(request.truncated_at)
  if (request.truncated_at !== undefined && (named === undefined || named > server.clock.now() * 1000))
    throw inputError('truncated_at', 'truncated_at must be a past time')
  const author = request.message && actingUser(caller)

  const channel = await server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)!
    const at = batch.nextTime(channel)
    const before = named ?? at
    channel.truncated_at = Math.max(before, channel.truncated_at ?? 0)
    channel.updated_at = at
    if (channel.last_message_at !== null && channel.last_message_at < before) {
      channel.last_message_at = null
      channel.activity_at = channel.created_at
    }
    if (request.hard_delete) await server.tasks.begin(batch, app, 'erase-messages', { cid, before })
    await readAllOf(batch.db, channel, at)
    await setChannelData(batch.db, channel)
    batch.changedChannels.add(`${app}|${cid}`)

    const faces = await facesOf(server, app, [channel.created_by, ...(caller.user ? [caller.user.id] : [])])
    const wire = channelWire(server, channel, faces.known(channel.created_by))
    const { truncated_at: _, ...untimed } = wire
    const fields = {
      channel: named === undefined ? untimed : wire,
      ...(caller.user && { user: faces.of(caller.user.id) }),
    }
    batch.publish(channel, 'channel.truncated', {
      at,
      watchers: channelEvent(channel, 'channel.truncated', at, fields),
      others: { body: channelEvent(channel, 'notification.channel_truncated', at, fields) },
      totals: 'members',
      effects: [{ do: 'readAll', ordinal: channel.counted }],
    })
    return wire
  })
  // Who may empty the channel may say why.
  const telling = { ...access, can: () => true }
  const text = request.message && { ...request.message, type: 'system', silent: true }
  const message = text && (await sendMessage(server, telling, author!, text, { fromServer: caller.server }))
  return { channel, ...(message && { message }) }
}
