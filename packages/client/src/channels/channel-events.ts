/**
 * How each event changes a channel's state. A page fetches this module while it connects; events wait for it.
 * @see client.md 2.4
 */

import { TYPING_FORGET_MS } from '@parley/protocol/limits'
import type { ChatEvent } from '../events.ts'
import { dateOf, isEarlier, type LocalMessage, localMessage } from '../messages/local-message.ts'
import { mapped, mapSets, withMessage } from '../messages/message-lists.ts'
import { emptySets, type MessageSet } from '../messages/message-sets.ts'
import { type PollEvent, pollState } from '../polls/poll-state.ts'
import type { ChannelData, Member, Message, OwnDraft, PollData, Reaction, Reminder, User } from '../shapes.ts'
import { following } from '../users/public-user.ts'
import {
  type ChannelState,
  knowsRead,
  loaded,
  messageIn,
  own,
  readUpTo,
  type StateContext,
  without,
} from './channel-state.ts'
import {
  bumped,
  newer,
  ownUnreadCleared,
  unreadChangedBy,
  wasCounted,
  withArrived,
  withChanged,
  withData,
  withEachMessage,
  withOwnParts,
  withoutMessage,
  withoutTypist,
  withPin,
  withPinned,
  withPosted,
  withRead,
  withReadUpTo,
  withSets,
  withTypingExpired,
} from './state-changes.ts'

/** The state after an event. The same object when the event does not concern the channel. */
export function channelState(state: ChannelState, event: ChatEvent, context: StateContext): ChannelState {
  const next = stateAfter(state, event, context)
  const { channel_message_count: count } = event as { channel_message_count?: number }
  return count === undefined ? next : withData(next, { message_count: count })
}

/** The state after events, of any channel, that arrived while an answer was on its way. */
export function withEvents(
  state: ChannelState,
  events: readonly (ChatEvent & { cid?: string })[],
  cid: string,
  context: StateContext,
): ChannelState {
  return events.reduce(
    (before, event) => ((event.cid ?? cid) === cid ? channelState(before, event, context) : before),
    state,
  )
}

function stateAfter(state: ChannelState, event: ChatEvent, context: StateContext): ChannelState {
  switch (event.type) {
    case 'message.new':
      return withArrived(state, event.message, context)
    case 'message.updated':
      return updated(state, localMessage(event.message), context)
    case 'message.deleted':
      return deleted(state, event, context)
    case 'message.undeleted':
      return undeleted(state, localMessage(event.message), context)
    case 'reaction.new':
    case 'reaction.updated':
    case 'reaction.deleted':
      return reacted(state, event, context)
    case 'message.read':
      // A thread keeps its own read position.
      if (event.thread || knowsRead(state, event, context)) return state
      return withReadUpTo(state, event.user, event.created_at, event.last_read_message_id, context)
    case 'message.delivered':
      return delivered(state, event)
    case 'notification.mark_read':
      return event.thread_id || event.thread || knowsRead(state, event, context)
        ? state
        : ownUnreadCleared(state, context)
    case 'notification.mark_unread':
      return event.thread_id ? state : markedUnread(state, event, context)
    case 'typing.start':
      if (event.user.id === context.me) return state
      return { ...state, typing: { ...state.typing, [event.user.id]: event } }
    case 'typing.stop':
      return withoutTypist(state, event.user.id)
    case 'channel.updated':
      return channelUpdated(state, event.channel)
    case 'channel.truncated':
      return truncated(state, event, context)
    case 'channel.hidden': {
      const { blocked, hide_messages_before } = event.channel ?? {}
      const hidden = withData(state, { hidden: true, ...(blocked && { blocked }) })
      if (!event.clear_history) return hidden
      return ownUnreadCleared(emptied(withData(hidden, { hide_messages_before })), context)
    }
    case 'channel.visible':
      return withData(state, { hidden: false, ...(state.data.blocked && { blocked: false }) })
    case 'capabilities.changed':
      return withData(state, { own_capabilities: event.own_capabilities })
    case 'member.added':
      return memberAdded(state, event, context)
    case 'member.updated':
      return withMember(state, event.member, context)
    case 'member.removed':
      return memberRemoved(state, event, context)
    case 'user.banned':
    case 'user.unbanned':
      return banChanged(state, event, context)
    case 'user.watching.start':
    case 'user.watching.stop': {
      const others = without(state.watchers, event.user.id)
      const watchers = event.type === 'user.watching.stop' ? others : { ...others, [event.user.id]: event.user }
      return { ...state, watchers, watcher_count: event.watcher_count ?? state.watcher_count }
    }
    case 'user.updated':
    case 'user.presence.changed':
      return withUser(state, event.user)
    case 'user.deleted':
      return userDeleted(state, event, context)
    case 'user.messages.deleted':
      return allDeleted(state, event, context)
    case 'reminder.created':
    case 'reminder.updated':
      return withReminder(state, event.message_id, event.reminder)
    case 'reminder.deleted':
      return withReminder(state, event.message_id, undefined)
    case 'poll.updated':
    case 'poll.closed':
    case 'poll.deleted':
    case 'poll.vote_casted':
    case 'poll.vote_changed':
    case 'poll.vote_removed':
      return polled(state, event, context)
    case 'draft.updated':
      return withDraft(state, event.draft.parent_id, event.draft)
    case 'draft.deleted':
      return withDraft(state, event.parent_id ?? event.draft.parent_id, undefined)
    default:
      // Or an event of the application's own, or of a newer server.
      event satisfies ChatEvent<OfTheClient>
      return state
  }
}

