import type { PushPreference } from '@parley/protocol/devices'
import type { ChatEvent } from '../events.ts'
import { isEarlier, type LocalMessage } from '../messages/local-message.ts'
import { type MessageSet, unknownSets } from '../messages/message-sets.ts'
import { countsAsUnread, type UnreadContext } from '../reads/unread.ts'
import type { ChannelData, Member, Message, OwnDraft, User } from '../shapes.ts'

/** How far a user has read. */
export interface ReadState {
  readonly user: User
  readonly last_read: Date
  /** `last_read` as the server wrote it, with its microseconds. */
  readonly lastReadIso: string
  readonly last_read_message_id?: string
  readonly unread_messages: number
  /** Only known after the user marked the channel unread. */
  readonly first_unread_message_id?: string
  readonly last_delivered_at?: Date
  readonly last_delivered_message_id?: string
}

/** A read position: everything up to the given time is read. */
export function readUpTo(lastReadIso: string, last_read_message_id?: string): Omit<ReadState, 'user'> {
  return {
    last_read: new Date(lastReadIso),
    lastReadIso,
    last_read_message_id,
    unread_messages: 0,
    first_unread_message_id: undefined,
  }
}

/** The loaded part of one thread. */
export interface LoadedThread {
  /** The parent message, if it came with the thread. */
  readonly parent: LocalMessage | undefined
  readonly sets: readonly MessageSet[]
}

export interface ChannelState {
  readonly data: ChannelData
  /** Watched or queried, and not known to be out of date [client.md 2.1]. */
  readonly initialized: boolean
  /** The user signed out, or the channel is deleted: every call of the channel throws. */
  readonly disconnected: boolean
  readonly sets: readonly MessageSet[]
  /** The messages of the current set, oldest first. */
  readonly messages: readonly LocalMessage[]
  /** The loaded part of each thread, by the id of its parent. */
  readonly threads: Readonly<Record<string, LoadedThread>>
  /** The replies of the current sets, oldest first. */
  readonly replies: Readonly<Record<string, readonly LocalMessage[]>>
  /** Oldest pin first. */
  readonly pinned_messages: readonly LocalMessage[]
  /** Own messages that only their sender sees until the app's own server commits them, oldest first. */
  readonly pending_messages: readonly LocalMessage[]
  readonly members: Readonly<Record<string, Member>>
  readonly membership: Member | undefined
  readonly watchers: Readonly<Record<string, User>>
  /** The server's count; the list of watchers may be shorter. */
  readonly watcher_count: number
  readonly read: Readonly<Record<string, ReadState>>
  /** Other users who are typing, by user id; in a thread when the event has a `parent_id`. */
  readonly typing: Readonly<Record<string, ChatEvent<'typing.start'>>>
  /** The user's own unread messages, counted by the client [CHN-3]. */
  readonly unreadCount: number
  /** The user's draft in the channel, as the server keeps it. The draft of a thread is its parent's `draft`. */
  readonly draft: OwnDraft | undefined
  /** The user's push preferences for this channel; undefined when none are set for it. */
  readonly push_preferences: PushPreference | undefined
  readonly last_message_at: Date | undefined
}

export function newChannelState(): ChannelState {
  return {
    data: {},
    initialized: false,
    disconnected: false,
    sets: unknownSets,
    messages: [],
    threads: {},
    replies: {},
    pinned_messages: [],
    pending_messages: [],
    members: {},
    membership: undefined,
    watchers: {},
    watcher_count: 0,
    read: {},
    typing: {},
    unreadCount: 0,
    draft: undefined,
    push_preferences: undefined,
    last_message_at: undefined,
  }
}

/** The state of a channel that is deleted, or whose user signed out. */
export function ended(state: ChannelState): ChannelState {
  return { ...state, initialized: false, disconnected: true }
}

/** The user of the state, and what this user has muted. */
export interface StateContext extends Omit<UnreadContext, 'capabilities'> {
  /** The current user, also an anonymous one. */
  readonly me: string | undefined
  /** While an answer is applied: its own unread count covers everything up to this time. */
  readonly countedTo?: string | undefined
}

/** The message wherever it is loaded: in a set, in a thread, or among the pinned messages. */
export function messageIn(state: ChannelState, id: string): LocalMessage | undefined {
  return found(state, (message) => message.id === id)
}

/** A loaded message that shows the poll. */
export function messageShowing(state: ChannelState, pollID: string | null | undefined): LocalMessage | undefined {
  return found(state, ({ poll }) => poll !== undefined && poll.id === pollID)
}

function found(state: ChannelState, isMeant: (message: LocalMessage) => boolean): LocalMessage | undefined {
  for (const message of loaded(state)) if (isMeant(message)) return message
}

/** Every loaded message; a message that is in several places comes several times. */
export function* loaded(state: ChannelState): Iterable<LocalMessage> {
  for (const { messages } of state.sets) yield* messages
  for (const { parent, sets } of Object.values(state.threads)) {
    if (parent) yield parent
    for (const { messages } of sets) yield* messages
  }
  yield* state.pinned_messages
  yield* state.pending_messages
}

/** The unread rule for this channel. */
export function countsHere(state: ChannelState, message: Message | LocalMessage, context: StateContext): boolean {
  return countsAsUnread(message, { ...context, capabilities: state.data.own_capabilities })
}

/** An answer that overtook the event had the own read position, or a later one, and the events after it. */
export function knowsRead(
  { read }: Pick<ChannelState, 'read'>,
  { user, created_at }: { user: User; created_at: string },
  { me }: StateContext,
): boolean {
  const known = user.id === me && own(read, user.id)
  return known ? !isEarlier(known.lastReadIso, created_at) : false
}

/** The entry of an id, which may be any text, also `constructor`. undefined without an id. */
export function own<Value>(record: Readonly<Record<string, Value>>, id: string | null | undefined): Value | undefined {
  return id != null && Object.hasOwn(record, id) ? record[id] : undefined
}

export function without<Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  const { [key]: _, ...others } = record
  return others
}
