/** Messages that only their sender sees, and that wait for the sender's word [messaging.md 5.8]. */
import { randomUUID } from 'node:crypto'
import type { Attachment, Message, MessageRequest } from '@parley/protocol/messages'
import type { SlashText } from '@parley/protocol/slash-text'
import type { Access } from '../../chat/channels/channel-access.ts'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { isTaken } from '../../chat/messages/message-access.ts'
import { unpublishedError } from '../../chat/messages/unpublished-error.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { EphemeralMessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { deleteEphemeralsBefore, ephemeralById, putEphemeral } from './ephemeral-store.ts'

/** How long an ephemeral message is kept; clients drop it sooner. */
const KEPT_MICROS = 3_600_000_000

/** Forgets those that were thought about for too long. */
export function forgetEphemerals({ database, clock }: Server): Promise<void> {
  return deleteEphemeralsBefore(database.write, clock.micros())
}

/**
 * Shows the sender what came of a command. With actions it is kept until one of them is chosen, and the sender's
 * other devices that watch see it too.
 *
 * @throws ChatError InputError (4) — the id belongs to another message
 */
export async function showToSender(
  server: Server,
  access: Access,
  sender: UserRow,
  request: MessageRequest,
  command: SlashText,
): Promise<Message> {
  const { channel } = access
  if (!hasActions(request)) return unpublishedError(server, channel, sender, request, command)
  const { app, cid } = channel
  const id = request.id ?? randomUUID()
  const row = await server.commit.write(app, [], async (batch) => {
    const now = batch.now()
    const known = await ephemeralById(batch.db, app, id, now)
    // The same call again, since its answer was lost: it is answered alike.
    if (known?.user_id === sender.id && known.cid === cid) return known
    if (known || (await isTaken(batch.db, app, id)))
      throw new ChatError('InputError', `a message with ID ${id} already exists`)
    const { user: _, user_id: __, ...message } = { ...request, id }
    const made: EphemeralMessageRow = {
      app,
      id,
      cid,
      user_id: sender.id,
      ...command,
      message_json: JSON.stringify(message),
      created_at: now,
      expires: now + KEPT_MICROS,
    }
    await putEphemeral(batch.db, made)
    return made
  })
  const message = await ephemeralWire(server, access, sender, row)
  sendToSender(server, access, 'message.new', message)
  return message
}

export async function ephemeralWire(
  server: Server,
  { channel }: Access,
  sender: UserRow,
  row: EphemeralMessageRow,
): Promise<Message> {
  return unpublishedError(server, channel, sender, JSON.parse(row.message_json), row, row.created_at)
}

/** Sends to the sender's connections that watch the channel; it is in no log. */
export function sendToSender(
  server: Server,
  { channel }: Access,
  type: 'message.new' | 'message.updated' | 'message.deleted',
  message: Message,
) {
  const at = server.clock.micros()
  const isNew = type === 'message.new'
  const isCounted = server.hub.knowsWatchers(channel.app, channel.cid)
  const event = {
    message,
    message_id: message.id,
    user: message.user,
    ...(isNew && isCounted && { watcher_count: server.hub.watcherCount(channel.app, channel.cid) }),
    ...(type === 'message.deleted' && { hard_delete: true }),
  }
  server.hub.publish([
    {
      app: channel.app,
      cid: channel.cid,
      seq: 0,
      at,
      watchers: channelEvent(channel, type, at, event),
      ...(isNew && !isCounted && { uncounted: true }),
      only: [message.user.id],
    },
  ])
}

function hasActions({ attachments = [] }: MessageRequest): boolean {
  return attachments.some((attachment) => Array.isArray((attachment as { actions?: unknown }).actions))
}

/** As it is sent for all to see. */
export function withoutActions(attachments: readonly Attachment[]): Attachment[] {
  return attachments.map(({ actions: _, ...attachment }: Attachment & { actions?: unknown }) => attachment)
}
