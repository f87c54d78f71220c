import { MARK_UNREAD_WINDOW } from '@parley/protocol/limits'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow, MessageRow, ReadRow, UserRow } from '../../platform/database/tables.ts'
import { isoOf, microsOf } from '../../platform/micros.ts'
import type { ThreadTotals } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { type Access, accessWith, isGone, stillThere } from '../channels/channel-access.ts'
import { channelEvent, channelWire } from '../channels/channel-wire.ts'
import { isThin } from '../channels/thin-events.ts'
import { membershipsNow } from '../members/members-of-channels.ts'
import { horizonOf, isWithin, missing } from '../messages/message-access.ts'
import {
  asideAfter,
  messageAt,
  messagesNamed,
  newerMessages,
  newestSeen,
  ownAfter,
  seenAt,
} from '../messages/read-positions.ts'
import { threadTotals } from '../threads/thread-totals.ts'
import { hides } from '../users/privacy.ts'
import { cachedUserSummaries } from '../users/user-summaries.ts'
import { userWire } from '../users/user-wire.ts'
import { unreadOf } from './counting.ts'
import { firstUnreadAfter, ownUncountedAfter, readOf, readsOfMembers, readsOfUsers } from './read-store.ts'

/** Channels that one write marks: few enough that other writes do not wait long. */
const MARKS_PER_WRITE = 50

/** The answer of a mark-read call: the event it published, or null where there was nothing to mark. */
export type ReadEvent = Record<string, unknown> | null

/**
 * Marks a channel read, as a whole or up to one message. Publishes `message.read` to the watchers, then
 * `notification.mark_read` to the reader's own connections [messaging.md 10.2]. A read position never moves back.
 *
 * @returns null, and nothing happens, for a user who is no member and in channels without read events
 * @throws ChatError DoesNotExistError (16) — no such message in this channel
 */
export async function markRead(
  server: Server,
  access: Access,
  reader: UserRow,
  messageId?: string,
): Promise<ReadEvent> {
  const [event] = await markChannelsRead(server, [{ access, messageId }], reader)
  return event ?? null
}

/** A channel to be marked read, as a whole or up to one message. */
export interface ReadMark {
  access: Access
  messageId: string | undefined
}

/**
 * The same for several channels, one page per write. Channels of a page that are read to their end cost as many
 * statements as one of them. If a message does not exist, no channel is marked [READ-26].
 *
 * @param options.gone  what to do when a channel was deleted at this moment, before any was marked
 * @returns the events of the channels that were marked
 */
export async function markChannelsRead(
  server: Server,
  marks: readonly ReadMark[],
  reader: UserRow,
  { gone = 'refused' }: { gone?: 'refused' | 'left out' } = {},
): Promise<ReadEvent[]> {
  const kept = marks.filter(({ access }) => keepsReading(access))
  // A refusal rolls back its own write; earlier writes would stay.
  if (kept.length > MARKS_PER_WRITE) await checkNamed(server, kept)
  const events: ReadEvent[] = []
  for (let at = 0; at < kept.length; at += MARKS_PER_WRITE)
    // Pages already marked stay, so a channel that is gone by now can only be left out.
    events.push(...(await markPage(server, kept.slice(at, at + MARKS_PER_WRITE), reader, at === 0 ? gone : 'left out')))
  return events
}

/** @throws ChatError DoesNotExistError (16) — one of the messages is not in its channel, or not the reader's to see */
async function checkNamed({ database }: Server, marks: readonly ReadMark[]) {
  const wanted = marks.flatMap(({ access, messageId }) => (messageId === undefined ? [] : [{ access, messageId }]))
  const ids = wanted.map(({ messageId }) => messageId)
  const messages = await messagesNamed(database.read, database.dialect, marks[0]!.access.channel.app, ids)
  for (const { access, messageId } of wanted) checkSeen(access, messageId, messages.get(messageId))
}

function markPage(
  server: Server,
  marks: readonly ReadMark[],
  reader: UserRow,
  gone: 'refused' | 'left out',
): Promise<ReadEvent[]> {
  const { app } = reader
  const cids = marks.map(({ access }) => access.channel.cid)
  return server.commit.write(app, cids, async (batch) => {
    const members = await membershipsNow(batch, reader, cids)
    const there = marks.flatMap(({ access, messageId }) => {
      if (gone === 'left out' && isGone(batch, access.channel)) return []
      const channel = stillThere(batch, access.channel)
      const own = ownAccess(server, channel, reader, members.get(channel.cid))
      return keepsReading(own) ? [{ channel, own, messageId }] : []
    })
    const newest = await newestSeen(
      batch,
      there.map(({ own }) => own),
      reader,
    )
    const threads = (await threadTotals(batch.db, batch.dialect, server.apps.of(app), [reader.id]))(reader.id)
    await batch.flushCounters()
    const events: ReadEvent[] = []
    for (const { channel, own, messageId } of there) {
      const last = newest.get(channel.cid)
      const upTo = messageId === undefined || messageId === last?.id ? undefined : await named(batch, own, messageId)
      events.push(
        upTo
          ? await readUpTo(server, batch, channel, own, reader, upTo, threads)
          : readToTheEnd(server, batch, channel, reader, last, threads),
      )
    }
    return events
  })
}

