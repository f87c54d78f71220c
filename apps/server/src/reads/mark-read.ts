import { MARK_UNREAD_WINDOW } from '@parley/protocol/limits'
import type { Access } from '../channels/channel-access.ts'
import { channelEvent } from '../channels/channel-wire.ts'
import { ChatError, inputError } from '../chat-error.ts'
import type { Batch } from '../database/group-commit.ts'
import type { ChannelRow, ReadRow, UserRow } from '../database/tables.ts'
import { missing } from '../messages/message-access.ts'
import { firstAfter, messageAt, newerMessages, ownAfter, readableMessage } from '../messages/read-positions.ts'
import { isoOf, microsOf } from '../micros.ts'
import type { Server } from '../server.ts'
import { userWire } from '../users/user-wire.ts'
import { readsOfMembers, readsOfUser } from './read-store.ts'

/** What a mark-read call answers with: the event it caused, or null where nothing is to be marked. */
export type ReadEvent = Record<string, unknown> | null

/**
 * Marks a channel read, as a whole or up to one message. The watchers hear `message.read`, then the reader's
 * own connections `notification.mark_read` [messaging.md 10.2].
 *
 * @returns null, and nothing happens, for somebody who is no member and in channels without read events
 * @throws ChatError DoesNotExistError (16) — no such message in this channel
 */
export async function markRead(
  server: Server,
  { channel: { app, cid }, config, member }: Access,
  reader: UserRow,
  messageId?: string,
): Promise<ReadEvent> {
  if (!config.read_events || !member || member.status === 'pending' || member.status === 'rejected') return null
  return server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)!
    const at = batch.nextTime(channel)
    const newest = await messageAt(batch.db, channel, at)
    const upTo = messageId === undefined ? newest : await readableMessage(batch.db, app, cid, messageId)
    if (messageId !== undefined && !upTo) throw missing(messageId)

    const everything = messageId === undefined || upTo?.id === newest?.id
    const ordinal = everything ? channel.counted : upTo!.ordinal
    const read: ReadRow = {
      app,
      cid,
      user_id: reader.id,
      last_read: everything ? at : upTo!.created_at,
      last_read_message_id: upTo?.id ?? null,
      ordinal,
      own_after: everything ? 0 : await ownAfter(batch.db, app, cid, reader.id, ordinal),
    }
    const unread = await store(batch, read)
    const event = tellRead(server, batch, channel, reader, at, read, unread)
    // `message.read` means nothing is left to its reader; what is left after a part is told like an unread mark.
    const next = unread > 0 && upTo ? await firstAfter(batch.db, channel, upTo.created_at) : undefined
    if (next) tellUnread(server, batch, channel, reader, read, next.id, unread)
    return event
  })
}

/** The cids in which a user has unread messages. */
export async function unreadCids(server: Server, app: string, userId: string): Promise<string[]> {
  const reads = await readsOfUser(server.database.read, server.database.dialect, app, userId)
  return reads.filter((read) => read.unread > 0).map((read) => read.cid)
}

/**
 * Makes a message the first unread one. Only one of the newest 100 can be named [READ-17].
 *
 * @throws ChatError InputError (4) — it is older than that; DoesNotExistError (16) — no such message here
 */
export async function markUnread(
  server: Server,
  { channel: { app, cid }, config, member }: Access,
  reader: UserRow,
  named: { messageId?: string | undefined; timestamp?: string | undefined },
): Promise<void> {
  if (!config.read_events || !member || member.status === 'pending' || member.status === 'rejected') return
  await server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)!
    const first = await firstUnread(batch, channel, named)
    if ((await newerMessages(batch.db, channel, first.created_at, MARK_UNREAD_WINDOW)) >= MARK_UNREAD_WINDOW)
      throw new ChatError(
        'InputError',
        `cannot mark unread messages older than the newest ${MARK_UNREAD_WINDOW} channel messages`,
      )
    const before = await messageAt(batch.db, channel, first.created_at - 1)
    const ordinal = first.ordinal - first.counted
    const read: ReadRow = {
      app,
      cid,
      user_id: reader.id,
      last_read: first.created_at - 1,
      last_read_message_id: before?.id ?? null,
      ordinal,
      own_after: await ownAfter(batch.db, app, cid, reader.id, ordinal),
    }
    const unread = await store(batch, read)
    tellUnread(server, batch, channel, reader, read, first.id, unread)
  })
}

async function firstUnread(
  batch: Batch,
  channel: ChannelRow,
  { messageId, timestamp }: { messageId?: string | undefined; timestamp?: string | undefined },
) {
  if (messageId !== undefined) {
    const message = await readableMessage(batch.db, channel.app, channel.cid, messageId)
    if (!message) throw missing(messageId)
    return message
  }
  const at = timestamp === undefined ? undefined : microsOf(timestamp)
  if (at === undefined) throw inputError('message_id', 'message_id or message_timestamp must be set')
  const message = await messageAt(batch.db, channel, at)
  if (!message) throw new ChatError('DoesNotExistError', `there is no message up to ${timestamp}`)
  return message
}

/** Writes a read position; gives the unread count it leaves. */
async function store(batch: Batch, read: ReadRow): Promise<number> {
  const { app, cid, user_id } = read
  await batch.db
    .updateTable('reads')
    .set(read)
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', user_id)
    .execute()
  await batch.flushCounters()
  const reads = await readsOfMembers(batch.db, batch.dialect, app, [{ cid, user_id }])
  return reads.get(`${cid}|${user_id}`)?.unread ?? 0
}

/** Tells the reader's own connections where their unread messages begin. */
function tellUnread(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  reader: UserRow,
  read: ReadRow,
  firstUnreadId: string,
  unread: number,
) {
  const at = batch.nextTime(channel)
  const body = channelEvent(channel, 'notification.mark_unread', at, {
    user: userWire(reader, server.presence.isOnline(channel.app, reader.id)),
    first_unread_message_id: firstUnreadId,
    last_read_at: isoOf(read.last_read),
    ...(read.last_read_message_id !== null && { last_read_message_id: read.last_read_message_id }),
    unread_messages: unread,
  })
  batch.publish(channel, 'notification.mark_unread', {
    at,
    personal: [{ users: [reader.id], body, totals: true }],
    effects: [{ do: 'read', user: reader.id, ordinal: read.ordinal, unread }],
  })
}

function tellRead(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  reader: UserRow,
  at: number,
  read: ReadRow,
  unread: number,
): ReadEvent {
  const user = userWire(reader, server.presence.isOnline(channel.app, reader.id))
  const hides = reader.privacy_json !== null && JSON.parse(reader.privacy_json).read_receipts?.enabled === false
  const fields = {
    user,
    ...(read.last_read_message_id !== null && { last_read_message_id: read.last_read_message_id }),
    ...(channel.last_message_at !== null && { channel_last_message_at: isoOf(channel.last_message_at) }),
  }
  // Clients take the event's time for the reader's position, so it is that of the position.
  const event = channelEvent(channel, 'message.read', read.last_read, fields)
  batch.publish(channel, 'message.read', {
    at,
    watchers: event,
    totals: { only: reader.id },
    ...(hides && { onlyWatcher: reader.id }),
    effects: [{ do: 'read', user: reader.id, ordinal: read.ordinal, unread }],
  })
  batch.publish(channel, 'notification.mark_read', {
    at,
    personal: [
      {
        users: [reader.id],
        totals: true,
        body: channelEvent(channel, 'notification.mark_read', at, {
          ...fields,
          unread_threads: 0,
          unread_thread_messages: 0,
        }),
      },
    ],
  })
  return JSON.parse(event)
}
