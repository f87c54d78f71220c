/**
 * The fields of a thread as one immutable value, and how each event changes them. Its messages are part of the
 * channel's state, so that message events change them there.
 * @see client.md 5.1
 */
import type { Custom } from '@parley/protocol/wire'
import { readState } from '../channels/channel-answer.ts'
import { knowsRead, own, type ReadState, readUpTo, type StateContext, without } from '../channels/channel-state.ts'
import type { CustomThreadData } from '../custom-data.ts'
import type { ChatEvent } from '../events.ts'
import { dateOf, isEarlier, isMineAlone, type LocalMessage } from '../messages/local-message.ts'
import { countsAsUnread } from '../reads/unread.ts'
import type { Known, Message, ThreadData, ThreadParticipant, User } from '../shapes.ts'

/** The server's fields of a thread, with dates as `Date`; custom fields are beside these. */
export type ThreadFields = Omit<Known<ThreadData>, Changed> & {
  readonly read: Readonly<Record<string, ReadState>>
  readonly created_at: Date
  readonly updated_at: Date
  readonly last_message_at: Date
  /** `last_message_at` with the server's microseconds. */
  readonly lastMessageIso: string
  readonly deleted_at: Date | undefined
} & Custom &
  Partial<CustomThreadData>

type Changed =
  | 'channel'
  | 'parent_message'
  | 'latest_replies'
  | 'reply_count'
  | 'draft'
  | 'read'
  | 'created_at'
  | 'updated_at'
  | 'last_message_at'
  | 'deleted_at'

export function threadFields(thread: ThreadData): ThreadFields {
  const { channel: _c, parent_message: _p, latest_replies: _l, reply_count: _r, draft: _d, ...fields } = thread
  return {
    ...fields,
    read: Object.fromEntries(thread.read.map((entry) => [entry.user.id, readState(entry)])),
    created_at: new Date(thread.created_at),
    updated_at: new Date(thread.updated_at),
    last_message_at: new Date(thread.last_message_at),
    lastMessageIso: thread.last_message_at,
    deleted_at: dateOf(thread.deleted_at),
  } as ThreadFields
}

/** The context of an event: the user of the state, and the messages before it. */
export interface ThreadContext extends StateContext {
  readonly capabilities: readonly string[] | undefined
  /** Whether a view shows the thread: new replies are read at once. */
  readonly isShown: boolean
  known(messageID: string): LocalMessage | undefined
  /** Whether a member has a read position in the channel; undefined where they are not known to be a member. */
  hasPosition(userID: string): boolean | undefined
  /** Returns the fields with the user's latest version. */
  following(user: User): (fields: ThreadFields) => ThreadFields
}

/** The fields after an event. The same object when the event does not concern this thread. */
export function threadState(fields: ThreadFields, event: ChatEvent, context: ThreadContext): ThreadFields {
  const id = fields.parent_message_id
  switch (event.type) {
    case 'message.new':
      return event.message.parent_id === id ? replied(fields, event.message, context) : fields
    case 'message.updated':
    case 'message.undeleted':
      if (event.message.id === id) return parentChanged(fields, event.message, context)
      return event.type === 'message.undeleted' ? recounted(fields, event.message, 1, context) : fields
    case 'message.deleted':
      if (event.message.id === id) return parentChanged(fields, event.message, context)
      return recounted(fields, event.message, -1, context)
    case 'message.read':
    case 'notification.mark_read': {
      const read = event.type === 'message.read' ? event.thread?.parent_message_id : event.thread_id
      if (read !== id || knowsRead(fields, event, context)) return fields
      return withRead(fields, { user: event.user, ...readUpTo(event.created_at, event.last_read_message_id) })
    }
    case 'notification.mark_unread':
      if (event.thread_id !== id) return fields
      return withRead(fields, {
        user: event.user,
        ...readUpTo(event.last_read_at, event.last_read_message_id),
        unread_messages: event.unread_messages,
        first_unread_message_id: event.first_unread_message_id,
      })
    case 'thread.updated':
      return event.thread.parent_message_id === id ? renamed(fields, event.thread as ThreadData) : fields
    case 'member.added':
      return withLeft(fields, event.member?.user_id ?? event.user.id)
    case 'member.removed':
      return withLeft(fields, event.member?.user_id ?? event.user.id, event.created_at)
    case 'user.updated':
    case 'user.presence.changed':
    case 'user.deleted':
      return context.following(event.user)(fields)
    default:
      return fields
  }
}

