/** Changes of a channel's state by new, changed and deleted messages; needed with the first event or answer. */

import { merged } from '../live.ts'
import { isEarlier, isInChannel, isMineAlone, type LocalMessage, localMessage } from '../messages/local-message.ts'
import { addToLatest, findMessage, mapped, mapSets, withoutEmptySets, withReplaced } from '../messages/message-lists.ts'
import { currentSet, type MessageSet } from '../messages/message-sets.ts'
import { isUnsent } from '../messages/pages.ts'
import type { ChannelData, ChannelMute, Message, PollData, User } from '../shapes.ts'
import {
  type ChannelState,
  countsHere,
  type LoadedThread,
  messageIn,
  messageShowing,
  own,
  type ReadState,
  readUpTo,
  type StateContext,
  without,
} from './channel-state.ts'

/** A message arrived, by its event or as the answer to sending it. */
export function withArrived(state: ChannelState, wire: Message, context: StateContext): ChannelState {
  if (wire.shadowed && wire.user?.id !== context.me) return state
  const known = messageIn(state, wire.id)
  const message = withOwnParts(state, localMessage(wire), known)
  // A message that was the user's own preview until now is new to the channel.
  const isNews = context.countedTo ? isEarlier(context.countedTo, wire.created_at) : !known || isUnsent(known)
  const author = wire.user?.id

  let next = withoutTypist(withPosted(withoutPending(state, wire.id), newer(message, known)), author)

  if (author !== undefined && isInChannel(wire) && !isMineAlone(wire)) {
    const before = own(next.read, author)
    // A page can have the message before the read position arrives. A user without a position is no member, or hides it
    // [READ-28].
    if (before && isEarlier(before.lastReadIso, wire.created_at))
      next = withReadUpTo(next, wire.user, wire.created_at, wire.id, context)
  }
  // A message released by moderators counts only for users who have not seen it before.
  if (isNews && wasCounted(state, message, context)) {
    next = unreadChangedBy(next, 1, context)
    if (next.data.hidden) next = withData(next, { hidden: false })
  }
  return bumped(next, wire)
}

/** Whether the own unread count includes the message. */
export function wasCounted(state: ChannelState, message: LocalMessage, context: StateContext): boolean {
  const mine = own(state.read, context.reader)
  if (!mine || message.type === 'deleted' || !isEarlier(mine.lastReadIso, message.createdAtIso)) return false
  return countsHere(state, message, context)
}

/** Adds a message in its place: the newest set, its thread if that is loaded, the pinned messages. */
export function withPosted(state: ChannelState, message: LocalMessage): ChannelState {
  let next = state
  if (isInChannel(message)) next = withSets(next, withPlaced(state.sets, message))
  const thread = own(next.threads, message.parent_id)
  if (message.parent_id && thread)
    next = withThread(next, message.parent_id, { ...thread, sets: withPlaced(thread.sets, message) })
  return withPin(next, message)
}

function withPlaced(sets: readonly MessageSet[], message: LocalMessage): readonly MessageSet[] {
  if (!findMessage(sets, message.id)) return addToLatest(sets, message)
  return mapSets(sets, (messages) => withReplaced(messages, message))
}

/** `last_message_at` moves for messages that are shown in the channel. */
export function bumped(state: ChannelState, message: Message): ChannelState {
  const isForAll = !message.shadowed && !message.restricted_visibility?.length
  if (!isForAll || !isInChannel(message) || isMineAlone(message)) return state
  if (message.type === 'system' && state.data.config?.skip_last_msg_update_for_system_msgs) return state
  const { last_message_at } = state.data
  if (last_message_at && !isEarlier(last_message_at, message.created_at)) return state
  return {
    ...state,
    last_message_at: new Date(message.created_at),
    data: { ...state.data, last_message_at: message.created_at },
  }
}

/** The state with other sets; `messages` follows the current one. */
export function withSets(state: ChannelState, sets: readonly MessageSet[]): ChannelState {
  if (sets === state.sets) return state
  const kept = withoutEmptySets(sets)
  return { ...state, sets: kept, messages: currentSet(kept).messages }
}

