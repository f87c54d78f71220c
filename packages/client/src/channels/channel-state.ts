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
  /** Only known after marking unread. */
  readonly first_unread_message_id?: string
  readonly last_delivered_at?: Date
  readonly last_delivered_message_id?: string
}

/** Everything up to then is read. */
export function readUpTo(lastReadIso: string, last_read_message_id?: string): Omit<ReadState, 'user'> {
  return {
    last_read: new Date(lastReadIso),
    lastReadIso,
    last_read_message_id,
    unread_messages: 0,
    first_unread_message_id: undefined,
  }
}

/** What is loaded of one thread. */
export interface LoadedThread {
  /** The message it hangs on, where it came with the thread. */
  readonly parent: LocalMessage | undefined
  readonly sets: readonly MessageSet[]
}

export interface ChannelState {
  readonly data: ChannelData
  /** Watched or queried, and not known to be out of date since [client.md 2.1]. */
  readonly initialized: boolean
  /** The user has left it, or it is gone: every use of the channel throws. */
  readonly disconnected: boolean
  readonly sets: readonly MessageSet[]
  /** Those of the current set, oldest first. */
  readonly messages: readonly LocalMessage[]
  /** What is loaded of threads, by the id of their parent. */
  readonly threads: Readonly<Record<string, LoadedThread>>
  /** The replies of their current sets, oldest first. */
  readonly replies: Readonly<Record<string, readonly LocalMessage[]>>
  /** Oldest pin first. */
  readonly pinned_messages: readonly LocalMessage[]
  /** Own messages that only their sender sees until the app's server commits them, oldest first. */
  readonly pending_messages: readonly LocalMessage[]
  readonly members: Readonly<Record<string, Member>>
  readonly membership: Member | undefined
  readonly watchers: Readonly<Record<string, User>>
  /** The server's number; the watchers listed may be fewer. */
  readonly watcher_count: number
  readonly read: Readonly<Record<string, ReadState>>
  /** Others who are writing, by user id; in a thread when the event has a `parent_id`. */
  readonly typing: Readonly<Record<string, ChatEvent<'typing.start'>>>
  /** Own unread messages, counted here [CHN-3]. */
  readonly unreadCount: number
  /** What the server keeps of what one was writing in the channel; in a thread it is its parent's `draft`. */
  readonly draft: OwnDraft | undefined
  /** What the user wants to be notified of here; undefined when nothing was set for this channel alone. */
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

/** The channel is gone, or its user is. */
export function ended(state: ChannelState): ChannelState {
  return { ...state, initialized: false, disconnected: true }
}

/** Whose state it is, and what this user has muted. */
export interface StateContext extends Omit<UnreadContext, 'capabilities'> {
  /** The current user, anonymous ones too. */
  readonly me: string | undefined
  /** What came up to then is in the own unread number already: of an answer that is taken. */
  readonly countedTo?: string | undefined
}

/** The message wherever it is loaded: in a set, in a thread, or among the pinned. */
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

/** Every message that is loaded, wherever; one that is in several places comes several times. */
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

/** An answer that overtook the event has brought the own position, or a later one, and with it what came after that. */
export function knowsRead(
  { read }: Pick<ChannelState, 'read'>,
  { user, created_at }: { user: User; created_at: string },
  { me }: StateContext,
): boolean {
  const known = user.id === me && own(read, user.id)
  return known ? !isEarlier(known.lastReadIso, created_at) : false
}

/** The entry of an id; ids are text like any other, `constructor` too. Nobody and nothing has none. */
export function own<Value>(record: Readonly<Record<string, Value>>, id: string | null | undefined): Value | undefined {
  return id != null && Object.hasOwn(record, id) ? record[id] : undefined
}

export function without<Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  const { [key]: _, ...others } = record
  return others
}