/** The client handles these: they concern the user, the channel list, or the channel as a whole. */
type OfTheClient =
  | 'health.check'
  | 'connection.changed'
  | 'connection.recovered'
  | 'channel.deleted'
  | 'notification.added_to_channel'
  | 'notification.channel_deleted'
  | 'notification.channel_mutes_updated'
  | 'notification.channel_truncated'
  | 'notification.invite_accepted'
  | 'notification.invite_rejected'
  | 'notification.invited'
  | 'notification.message_new'
  | 'notification.mutes_updated'
  | 'notification.reminder_due'
  | 'notification.removed_from_channel'
  | 'notification.thread_message_new'
  | 'thread.updated'

/** Ends what expires without an event: typing and pins. */
export function withTimePassed(state: ChannelState, now: number): ChannelState {
  return withPinsExpired(withTypingExpired(state, now - TYPING_FORGET_MS), now)
}

/** Removes expired pins [PIN-5]. */
function withPinsExpired(state: ChannelState, now: number): ChannelState {
  const hasEnded = ({ pinned, pin_expires }: LocalMessage) =>
    pinned && pin_expires != null && new Date(pin_expires).getTime() <= now
  if (!state.pinned_messages.some(hasEnded)) return state
  const unpinned = { pinned: false, pinned_at: null, pinned_by: null, pin_expires: null }
  const next = withEachMessage(state, (message) => (hasEnded(message) ? { ...message, ...unpinned } : message))
  return withPinned(
    next,
    next.pinned_messages.filter(({ pinned }) => pinned),
  )
}

function updated(state: ChannelState, message: LocalMessage, context: StateContext): ChannelState {
  const known = messageIn(state, message.id)
  const changed = known ? newer(withOwnParts(state, message, known), known) : message
  const next = withShown(withChanged(state, changed), changed)
  if (!known) return next
  const isOut = wasCounted(state, known, context) && !wasCounted(state, changed, context)
  return withPin(isOut ? unreadChangedBy(next, -1, context) : next, changed)
}

/**
 * A reply can be shown in the channel, or no longer be shown there, long after it was sent. It appears only if its time
 * is loaded.
 */