/** Whether the channel keeps a read position for this member. */
function keepsReading({ config, member }: Access): boolean {
  return config.read_events && member !== undefined && member.status !== 'pending' && member.status !== 'rejected'
}

function readToTheEnd(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  reader: UserRow,
  newest: MessageRow | undefined,
  threads: ThreadTotals,
): ReadEvent {
  const at = batch.nextTime(channel)
  const read: ReadRow = {
    app: channel.app,
    cid: channel.cid,
    user_id: reader.id,
    last_read: at,
    last_read_message_id: newest?.id ?? null,
    ordinal: channel.counted,
    own_after: 0,
  }
  batch.setRead(read)
  return publishRead(server, batch, channel, reader, at, read, 0, threads)
}

async function readUpTo(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  { member }: Access,
  reader: UserRow,
  upTo: MessageRow,
  threads: ThreadTotals,
): Promise<ReadEvent> {
  const { app, cid } = channel
  const before = await readOf(batch.db, app, cid, reader.id)
  // A call overtaken by another device's call moves nothing back; only marking unread does.
  if (before && before.last_read >= upTo.created_at) return JSON.parse(readEvent(server, channel, reader, before))
  const at = batch.nextTime(channel)
  const position = await positionAt(batch, channel, member!, upTo.ordinal)
  // Messages that were never read may still not be unread: a part of the history was cleared.
  const { ordinal, own_after } = before && before.ordinal > position.ordinal ? before : position
  const read: ReadRow = {
    app,
    cid,
    user_id: reader.id,
    last_read: upTo.created_at,
    last_read_message_id: upTo.id,
    ordinal,
    own_after,
  }
  const unread = await store(batch, read)
  const event = publishRead(server, batch, channel, reader, at, read, unread, threads)
  // To clients `message.read` means nothing is left unread; what is left is published as `notification.mark_unread`.
  const next = unread > 0 ? await firstUnreadAfter(batch.db, channel, reader.id, ordinal) : undefined
  if (next) publishUnread(server, batch, channel, reader, read, next, unread, threads)
  return event
}

/** The cids in which a user has unread messages. */
export async function unreadCids(server: Server, app: string, userId: string): Promise<string[]> {
  const reads = await readsOfUsers(server.database.read, server.database.dialect, app, [userId])
  return reads.filter((read) => unreadOf(server.apps.of(app), read) > 0).map((read) => read.cid)
}

/**
 * Makes a message the first unread one. Only one of the newest 100 can be named [READ-17].
 *
 * @throws ChatError InputError (4) — it is older than that; DoesNotExistError (16) — no such message here
 */
export async function markUnread(
  server: Server,
  access: Access,
  reader: UserRow,
  asked: { messageId?: string | undefined; timestamp?: string | undefined },
): Promise<void> {
  const { app, cid } = access.channel
  if (!keepsReading(access)) return
  await server.commit.write(app, [cid], async (batch) => {
    const channel = stillThere(batch, access.channel)
    const own = ownAccess(server, channel, reader, (await membershipsNow(batch, reader, [cid])).get(cid))
    if (!keepsReading(own)) return
    const first = await firstUnread(batch, own, asked)
    await batch.flushCounters()
    if ((await newerMessages(batch.db, channel, first.created_at, MARK_UNREAD_WINDOW)) >= MARK_UNREAD_WINDOW)
      throw new ChatError(
        'InputError',
        `cannot mark unread messages older than the newest ${MARK_UNREAD_WINDOW} channel messages`,
      )
    const before = await seenAt(batch.db, own, first.created_at - 1)
    const read: ReadRow = {
      app,
      cid,
      user_id: reader.id,
      last_read: first.created_at - 1,
      last_read_message_id: before?.id ?? null,
      ...(await positionAt(batch, channel, own.member!, first.ordinal - first.counted)),
    }
    const unread = await store(batch, read)
    const threads = (await threadTotals(batch.db, batch.dialect, server.apps.of(app), [reader.id]))(reader.id)
    publishUnread(server, batch, channel, reader, read, first.id, unread, threads)
  })
}

async function firstUnread(
  batch: Batch,
  access: Access,
  { messageId, timestamp }: { messageId?: string | undefined; timestamp?: string | undefined },
): Promise<MessageRow> {
  if (messageId !== undefined) return named(batch, access, messageId)
  if (timestamp === undefined) throw inputError('message_id', 'message_id or message_timestamp must be set')
  const at = microsOf(timestamp)
  if (at === undefined) throw inputError('message_timestamp', 'message_timestamp is not a time')
  const message = await seenAt(batch.db, access, at)
  if (!message) throw new ChatError('DoesNotExistError', `there is no message up to ${timestamp}`)
  return message
}

