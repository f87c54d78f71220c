import type { Message } from '@parley/protocol/messages'
import type { Poll } from '@parley/protocol/polls'
import type { Kysely } from 'kysely'
import { forEveryone } from '../../features/polls/poll-wire.ts'
import { pollsShown } from '../../features/polls/polls-shown.ts'
import { holdPoll } from '../../features/polls/send-poll.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MessageRow, Tables, UserRow } from '../../platform/database/tables.ts'
import { isoOf, type Micros, microsOf } from '../../platform/micros.ts'
import type { Effect, ThreadTotals } from '../../platform/realtime/publication.ts'
import type { Server } from '../../server.ts'
import { type Access, stillThere } from '../channels/channel-access.ts'
import { channelEvent, channelWire, usersOfChannel } from '../channels/channel-wire.ts'
import { countMessage, messageCount } from '../channels/message-count.ts'
import { unhide } from '../members/hide-channel.ts'
import { readBySince } from '../reads/joining.ts'
import { cachedUserSummaries, userSummariesOf } from '../users/user-summaries.ts'
import { isTaken, shownSince } from './message-access.ts'
import { audienceOf, countedBy, messageRecipients, showsQuote } from './message-recipients.ts'
import { newestBeside } from './message-store.ts'
import { eventViewerOf, messageWire, pollsIn, usersIn, withPolls } from './message-wire.ts'
import { setPinEnd } from './pin-end.ts'
import { postReply } from './post-reply.ts'

export interface PostOptions {
  /** The message it quotes. */
  quoted?: MessageRow | undefined
  /** When it was sent, if the app's server sets another time than now. */
  givenTime?: string
  keepHidden?: boolean
  /** Sends no push notifications. */
  skipPush?: boolean | undefined
  /** Keeps the author's draft: another user or the app's server posts, and the author may be writing a new message. */
  keepDraft?: boolean
  /** The new unread thread totals of the users for whom it changes them; `first` may fill it. */
  threads?: Record<string, ThreadTotals>
  /** Runs first in the same write, and may throw to refuse the message. */
  first?: (batch: Batch) => Promise<void>
}

/**
 * Stores a checked message in its channel and publishes `message.new`; `access` is its author's. A plain channel
 * message is only appended, without a query of its own. A reply, a restricted message, and one with a poll, a `first`
 * check or a given time are a write.
 *
 * @throws ChatError InputError (4) — the id exists already; DoesNotExistError (16) — its poll was deleted meanwhile
 */
export async function postMessage(
  server: Server,
  access: Access,
  author: UserRow,
  row: MessageRow,
  { quoted, givenTime, keepHidden = false, skipPush, keepDraft = false, threads, first }: PostOptions,
): Promise<Message> {
  const { channel } = access
  const { app, cid } = channel
  const watching = row.restricted_json === null ? [] : await server.hub.whoWatches(app, cid)
  const userSummaries = await userSummariesOf(server, app, [
    author.id,
    ...usersOfChannel(channel),
    ...usersIn(row),
    ...(quoted ? usersIn(quoted) : []),
  ])
  const pollIds = pollsIn(quoted ? [row, quoted] : [row])
  let polls: ReadonlyMap<string, Poll> = new Map()
  const post = (batch: Batch, about: object = {}, given?: Micros) => {
    // A message dated before the channel was created is unread for no member [READ-24].
    if (given !== undefined && given <= channel.created_at) row.counted = 0
    const now = place(batch, access, row, given)
    const around = { userSummaries, now: row.created_at, viewerId: author.id, polls, member: access.member }
    // The channel may have been truncated since the quoted message was read.
    const shown = quoted && quoted.created_at >= shownSince(now, access.member) ? quoted : undefined
    const message = withPolls(messageWire(row, { ...around, quoted: shown }), forEveryone)
    const heard =
      shown && !showsQuote(row, shown, undefined) ? withPolls(messageWire(row, around), forEveryone) : message
    announce(server, batch, now, row, heard, { about, skipPush, threads }, author, Boolean(access.member))
    if (row.counted && given !== undefined) batch.later(() => readBySince(batch.db, now, row.ordinal, given))
    if (row.counted && now.hidden_by_some && !keepHidden)
      batch.later(() => unhide(server, batch, now, countedBy(row).among))
    if (row.pin_expires !== null) batch.later(() => setPinEnd(batch, row, undefined))
    for (const { posted, sent } of server.extensions.messages) {
      posted?.(batch, row)
      if (!keepDraft) sent?.(server, batch, row)
    }
    return message
  }
  const isForAll = row.restricted_json === null
  const isAppended = isForAll && row.parent_id === null && !first && pollIds.length === 0 && givenTime === undefined
  if (isAppended) return server.commit.append(app, cid, row.id, post)
  const posted = await server.commit.write(app, [cid], async (batch) => {
    // Reads the members again: one may have been removed, or have another role since.
    if (!isForAll) row.audience_json = JSON.stringify(await audienceOf(server, batch.db, channel, row, watching))
    await first?.(batch)
    await checkNew(batch.db, app, row.id)
    if (row.poll_id !== null) await holdPoll(batch, app, row.poll_id)
    polls = await pollsShown(server, app, pollIds, author.id, batch.db)
    const given = givenTime === undefined ? undefined : await checkTime(batch, access, row, givenTime)
    const postThen = (batch: Batch, about?: object) => post(batch, about, given)
    return row.parent_id === null ? postThen(batch) : postReply(server, access, batch, row, postThen)
  })
  return withPolls(posted, (poll) => polls.get(poll.id)!)
}