function withShown(state: ChannelState, message: LocalMessage): ChannelState {
  if (!message.parent_id) return state
  const change = (messages: readonly LocalMessage[], { hasOlder, hasNewer }: MessageSet) => {
    if (!message.show_in_channel) return mapped(messages, (other) => (other.id === message.id ? undefined : other))
    const next = withMessage(messages, message)
    const isInside = (!hasOlder || next[0] !== message) && (!hasNewer || next.at(-1) !== message)
    return isInside ? next : messages
  }
  return withSets(state, mapSets(state.sets, change))
}

function deleted(state: ChannelState, event: ChatEvent<'message.deleted'>, context: StateContext): ChannelState {
  const wire = event.message
  const known = messageIn(state, wire.id)
  const message = localMessage(wire)
  const counted = known && wasCounted(state, known, context)
  let next: ChannelState
  if (event.hard_delete) {
    // The server leaves the quote of a deleted message empty.
    const unquoted = (other: LocalMessage) =>
      other.quoted_message_id === wire.id && other.quoted_message ? { ...other, quoted_message: null } : other
    next = withoutMessage(withEachMessage(state, unquoted), wire.id)
  } else {
    next = withPin(withChanged(state, withOwnParts(state, message, known)), message)
  }
  return counted ? unreadChangedBy(next, -1, context) : next
}

/** Deletes all messages of a user in this channel; the event's time is the deletion's. */
function allDeleted(
  state: ChannelState,
  event: Pick<ChatEvent<'user.messages.deleted'>, 'user' | 'created_at' | 'hard_delete'>,
  context: StateContext,
): ChannelState {
  const isTheirs = (message: LocalMessage) => message.user?.id === event.user.id
  const theirs = new Map([...loaded(state)].filter(isTheirs).map((message) => [message.id, message]))
  const counted = [...theirs.values()].filter((message) => wasCounted(state, message, context)).length
  const deleted_at = new Date(event.created_at)
  let next = withPinned(
    state,
    state.pinned_messages.filter((message) => !isTheirs(message)),
  )
  if (event.hard_delete) for (const id of theirs.keys()) next = withoutMessage(next, id)
  next = withEachMessage(next, (message) => {
    if (!isTheirs(message) || message.type === 'deleted') return message
    return { ...message, ...nothingSaid, type: 'deleted', deleted_at, updated_at: deleted_at, pinned: false }
  })
  return counted > 0 ? unreadChangedBy(next, -counted, context) : next
}

const nothingSaid = { text: '', html: '', attachments: [], mentioned_users: [] }

function undeleted(state: ChannelState, message: LocalMessage, context: StateContext): ChannelState {
  const known = messageIn(state, message.id)
  const next = updated(state, message, context)
  return known?.type === 'deleted' && wasCounted(next, message, context) ? unreadChangedBy(next, 1, context) : next
}

type ReactionEvent = ChatEvent<'reaction.new' | 'reaction.updated' | 'reaction.deleted'>

function reacted(state: ChannelState, event: ReactionEvent, context: StateContext): ChannelState {
  const known = messageIn(state, event.message.id)
  const message = localMessage(event.message)
  if (!known) return withChanged(state, message)
  const reaction = event.reaction
  return withChanged(state, {
    ...withOwnParts(state, newer(message, known), known),
    own_reactions: ownReactions(known, event.type, reaction, context),
  })
}

/**
 * The lists inside events are not made for the receiver, so the user's own reactions, newest first, are kept here
 * [MSG-34].
 */
function ownReactions(known: LocalMessage, type: string, reaction: Reaction, { me }: StateContext): Reaction[] {
  if (reaction.user_id !== me) return known.own_reactions
  if (type === 'reaction.updated') return [reaction]
  const others = known.own_reactions.filter((other) => other.type !== reaction.type)
  return type === 'reaction.deleted' ? others : [reaction, ...others]
}