/** The state with changed contents of a thread; `replies` follows its current set. */
export function withThread(state: ChannelState, parentID: string, thread: LoadedThread): ChannelState {
  const sets = withoutEmptySets(thread.sets)
  return {
    ...state,
    threads: { ...state.threads, [parentID]: sets === thread.sets ? thread : { ...thread, sets } },
    replies: { ...state.replies, [parentID]: currentSet(sets).messages },
  }
}

/** The newer version of a message: an answer can be older than an event that overtook it. */
export function newer(message: LocalMessage, known: LocalMessage | undefined): LocalMessage {
  if (known?.status !== 'received') return message
  return known.updated_at > message.updated_at ? known : message
}

/** Replaces a message wherever it is loaded, also in quotes. Never inserts it. */
export function withChanged(state: ChannelState, message: LocalMessage): ChannelState {
  const requote = quoting(message)
  return everywhere(state, (messages) => mapped(withReplaced(messages, message), requote))
}

/** Replaces the message where others quote it. */
function quoting(quoted: LocalMessage): (message: LocalMessage) => LocalMessage {
  return (message) =>
    message.quoted_message_id === quoted.id ? { ...message, quoted_message: quotedCopy(quoted) } : message
}

/** Removes a message everywhere. */
export function withoutMessage(state: ChannelState, id: string): ChannelState {
  return withEachMessage(withoutThread(state, id), (message) => (message.id === id ? undefined : message))
}

/** Changes every loaded message, wherever it is. */
export function withEachMessage(
  state: ChannelState,
  change: (message: LocalMessage) => LocalMessage | undefined,
): ChannelState {
  return everywhere(state, (messages) => mapped(messages, change))
}

/** Changes every list of messages: the sets, the loaded threads, the pinned and the pending messages. */
function everywhere(
  state: ChannelState,
  change: (messages: readonly LocalMessage[]) => readonly LocalMessage[],
): ChannelState {
  const next = withReplies(withSets(state, mapSets(state.sets, change)), change)
  return merged(next, {
    pending_messages: change(next.pending_messages),
    pinned_messages: change(next.pinned_messages),
  })
}

/** Adds a pinned message to the pinned ones, or removes an unpinned one. */
export function withPin(state: ChannelState, message: LocalMessage): ChannelState {
  const others = state.pinned_messages.filter(({ id }) => id !== message.id)
  if (!message.pinned || message.type === 'deleted')
    return others.length === state.pinned_messages.length ? state : withPinned(state, others)
  const pinned = [...others, message].sort((a, b) => (a.pinned_at?.getTime() ?? 0) - (b.pinned_at?.getTime() ?? 0))
  return withPinned(state, pinned)
}

export function withPinned(state: ChannelState, pinned_messages: readonly LocalMessage[]): ChannelState {
  return merged(state, { pinned_messages })
}

/** A quoted message as the wire embeds it, one level deep. */
export function quotedCopy(message: LocalMessage): Message['quoted_message'] {
  const { quoted_message: _, ...fields } = wireMessage(message)
  return fields as Message['quoted_message']
}

/** The opposite conversion: the message as an event would carry it. */
export function wireMessage(message: LocalMessage): Message {
  const { status: _, error: _error, attempt: _attempt, createdAtIso, ...fields } = message
  return {
    ...fields,
    created_at: createdAtIso,
    updated_at: message.updated_at.toISOString(),
    deleted_at: message.deleted_at?.toISOString(),
    pinned_at: message.pinned_at?.toISOString() ?? null,
  } as Message
}

/** A message that waits for the app's own server to commit it: in its place, and among the pending messages. */
export function withPending(state: ChannelState, message: LocalMessage): ChannelState {
  const others = withoutPending(state, message.id).pending_messages
  return { ...withPosted(state, message), pending_messages: [...others, message] }
}

function withoutPending(state: ChannelState, id: string): ChannelState {
  const pending_messages = mapped(state.pending_messages, (message) => (message.id === id ? undefined : message))
  return merged(state, { pending_messages })
}