/** A reply moves its author's position, and is unread to all other participants [messaging.md 6.3]. */
function replied(fields: ThreadFields, reply: Message, context: ThreadContext): ThreadFields {
  const author = reply.user
  if (isMineAlone(reply)) return fields
  if (reply.shadowed && author.id !== context.me) return fields
  // A reply that an answer already had is not counted again with its event.
  if (!isEarlier(fields.lastMessageIso, reply.created_at)) return fields
  const at = new Date(reply.created_at)
  let next: ThreadFields = { ...fields, last_message_at: at, lastMessageIso: reply.created_at, updated_at: at }
  next = joined(next, author, reply)
  if (!hidesReading(fields, author.id, context))
    next = withRead(next, { ...own(fields.read, author.id), user: author, ...readUpTo(reply.created_at, reply.id) })
  return counts(reply, context) && !context.isShown ? unreadChangedBy(next, 1, context) : next
}

/** A member without a position in the channel, or in a thread they take part in, hides it from others [READ-28]. */
function hidesReading(fields: ThreadFields, userID: string, { me, hasPosition }: ThreadContext): boolean {
  if (userID === me || own(fields.read, userID)) return false
  const known = participant(fields, userID)
  return !(hasPosition(userID) ?? (!known || known.left_thread_at !== undefined))
}

function joined(fields: ThreadFields, user: User, reply: Message): ThreadFields {
  const { parent_message_id: thread_id, channel_cid } = fields
  const last_thread_message_at = reply.created_at
  const back = withLeft(fields, user.id)
  const known = participant(back, user.id)
  if (known) return withParticipant(back, { ...known, last_thread_message_at })
  const times = { created_at: reply.created_at, last_read_at: reply.created_at, last_thread_message_at }
  const newest = { channel_cid, thread_id, user_id: user.id, user, ...times }
  return {
    ...fields,
    thread_participants: [newest as ThreadParticipant, ...fields.thread_participants],
    participant_count: fields.participant_count + 1,
    active_participant_count: fields.active_participant_count + 1,
  }
}

/** A thread without a title has its parent's text. */
function parentChanged(fields: ThreadFields, parent: Message, { known }: ThreadContext): ThreadFields {
  const isUntitled = fields.title === known(parent.id)?.text
  return {
    ...fields,
    title: isUntitled ? parent.text : fields.title,
    deleted_at: dateOf(parent.deleted_at),
  }
}

/** A reply that was deleted or restored, if it is among the unread ones. */
function recounted(fields: ThreadFields, reply: Message, difference: 1 | -1, context: ThreadContext): ThreadFields {
  if (reply.parent_id !== fields.parent_message_id) return fields
  const mine = own(fields.read, context.reader)
  if (!mine || !isEarlier(mine.lastReadIso, reply.created_at)) return fields
  const before = context.known(reply.id)
  const isNew = (before?.type === 'deleted') === difference > 0 || before === undefined
  return isNew && counts({ ...reply, type: 'reply' }, context) ? unreadChangedBy(fields, difference, context) : fields
}

/** The unread rule, without its part about threads. */
function counts(reply: Message, context: ThreadContext): boolean {
  return countsAsUnread({ ...reply, parent_id: undefined }, context)
}

/** Events of a thread do not have the user's own position in it. */
function renamed(fields: ThreadFields, thread: ThreadData): ThreadFields {
  const { read, thread_participants, lastMessageIso, last_message_at } = fields
  return { ...threadFields(thread), read, thread_participants, lastMessageIso, last_message_at }
}

function withRead(fields: ThreadFields, read: ReadState): ThreadFields {
  const known = participant(fields, read.user.id)
  // Only participants have a position.
  if (!known) return fields
  const next = { ...fields, read: { ...fields.read, [read.user.id]: { ...own(fields.read, read.user.id), ...read } } }
  return withParticipant(next, { ...known, last_read_at: read.lastReadIso })
}

function unreadChangedBy(fields: ThreadFields, difference: number, { reader }: ThreadContext): ThreadFields {
  const mine = own(fields.read, reader)
  if (!mine) return fields
  const unread_messages = Math.max(0, mine.unread_messages + difference)
  return { ...fields, read: { ...fields.read, [mine.user.id]: { ...mine, unread_messages } } }
}

/**
 * A user who leaves the channel is still listed in its threads, and is a participant again on return
 * [messaging.md 6.1].
 */
function withLeft(fields: ThreadFields, userID: string, at?: string): ThreadFields {
  const known = participant(fields, userID)
  if (!known || !known.left_thread_at === !at) return fields
  const { left_thread_at: _, ...present } = known
  const next = withParticipant(fields, at ? { ...known, left_thread_at: at } : present)
  const active_participant_count = fields.active_participant_count + (at ? -1 : 1)
  return { ...next, active_participant_count, read: at ? without(fields.read, userID) : fields.read }
}

function withParticipant(fields: ThreadFields, changed: ThreadParticipant): ThreadFields {
  const thread_participants = fields.thread_participants.map((one) => (one.user_id === changed.user_id ? changed : one))
  return { ...fields, thread_participants }
}

function participant(fields: ThreadFields, userID: string): ThreadParticipant | undefined {
  return fields.thread_participants.find((one) => one.user_id === userID)
}