/** A user without a read position gets no unread counts. */
function delivered(state: ChannelState, event: ChatEvent<'message.delivered'>): ChannelState {
  const before = own(state.read, event.user.id)
  if (!before) return state
  const { last_delivered_at, last_delivered_message_id } = event
  return withRead(state, { ...before, last_delivered_at: new Date(last_delivered_at), last_delivered_message_id })
}

function markedUnread(
  state: ChannelState,
  event: ChatEvent<'notification.mark_unread'>,
  { me }: StateContext,
): ChannelState {
  if (event.user.id !== me) return state
  const next = withRead(state, {
    ...own(state.read, me),
    user: event.user,
    ...readUpTo(event.last_read_at, event.last_read_message_id),
    unread_messages: event.unread_messages,
    first_unread_message_id: event.first_unread_message_id,
  })
  return { ...next, unreadCount: event.unread_messages }
}

function channelUpdated(state: ChannelState, channel: ChannelData): ChannelState {
  const { hidden, own_capabilities, muted, mute_expires_at, hide_messages_before } = state.data
  return { ...state, data: { hidden, own_capabilities, muted, mute_expires_at, hide_messages_before, ...channel } }
}

function truncated(state: ChannelState, event: ChatEvent<'channel.truncated'>, context: StateContext): ChannelState {
  const before = event.channel.truncated_at
  const kept = before
    ? withEachMessage(state, (message) => (isEarlier(message.createdAtIso, before) ? undefined : message))
    : emptied(state)
  // For this user only: the channel keeps its history, and the read positions of others stay.
  const isOwn = event.channel.hide_messages_before !== undefined
  // The event has a time only if the call had one; without it, everything up to the event is removed.
  const truncated_at = isOwn ? state.data.truncated_at : (before ?? event.created_at)
  const data = { ...event.channel, truncated_at }
  const cleared = ownUnreadCleared(channelUpdated(kept, data), context)
  const next = isOwn ? cleared : { ...cleared, read: readUpToNow(kept, event.created_at) }
  const shown: ChannelState = { ...next, last_message_at: dateOf(data.last_message_at) }
  return event.message ? withUncounted(shown, event.message) : shown
}

/** The server moves every read position when it clears the history. */
function readUpToNow(state: ChannelState, now: string): ChannelState['read'] {
  return Object.fromEntries(Object.entries(state.read).map(([id, read]) => [id, { ...read, ...readUpTo(now) }]))
}

/** A message that arrives with another event: shown, but not counted as unread. */
function withUncounted(state: ChannelState, wire: Message): ChannelState {
  const next = bumped(withPosted(state, localMessage(wire)), wire)
  const mine = wire.user && own(next.read, wire.user.id)
  if (!mine) return next
  return withRead(next, { ...mine, ...readUpTo(wire.created_at, wire.id) })
}

/** No messages, and no older ones to load. */
function emptied(state: ChannelState): ChannelState {
  return { ...withSets(state, emptySets), threads: {}, replies: {}, pinned_messages: [] }
}

function polled(state: ChannelState, event: PollEvent, { me }: StateContext): ChannelState {
  return withPolls(state, event.poll?.id, (poll) => pollState(poll, event, me))
}

/** A poll may be attached to several messages, and others may quote those; each shows its latest state. */
export function withPolls(
  state: ChannelState,
  id: string | undefined,
  change: (poll: PollData) => PollData | undefined,
): ChannelState {
  const changed = <Shown extends { poll?: PollData; poll_id?: string }>(message: Shown): Shown => {
    if (!message.poll || message.poll.id !== id) return message
    const poll = change(message.poll)
    return { ...message, poll, poll_id: poll?.id }
  }
  return withEachMessage(state, (message) => {
    const { quoted_message: known } = message
    const quoted_message = known && changed(known)
    return quoted_message === known ? changed(message) : { ...changed(message), quoted_message }
  })
}

