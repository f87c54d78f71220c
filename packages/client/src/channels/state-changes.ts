/** What arrives, changes and goes, as changes of a channel's state; needed with the first event or answer. */
import { isEarlier, type LocalMessage, localMessage } from '../messages/local-message.ts'
import { isUnsent, mapSets, withReplaced } from '../messages/message-sets.ts'
import type { ChannelData, ChannelMute, Message, Poll, User } from '../shapes.ts'
import {
  type ChannelState,
  countsHere,
  messageIn,
  newer,
  own,
  pollIn,
  quotedCopy,
  type ReadState,
  readUpTo,
  type StateContext,
  without,
  withPinned,
  withPosted,
  withSets,
  withThread,
} from './channel-state.ts'

/** A message arrived, by its event or as the answer to sending it. */
export function withArrived(state: ChannelState, wire: Message, context: StateContext): ChannelState {
  if (wire.shadowed && wire.user?.id !== context.me) return state
  const known = messageIn(state, wire.id)
  const message = withOwnParts(state, localMessage(wire), known)
  // What was a preview of one's own until now is news to the channel.
  const isNews = !known || isUnsent(known)
  const isReply = Boolean(wire.parent_id) && !wire.show_in_channel
  const author = wire.user?.id

  let next = withoutTypist(withPosted(withoutPending(state, wire.id), newer(message, known)), author)

  if (author !== undefined && !isReply && wire.type !== 'ephemeral' && wire.type !== 'error') {
    const before = own(next.read, author)
    // A page can bring the message sooner than the position. Who is no member has no read position.
    if (before ? isEarlier(before.lastReadIso, wire.created_at) : own(next.members, author))
      next = withReadUpTo(next, wire.user, wire.created_at, wire.id, context)
  }
  // One that moderators let out is here already where it was kept from all others.
  if (!isNews) return bumped(next, wire)
  if (countsHere(state, wire, context)) {
    next = unreadChangedBy(next, 1, context)
    if (next.data.hidden) next = withData(next, { hidden: false })
  }
  return bumped(next, wire)
}

/** `last_message_at` moves for what appears in the channel. */
export function bumped(state: ChannelState, message: Message): ChannelState {
  const isForAll = !message.shadowed && !message.restricted_visibility?.length
  if (!isForAll || (message.parent_id && !message.show_in_channel)) return state
  if (message.type === 'ephemeral' || message.type === 'error') return state
  if (message.type === 'system' && state.data.config?.skip_last_msg_update_for_system_msgs) return state
  const at = new Date(message.created_at)
  if (state.last_message_at && state.last_message_at >= at) return state
  return { ...state, last_message_at: at, data: { ...state.data, last_message_at: message.created_at } }
}

/** Replaces a message wherever it is loaded, and the copies of it that others quote. It is never inserted. */
export function withChanged(state: ChannelState, message: LocalMessage): ChannelState {
  const requote = quoting(message)
  const change = (messages: readonly LocalMessage[]) => mapped(withReplaced(messages, message), requote)
  const next = withSets(state, mapSets(state.sets, change))
  return withListed(withReplies(next, change), change)
}

/** Gives the messages that quote this one its new version. */
function quoting(quoted: LocalMessage): (message: LocalMessage) => LocalMessage {
  return (message) =>
    message.quoted_message_id === quoted.id ? { ...message, quoted_message: quotedCopy(quoted) } : message
}

/** Takes a message out of everything. */
export function withoutMessage(state: ChannelState, id: string): ChannelState {
  const drop = (messages: readonly LocalMessage[]) =>
    mapped(messages, (message) => (message.id === id ? undefined : message))
  const next = withSets(state, mapSets(state.sets, drop))
  return withListed(withReplies(withoutThread(next, id), drop), drop)
}

/** Changes the lists that hold messages besides their place in the history. */
export function withListed(
  state: ChannelState,
  change: (messages: readonly LocalMessage[]) => readonly LocalMessage[],
): ChannelState {
  const pending_messages = change(state.pending_messages)
  const next = pending_messages === state.pending_messages ? state : { ...state, pending_messages }
  return withPinned(next, change(next.pinned_messages))
}

/** A message that the app's server has yet to let out: in its place, and among those that wait. */
export function withPending(state: ChannelState, message: LocalMessage): ChannelState {
  const others = withoutPending(state, message.id).pending_messages
  return { ...withPosted(state, message), pending_messages: [...others, message] }
}

function withoutPending(state: ChannelState, id: string): ChannelState {
  const pending_messages = mapped(state.pending_messages, (message) => (message.id === id ? undefined : message))
  return pending_messages === state.pending_messages ? state : { ...state, pending_messages }
}

/** Changes what is loaded of threads. A thread whose parent goes, goes. */
export function withReplies(
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

export function withoutThread(state: ChannelState, parentID: string): ChannelState {
  if (!own(state.threads, parentID)) return state
  return { ...state, threads: without(state.threads, parentID), replies: without(state.replies, parentID) }
}

/** The message with what is the user's own in it, which no event knows [MSG-34]. */
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

function withOwnVotes(state: ChannelState, { poll }: { poll?: Poll }) {
  const known = pollIn(state, poll?.id)
  return poll && known && { poll: { ...poll, own_votes: known.own_votes } }
}

/** The channel is muted, or not any more; in one that is, nothing is unread. */
export function ownMuted(state: ChannelState, mute: ChannelMute | undefined, context: StateContext): ChannelState {
  const shown = withData(state, { muted: mute ? true : undefined, mute_expires_at: mute?.expires })
  return mute ? ownUnreadCleared(shown, context) : shown
}

/** Nothing is unread to the user any more, by the count and by the read entry. */
export function ownUnreadCleared(state: ChannelState, { me }: StateContext): ChannelState {
  const mine = me === undefined ? undefined : own(state.read, me)
  if (state.unreadCount === 0 && (mine?.unread_messages ?? 0) === 0) return state
  const next = { ...state, unreadCount: 0 }
  return mine ? withRead(next, { ...mine, unread_messages: 0 }) : next
}

export function unreadChangedBy(state: ChannelState, difference: number, { reader }: StateContext): ChannelState {
  const mine = reader === undefined ? undefined : own(state.read, reader)
  const next = { ...state, unreadCount: Math.max(0, state.unreadCount + difference) }
  return mine ? withRead(next, { ...mine, unread_messages: Math.max(0, mine.unread_messages + difference) }) : next
}

export function withData(state: ChannelState, data: Partial<ChannelData>): ChannelState {
  const isSame = Object.entries(data).every(([field, value]) => state.data[field] === value)
  return isSame ? state : { ...state, data: { ...state.data, ...data } }
}

export function withRead(state: ChannelState, read: ReadState): ChannelState {
  return { ...state, read: { ...state.read, [read.user.id]: read } }
}

/** Somebody has read everything up to then; where it is oneself, nothing is unread. */
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

/** Changes every message of a list; the list stays the same when no message changed. */
export function mapped(
  messages: readonly LocalMessage[],
  change: (message: LocalMessage) => LocalMessage | undefined,
): readonly LocalMessage[] {
  let same = true
  const next: LocalMessage[] = []
  for (const message of messages) {
    const changed = change(message)
    if (changed !== message) same = false
    if (changed) next.push(changed)
  }
  return same ? messages : next
}