/**
 * A checked message that accompanies a change of its channel: the event of the change includes it, and it is posted
 * after that in the same write.
 */
export async function messageWith(server: Server, access: Access, author: UserRow, row: MessageRow) {
  const userSummaries = await userSummariesOf(server, row.app, [
    author.id,
    ...usersOfChannel(access.channel),
    ...usersIn(row),
  ])
  return {
    /** Gives it its time and ordinal; returns it as clients get it. */
    async place(batch: Batch): Promise<Message> {
      await checkNew(batch.db, row.app, row.id)
      place(batch, access, row, undefined)
      return messageWire(row, {
        userSummaries,
        now: row.created_at,
        viewerId: eventViewerOf(row),
        member: access.member,
      })
    },
    publish(batch: Batch, message: Message, skipPush?: boolean) {
      const channel = batch.channel(row.app, row.cid)!
      announce(server, batch, channel, row, message, { skipPush }, author, Boolean(access.member))
      if (row.counted && channel.hidden_by_some) batch.later(() => unhide(server, batch, channel))
    },
  }
}

/** @throws ChatError InputError (4) — a message has the id; clients conclude that their first attempt succeeded */
export async function checkNew(db: Kysely<Tables>, app: string, id: string) {
  if (await isTaken(db, app, id)) throw new ChatError('InputError', `a message with ID ${id} already exists`)
}

/**
 * The time that the app's server gives a message. Pages are queried by time, so no two messages of a channel or thread
 * have the same time, and a later message has a later time.
 *
 * @throws ChatError InputError (4)
 */
async function checkTime(batch: Batch, access: Access, row: MessageRow, text: string): Promise<Micros> {
  const given = microsOf(text)
  if (given === undefined) throw inputError('message.created_at', 'message.created_at is not a time')
  const { last_message_at, truncated_at } = stillThere(batch, access.channel)
  const latest = Math.max(last_message_at ?? 0, await newestBeside(batch.db, row))
  if (given > batch.now() || given <= latest || given < (truncated_at ?? 0))
    throw inputError('message.created_at', 'message.created_at must lie after the newest message and not in the future')
  return given
}

/** Gives a row its place in the channel: time, ordinal, and the author's new read position. */
function place(batch: Batch, { channel: known, config }: Access, row: MessageRow, given: Micros | undefined) {
  const channel = stillThere(batch, known)
  // All members share one `last_message_at`: a message some cannot see must not move the channel up in their lists.
  const isForAll = !row.shadowed && row.restricted_json === null
  const movesChannel = isForAll && (row.type !== 'system' || !config.skip_last_msg_update_for_system_msgs)
  const now = batch.nextTime(channel)
  row.created_at = given ?? now
  row.updated_at = row.created_at
  if (row.pinned_at !== null) row.pinned_at = row.created_at

  const inChannel = row.parent_id === null || row.show_in_channel === 1
  if (row.counted) channel.counted += 1
  row.ordinal = channel.counted
  if (inChannel && movesChannel) {
    channel.last_message_at = row.created_at
    channel.activity_at = row.created_at
  }
  countMessage(channel, row, 1)
  batch.addMessage(row)
  return channel
}

interface PostEvent extends Pick<PostOptions, 'skipPush'> {
  about?: object
  threads?: Record<string, ThreadTotals> | undefined
}

function announce(
  server: Server,
  batch: Batch,
  channel: ChannelRow,
  row: MessageRow,
  message: Message,
  { about = {}, skipPush = false, threads }: PostEvent,
  author: UserRow,
  isMember: boolean,
) {
  const at = channel.event_at
  server.usage.said(channel, author)
  const inChannel = row.parent_id === null || row.show_in_channel === 1
  if (isMember && inChannel)
    batch.setRead({
      app: row.app,
      cid: row.cid,
      user_id: row.user_id,
      last_read: row.created_at,
      last_read_message_id: row.id,
      ordinal: row.ordinal,
      own_after: 0,
    })

  const event = {
    message,
    message_id: row.id,
    user: message.user,
    ...(channel.last_message_at !== null && { channel_last_message_at: isoOf(channel.last_message_at) }),
    ...messageCount(server, channel),
    ...(skipPush && { skip_push: true }),
  }
  const effects: Effect[] = row.counted
    ? [{ do: 'count', ordinal: row.ordinal, author: author.id, postedAt: row.created_at, ...countedBy(row) }]
    : inChannel
      ? [{ do: 'authorRead', ordinal: row.ordinal, author: author.id }]
      : []
  const withCurrentContent = { ...channel }
  const isCounted = server.hub.knowsWatchers(channel.app, channel.cid)
  const watched = isCounted && { watcher_count: server.hub.watcherCount(channel.app, channel.cid) }
  batch.publish(channel, 'message.new', {
    at,
    watchers: channelEvent(channel, 'message.new', at, {
      ...event,
      ...about,
      ...watched,
    }),
    ...(!isCounted && { uncounted: true }),
    totals: 'members',
    ...(threads && { threads }),
    effects,
    ...messageRecipients(row),
    ...(inChannel &&
      !row.shadowed && {
        others: {
          except: author.id,
          body: () => {
            const channel = channelWire(server, withCurrentContent, cachedUserSummaries(server, withCurrentContent.app))
            return channelEvent(withCurrentContent, 'notification.message_new', at, { ...event, channel, ...watched })
          },
        },
      }),
    ...(inChannel && {
      lowered: {
        user: author.id,
        body: () =>
          channelEvent(withCurrentContent, 'notification.mark_read', at, {
            user: message.user,
            last_read_message_id: row.id,
          }),
      },
    }),
  })
}