/** Changes the loaded threads. A thread is removed with its parent. */
function withReplies(
  state: ChannelState,
  change: (messages: readonly LocalMessage[]) => readonly LocalMessage[],
): ChannelState {
  let next = state
  for (const [parentID, thread] of Object.entries(state.threads)) {
    const parent = thread.parent && change([thread.parent])[0]
    const sets = mapSets(thread.sets, change)
    if (thread.parent && !parent) next = withoutThread(next, parentID)
    else if (parent !== thread.parent || sets !== thread.sets) next = withThread(next, parentID, { parent, sets })
  }
  return next
}

function withoutThread(state: ChannelState, parentID: string): ChannelState {
  if (!own(state.threads, parentID)) return state
  return { ...state, threads: without(state.threads, parentID), replies: without(state.replies, parentID) }
}

/** The message with the user's own parts, which events do not have [MSG-34]. */
export function withOwnParts(
  state: ChannelState,
  message: LocalMessage,
  known: LocalMessage | undefined,
): LocalMessage {
  const { own_reactions = [], draft, reminder } = known ?? {}
  const quoted = message.quoted_message
  return {
    ...message,
    own_reactions,
    ...(draft && { draft }),
    ...(reminder && { reminder }),
    ...withOwnVotes(state, message),
    ...(quoted?.poll && { quoted_message: { ...quoted, ...withOwnVotes(state, quoted) } }),
  }
}

function withOwnVotes(state: ChannelState, { poll }: { poll?: PollData }) {
  const known = pollIn(state, poll?.id)
  return poll && known && { poll: { ...poll, own_votes: known.own_votes } }
}

/** The poll as a loaded message shows it, with the user's own votes. */
export function pollIn(state: ChannelState, id: string | null | undefined): PollData | undefined {
  return messageShowing(state, id)?.poll
}

/** Mutes or unmutes the channel; a muted channel has no unread messages. */
export function ownMuted(state: ChannelState, mute: ChannelMute | undefined, context: StateContext): ChannelState {
  const shown = withData(state, { muted: mute ? true : undefined, mute_expires_at: mute?.expires })
  return mute ? ownUnreadCleared(shown, context) : shown
}

/** Clears the user's unread state: the count and the read entry. */
export function ownUnreadCleared(state: ChannelState, { me }: StateContext): ChannelState {
  const mine = own(state.read, me)
  if (state.unreadCount === 0 && (mine?.unread_messages ?? 0) === 0) return state
  const next = { ...state, unreadCount: 0 }
  return mine ? withRead(next, { ...mine, unread_messages: 0 }) : next
}

export function unreadChangedBy(state: ChannelState, difference: number, { reader }: StateContext): ChannelState {
  const mine = own(state.read, reader)
  const next = { ...state, unreadCount: Math.max(0, state.unreadCount + difference) }
  return mine ? withRead(next, { ...mine, unread_messages: Math.max(0, mine.unread_messages + difference) }) : next
}

export function withData(state: ChannelState, data: Partial<ChannelData>): ChannelState {
  return merged(state, { data: merged(state.data, data) })
}

export function withRead(state: ChannelState, read: ReadState): ChannelState {
  return { ...state, read: { ...state.read, [read.user.id]: read } }
}

/** Moves a user's read position; for the current user, it also clears the unread count. */
export function withReadUpTo(
  state: ChannelState,
  user: User,
  at: string,
  messageID: string | undefined,
  { me }: StateContext,
): ChannelState {
  const next = withRead(state, { ...own(state.read, user.id), user, ...readUpTo(at, messageID) })
  return user.id === me ? { ...next, unreadCount: 0 } : next
}

export function withoutTypist(state: ChannelState, id: string | undefined): ChannelState {
  return id !== undefined && own(state.typing, id) ? { ...state, typing: without(state.typing, id) } : state
}

export function withTypingExpired(state: ChannelState, before: number): ChannelState {
  const kept = Object.entries(state.typing).filter(([, event]) => event.received_at.getTime() > before)
  return kept.length === Object.keys(state.typing).length ? state : { ...state, typing: Object.fromEntries(kept) }
}