/** The message of that id, if the reader can see it in this channel. */
async function named(batch: Batch, access: Access, messageId: string): Promise<MessageRow> {
  const { app } = access.channel
  const messages = await messagesNamed(batch.db, batch.dialect, app, [messageId])
  return checkSeen(access, messageId, messages.get(messageId))
}

function checkSeen(access: Access, id: string, message: MessageRow | undefined): MessageRow {
  if (message?.cid !== access.channel.cid || !isWithin(message, horizonOf(access))) throw missing(id)
  return message
}

/** The reader's own access, even when a server calls for them: others see the position, so it names what they see. */
function ownAccess(server: Server, channel: ChannelRow, reader: UserRow, member: MemberRow | undefined): Access {
  return accessWith(server, channel, false, reader, member)
}

/** A read position at an ordinal. Messages from before the reader joined, or accepted, never count [READ-24]. */
async function positionAt(
  batch: Batch,
  channel: ChannelRow,
  { app, cid, user_id, created_at, invite_accepted_at }: MemberRow,
  wanted: number,
): Promise<{ ordinal: number; own_after: number }> {
  const atJoining = await messageAt(batch.db, channel, invite_accepted_at ?? created_at)
  const ordinal = Math.max(wanted, atJoining?.ordinal ?? 0)
  const own = await ownAfter(batch.db, app, cid, user_id, ordinal)
  const aside = await asideAfter(batch.db, app, cid, user_id, ordinal)
  return { ordinal, own_after: own + aside + (await ownUncountedAfter(batch.db, app, cid, user_id, ordinal)) }
}

/** Writes a read position and returns the unread count it leaves; the counters must be flushed before. */
async function store(batch: Batch, read: ReadRow): Promise<number> {
  const { app, cid, user_id } = read
  await batch.db
    .updateTable('reads')
    .set(read)
    .where('app', '=', app)
    .where('cid', '=', cid)
    .where('user_id', '=', user_id)
    .execute()
  const reads = await readsOfMembers(batch.db, batch.dialect, app, [{ cid, user_id }])
  return reads.get(`${cid}|${user_id}`)?.unread ?? 0
}

/** Publishes `notification.mark_unread` to the reader's own connections. */
function publishUnread(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  reader: UserRow,
  read: ReadRow,
  firstUnreadId: string,
  unread: number,
  threads: ThreadTotals,
) {
  const at = batch.nextTime(channel)
  const body = channelEvent(channel, 'notification.mark_unread', at, {
    user: userWire(reader, server.presence.isOnline(channel.app, reader.id)),
    first_unread_message_id: firstUnreadId,
    last_read_at: isoOf(read.last_read),
    ...(read.last_read_message_id !== null && { last_read_message_id: read.last_read_message_id }),
    unread_messages: unread,
    channel: channelWire(server, channel, cachedUserSummaries(server, channel.app)),
  })
  batch.publish(channel, 'notification.mark_unread', {
    at,
    personal: [{ users: [reader.id], body, totals: true, threads }],
    effects: [{ do: 'read', user: reader.id, ordinal: read.ordinal, unread }],
  })
}

function publishRead(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  reader: UserRow,
  at: number,
  read: ReadRow,
  unread: number,
  threads: ThreadTotals,
): ReadEvent {
  const event = readEvent(server, channel, reader, read)
  batch.publish(channel, 'message.read', {
    at,
    watchers: event,
    totals: { only: reader.id },
    ...((hides(reader, 'read_receipts') || isThin(server, channel)) && { only: [reader.id] }),
    effects: [{ do: 'read', user: reader.id, ordinal: read.ordinal, unread }],
  })
  batch.publish(channel, 'notification.mark_read', {
    at,
    personal: [
      {
        users: [reader.id],
        totals: true,
        threads,
        body: channelEvent(channel, 'notification.mark_read', at, readFields(server, channel, reader, read)),
      },
    ],
  })
  return JSON.parse(event)
}

/** Clients take the event's time as the reader's position, so it is the time of the position. */
function readEvent(server: Server, channel: ChannelRow, reader: UserRow, read: ReadRow): string {
  return channelEvent(channel, 'message.read', read.last_read, readFields(server, channel, reader, read))
}

function readFields(
  server: Server,
  { app, last_message_at }: ChannelRow,
  reader: UserRow,
  { last_read_message_id }: ReadRow,
) {
  return {
    user: userWire(reader, server.presence.isOnline(app, reader.id)),
    ...(last_read_message_id !== null && { last_read_message_id }),
    ...(last_message_at !== null && { channel_last_message_at: isoOf(last_message_at) }),
  }
}