/** The draft that the server keeps, written here or on another device [client.md 2.9]. */
function withDraft(state: ChannelState, parentID: string | undefined, draft: OwnDraft | undefined): ChannelState {
  if (!parentID) return { ...state, draft }
  return withEachMessage(state, (message) => (message.id === parentID ? { ...message, draft } : message))
}

function withReminder(state: ChannelState, messageID: string, given: Reminder | undefined): ChannelState {
  return withEachMessage(state, (message) => {
    if (message.id !== messageID) return message
    if (!given) return { ...message, reminder: undefined }
    const { user: _, message: _message, channel: _channel, ...reminder } = given
    return { ...message, reminder }
  })
}

type MemberEvent = ChatEvent<'member.added' | 'member.removed'>

function memberAdded(state: ChannelState, event: MemberEvent, context: StateContext): ChannelState {
  const member = event.member
  const next = withMember(state, member, context)
  if (own(state.members, member.user_id)) return next
  // A new member has read everything up to the time they joined [messaging.md 10.1].
  const read = { user: member.user, ...readUpTo(member.created_at) }
  return withMemberCount(withRead(next, read), event, 1)
}

function memberRemoved(state: ChannelState, event: MemberEvent, { me }: StateContext): ChannelState {
  const id = event.member?.user_id ?? event.user.id
  const next = {
    ...withMemberInMessages(state, id, undefined),
    members: without(state.members, id),
    membership: id === me ? undefined : state.membership,
  }
  return withMemberCount(next, event, -1)
}

function withMember(state: ChannelState, member: Member, { me }: StateContext): ChannelState {
  const members = { ...state.members, [member.user_id]: member }
  const { channel_role, notifications_muted, status } = member
  const shown = status === 'rejected' ? undefined : { channel_role, notifications_muted }
  return {
    ...withMemberInMessages(state, member.user_id, shown),
    members,
    membership: member.user_id === me ? member : state.membership,
  }
}

/** Messages carry their author's membership in the channel. */
function withMemberInMessages(state: ChannelState, id: string, member: Message['member']): ChannelState {
  return withEachMessage(state, (message) =>
    message.user.id === id && message.member?.channel_role !== member?.channel_role ? { ...message, member } : message,
  )
}

function withMemberCount(state: ChannelState, event: MemberEvent, difference: number): ChannelState {
  const given = event.channel?.member_count ?? event.channel_member_count
  const count = given ?? Math.max(0, (state.data.member_count ?? 0) + difference)
  return withData(state, { member_count: count })
}

function banChanged(
  state: ChannelState,
  event: ChatEvent<'user.banned' | 'user.unbanned'>,
  context: StateContext,
): ChannelState {
  const member = own(state.members, event.user.id)
  if (!event.cid || !member) return state
  const isBan = event.type === 'user.banned'
  const marked = {
    ...member,
    banned: isBan && !event.shadow,
    shadow_banned: isBan && Boolean(event.shadow),
    ban_expires: isBan ? event.expiration : undefined,
  }
  return withMember(state, marked, context)
}

/** Replaces the user everywhere in the state; fields that the user no longer has are removed [USR-18]. */
function withUser(state: ChannelState, user: User): ChannelState {
  const follow = following(user)
  return withEachMessage(follow(state), follow)
}

function userDeleted(state: ChannelState, event: ChatEvent<'user.deleted'>, context: StateContext): ChannelState {
  const next = withUser(state, event.user)
  if (!event.mark_messages_deleted && !event.hard_delete) return next
  const at = event.user.deleted_at ?? event.created_at
  const marked = allDeleted(next, { user: event.user, created_at: at, hard_delete: false }, context)
  if (!event.hard_delete) return marked
  return withEachMessage(marked, (message) =>
    message.user?.id === event.user.id ? { ...message, ...nothingLeft } : message,
  )
}

const nothingLeft = {
  ...nothingSaid,
  latest_reactions: [],
  own_reactions: [],
  reaction_counts: null,
  reaction_scores: null,
  reaction_groups: null,
}
