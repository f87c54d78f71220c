/**
 * All that is known of a channel, as one immutable value, and what each event makes of it.
 * @see client.md 2.3, 2.4
 */
import type { ChatEvent } from '../events.ts'
import { isEarlier, type LocalMessage, localMessage, wireMessage } from '../messages/local-message.ts'
import {
  addToLatest,
  currentSet,
  emptySets,
  findMessage,
  type MessageSet,
  mapped,
  mapSets,
  withMessage,
  withoutEmptySets,
  withReplaced,
} from '../messages/message-sets.ts'
import { countsAsUnread, type UnreadContext } from '../reads/unread.ts'
import type { ChannelData, Member, Message, Reaction, User } from '../shapes.ts'

/** How far somebody has read. */
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

export interface ChannelState {
  readonly data: ChannelData
  /** Watched or queried, and not known to be out of date since [client.md 2.1]. */
  readonly initialized: boolean
  /** The user has left it, or it is gone: every use of the channel throws. */
  readonly disconnected: boolean
  readonly sets: readonly MessageSet[]
  /** Those of the current set, oldest first. */
  readonly messages: readonly LocalMessage[]
  /** Replies of the threads loaded through the channel, by the id of their parent, oldest first. */
  readonly replies: Readonly<Record<string, readonly LocalMessage[]>>
  /** Oldest pin first. */
  readonly pinned_messages: readonly LocalMessage[]
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
  readonly last_message_at: Date | undefined
}

export function newChannelState(data: ChannelData): ChannelState {
  return {
    data,
    initialized: false,
    disconnected: false,
    sets: emptySets,
    messages: [],
    replies: {},
    pinned_messages: [],
    members: {},
    membership: undefined,
    watchers: {},
    watcher_count: 0,
    read: {},
    typing: {},
    unreadCount: 0,
    last_message_at: undefined,
  }
}

/** Whose state it is, and what this user has muted. */
export interface StateContext extends Omit<UnreadContext, 'capabilities'> {
  /** The current user, anonymous ones too. */
  readonly me: string | undefined
}

/** The state after an event. Events that mean nothing to a channel leave it as it is, by identity. */
export function channelState(state: ChannelState, event: ChatEvent, context: StateContext): ChannelState {
  switch (event.type) {
    case 'message.new':
      return posted(state, event, context)
    case 'message.updated':
      return updated(state, localMessage(event.message as Message))
    case 'message.deleted':
      return deleted(state, event, context)
    case 'message.undeleted':
      return undeleted(state, localMessage(event.message as Message), context)
    case 'reaction.new':
    case 'reaction.updated':
    case 'reaction.deleted':
      return reacted(state, event, context)
    case 'message.read':
      // A thread's own read position is the thread's business.
      return event.thread ? state : readUpTo(state, event, context)
    case 'notification.mark_read':
      return event.thread_id || event.thread ? state : ownUnreadCleared(state, context)
    case 'notification.mark_unread':
      return event.thread_id ? state : markedUnread(state, event, context)
    case 'typing.start':
      if (event.user.id === context.me) return state
      return { ...state, typing: { ...state.typing, [event.user.id]: event } }
    case 'typing.stop':
      return withoutTypist(state, event.user.id)
    case 'channel.updated':
      return channelUpdated(state, event.channel as ChannelData)
    case 'channel.truncated':
      return truncated(state, event, context)
    case 'channel.hidden': {
      const hidden = withData(state, { hidden: true, ...(event.channel?.blocked && { blocked: true }) })
      return event.clear_history ? emptied(hidden) : hidden
    }
    case 'channel.visible':
      return withData(state, { hidden: false, ...(state.data.blocked && { blocked: false }) })
    case 'capabilities.changed':
      return withData(state, { own_capabilities: event.own_capabilities })
    case 'member.added':
      return memberAdded(state, event, context)
    case 'member.updated':
      return withMember(state, event.member as Member, context)
    case 'member.removed':
      return memberRemoved(state, event, context)
    case 'user.banned':
    case 'user.unbanned':
      return banChanged(state, event)
    case 'user.watching.start': {
      const watchers = { ...state.watchers, [event.user.id]: event.user as User }
      return { ...state, watchers, watcher_count: event.watcher_count ?? state.watcher_count }
    }
    case 'user.watching.stop': {
      const watchers = without(state.watchers, event.user.id)
      return { ...state, watchers, watcher_count: event.watcher_count ?? state.watcher_count }
    }
    case 'user.updated':
    case 'user.presence.changed':
      return withUser(state, event.user as User)
    case 'user.deleted':
      return userDeleted(state, event)
    // The client handles these: they concern the user, the list of channels, or the channel as a whole.
    case 'health.check':
    case 'connection.changed':
    case 'connection.recovered':
    case 'channel.deleted':
    case 'notification.added_to_channel':
    case 'notification.channel_deleted':
    case 'notification.channel_mutes_updated':
    case 'notification.channel_truncated':
    case 'notification.invite_accepted':
    case 'notification.invite_rejected':
    case 'notification.invited':
    case 'notification.message_new':
    case 'notification.mutes_updated':
    case 'notification.removed_from_channel':
    case 'notification.thread_message_new':
    case 'thread.updated':
    case 'draft.updated':
    case 'draft.deleted':
      return state
    default:
      // An event of the application's own, or of a newer server.
      event satisfies never
      return state
  }
}

/** The state with other sets; `messages` follows the current one. */
export function withSets(state: ChannelState, sets: readonly MessageSet[]): ChannelState {
  if (sets === state.sets) return state
  const kept = withoutEmptySets(sets)
  return { ...state, sets: kept, messages: currentSet(kept).messages }
}

/** The message wherever it is loaded: in a set, in a thread, or among the pinned. */
export function messageIn(state: ChannelState, id: string): LocalMessage | undefined {
  const inSets = findMessage(state.sets, id)
  if (inSets) return inSets
  for (const replies of Object.values(state.replies)) {
    const reply = replies.find((other) => other.id === id)
    if (reply) return reply
  }
  return state.pinned_messages.find((other) => other.id === id)
}

/** Puts a message where it belongs: the newest set, its thread when that is loaded, the pinned ones. */
export function withPosted(state: ChannelState, message: LocalMessage): ChannelState {
  let next = state
  if (!message.parent_id || message.show_in_channel) {
    const known = findMessage(state.sets, message.id)
    const sets = known
      ? mapSets(state.sets, (messages) => withReplaced(messages, message))
      : addToLatest(state.sets, message)
    next = withSets(next, sets)
  }
  const thread = message.parent_id ? own(next.replies, message.parent_id) : undefined
  if (message.parent_id && thread)
    next = { ...next, replies: { ...next.replies, [message.parent_id]: withMessage(thread, message) } }
  return withPin(next, message)
}

/** Replaces a message wherever it is loaded, and the copies of it that others quote. It is never inserted. */
export function withChanged(state: ChannelState, message: LocalMessage): ChannelState {
  const requote = quoting(message)
  const change = (messages: readonly LocalMessage[]) => mapped(withReplaced(messages, message), requote)
  let next = withSets(state, mapSets(state.sets, change))
  next = withReplies(next, change)
  return withPinned(next, change(next.pinned_messages))
}

/** Takes a message out of everything. */
export function withoutMessage(state: ChannelState, id: string): ChannelState {
  const drop = (messages: readonly LocalMessage[]) =>
    mapped(messages, (message) => (message.id === id ? undefined : message))
  let next = withSets(state, mapSets(state.sets, drop))
  next = withReplies({ ...next, replies: own(next.replies, id) ? without(next.replies, id) : next.replies }, drop)
  return withPinned(next, drop(next.pinned_messages))
}

/** Changes every loaded message, wherever it is. */
export function withEachMessage(
  state: ChannelState,
  change: (message: LocalMessage) => LocalMessage | undefined,
): ChannelState {
  const all = (messages: readonly LocalMessage[]) => mapped(messages, change)
  let next = withSets(state, mapSets(state.sets, all))
  next = withReplies(next, all)
  return withPinned(next, all(next.pinned_messages))
}

export function withTypingExpired(state: ChannelState, before: number): ChannelState {
  const kept = Object.entries(state.typing).filter(([, event]) => event.received_at.getTime() > before)
  return kept.length === Object.keys(state.typing).length ? state : { ...state, typing: Object.fromEntries(kept) }
}

/** The unread rule for this channel. */
export function countsHere(state: ChannelState, message: Message | LocalMessage, context: StateContext): boolean {
  return countsAsUnread(message, { ...context, capabilities: state.data.own_capabilities })
}

function posted(state: ChannelState, event: ChatEvent<'message.new'>, context: StateContext): ChannelState {
  const wire = event.message as Message
  if (wire.shadowed && wire.user?.id !== context.me) return state
  const known = messageIn(state, wire.id)
  const message = withOwnReactions(localMessage(wire), known)
  const isNews = known?.status !== 'received'
  const isReply = Boolean(wire.parent_id) && !wire.show_in_channel
  const author = wire.user?.id

  let next = withoutTypist(withPosted(state, newer(message, known)), author)
  if (!isNews) return next

  if (author !== undefined && !isReply && wire.type !== 'ephemeral' && wire.type !== 'error') {
    const before = own(next.read, author)
    // Who is no member has no read position.
    if (before || own(next.members, author))
      next = withRead(next, {
        ...before,
        user: wire.user as User,
        last_read: message.created_at,
        lastReadIso: wire.created_at,
        last_read_message_id: wire.id,
        unread_messages: 0,
        first_unread_message_id: undefined,
      })
    if (author === context.me && next.unreadCount !== 0) next = { ...next, unreadCount: 0 }
  }
  if (countsHere(state, wire, context)) {
    next = unreadChangedBy(next, 1, context)
    if (next.data.hidden) next = withData(next, { hidden: false })
  }
  return bumped(next, wire)
}

/** `last_message_at` moves for what appears in the channel. */
function bumped(state: ChannelState, message: Message): ChannelState {
  if (message.shadowed || (message.parent_id && !message.show_in_channel)) return state
  if (message.type === 'ephemeral' || message.type === 'error') return state
  if (message.type === 'system' && state.data.config?.skip_last_msg_update_for_system_msgs) return state
  const at = new Date(message.created_at)
  if (state.last_message_at && state.last_message_at >= at) return state
  return { ...state, last_message_at: at, data: { ...state.data, last_message_at: message.created_at } }
}

function updated(state: ChannelState, message: LocalMessage): ChannelState {
  const known = messageIn(state, message.id)
  const changed = known ? newer(withOwnReactions(message, known), known) : message
  const next = withChanged(state, changed)
  return known ? withPin(next, changed) : next
}

function deleted(state: ChannelState, event: ChatEvent<'message.deleted'>, context: StateContext): ChannelState {
  const wire = event.message as Message
  const known = messageIn(state, wire.id)
  const message = localMessage(wire)
  const counted = known ? known.type !== 'deleted' && wasCounted(state, known, context) : false
  let next: ChannelState
  if (event.hard_delete) {
    // The server shows nothing in its place, where it is quoted.
    const unquoted = (other: LocalMessage) =>
      other.quoted_message_id === wire.id && other.quoted_message ? { ...other, quoted_message: null } : other
    next = withoutMessage(withEachMessage(state, unquoted), wire.id)
  } else {
    next = withChanged(state, withOwnReactions(message, known))
    next = withPinned(
      next,
      mapped(next.pinned_messages, (pinned) => (pinned.id === wire.id ? undefined : pinned)),
    )
  }
  return counted ? unreadChangedBy(next, -1, context) : next
}

function undeleted(state: ChannelState, message: LocalMessage, context: StateContext): ChannelState {
  const known = messageIn(state, message.id)
  const next = updated(state, message)
  return known?.type === 'deleted' && wasCounted(next, message, context) ? unreadChangedBy(next, 1, context) : next
}

/** Whether a message is among those the own unread number counts. */
function wasCounted(state: ChannelState, message: LocalMessage, context: StateContext): boolean {
  const mine = context.reader === undefined ? undefined : own(state.read, context.reader)
  return mine !== undefined && isEarlier(mine.lastReadIso, message.createdAtIso) && countsHere(state, message, context)
}

type ReactionEvent = ChatEvent<'reaction.new' | 'reaction.updated' | 'reaction.deleted'>

function reacted(state: ChannelState, event: ReactionEvent, context: StateContext): ChannelState {
  const known = messageIn(state, event.message.id)
  const message = localMessage(event.message as Message)
  if (!known) return withChanged(state, message)
  const reaction = event.reaction as Reaction
  return withChanged(state, {
    ...newer(message, known),
    own_reactions: ownReactions(known, event.type, reaction, context),
  })
}

/** The lists inside events are not made for the receiver, so the own reactions are counted here [MSG-34]. */
function ownReactions(known: LocalMessage, type: string, reaction: Reaction, { me }: StateContext): Reaction[] {
  if (reaction.user_id !== me) return known.own_reactions
  if (type === 'reaction.updated') return [reaction]
  const others = known.own_reactions.filter((other) => other.type !== reaction.type)
  return type === 'reaction.deleted' ? others : [...others, reaction]
}

function readUpTo(state: ChannelState, event: ChatEvent<'message.read'>, { me }: StateContext): ChannelState {
  const next = withRead(state, {
    ...own(state.read, event.user.id),
    user: event.user as User,
    last_read: new Date(event.created_at),
    lastReadIso: event.created_at,
    last_read_message_id: event.last_read_message_id,
    unread_messages: 0,
    first_unread_message_id: undefined,
  })
  return event.user.id === me && next.unreadCount !== 0 ? { ...next, unreadCount: 0 } : next
}

/** Nothing is unread to the user any more, by the count and by the read entry. */
export function ownUnreadCleared(state: ChannelState, { me }: StateContext): ChannelState {
  const mine = me === undefined ? undefined : own(state.read, me)
  if (state.unreadCount === 0 && (mine?.unread_messages ?? 0) === 0) return state
  const next = { ...state, unreadCount: 0 }
  return mine ? withRead(next, { ...mine, unread_messages: 0 }) : next
}

function markedUnread(
  state: ChannelState,
  event: ChatEvent<'notification.mark_unread'>,
  { me }: StateContext,
): ChannelState {
  if (event.user.id !== me) return state
  const next = withRead(state, {
    ...own(state.read, me),
    user: event.user as User,
    last_read: new Date(event.last_read_at),
    lastReadIso: event.last_read_at,
    last_read_message_id: event.last_read_message_id,
    unread_messages: event.unread_messages,
    first_unread_message_id: event.first_unread_message_id,
  })
  return { ...next, unreadCount: event.unread_messages }
}

function unreadChangedBy(state: ChannelState, difference: number, { reader }: StateContext): ChannelState {
  const mine = reader === undefined ? undefined : own(state.read, reader)
  const next = { ...state, unreadCount: Math.max(0, state.unreadCount + difference) }
  return mine ? withRead(next, { ...mine, unread_messages: Math.max(0, mine.unread_messages + difference) }) : next
}

function channelUpdated(state: ChannelState, channel: ChannelData): ChannelState {
  const { hidden, own_capabilities, muted } = state.data
  const data: ChannelData = {
    ...channel,
    hidden: channel.hidden ?? hidden,
    muted: channel.muted ?? muted,
    own_capabilities: channel.own_capabilities ?? own_capabilities,
  }
  return { ...state, data }
}

function truncated(state: ChannelState, event: ChatEvent<'channel.truncated'>, context: StateContext): ChannelState {
  const before = event.channel.truncated_at
  let next = before
    ? withEachMessage(state, (message) => (isEarlier(message.createdAtIso, before) ? undefined : message))
    : emptied(state)
  next = ownUnreadCleared(channelUpdated(next, event.channel as ChannelData), context)
  return event.message ? withPosted(next, localMessage(event.message as Message)) : next
}

/** No messages at all, and none older to ask for. */
function emptied(state: ChannelState): ChannelState {
  return { ...withSets(state, emptySets), replies: {}, pinned_messages: [] }
}

type MemberEvent = ChatEvent<'member.added' | 'member.removed'>

function memberAdded(state: ChannelState, event: MemberEvent, context: StateContext): ChannelState {
  const member = event.member as Member
  const next = withMember(state, member, context)
  if (own(state.members, member.user_id)) return next
  // Who joins has read everything up to that moment [messaging.md 10.1].
  const read: ReadState = {
    user: member.user as User,
    last_read: new Date(member.created_at),
    lastReadIso: member.created_at,
    unread_messages: 0,
  }
  return withMemberCount(withRead(next, read), event, 1)
}

function memberRemoved(state: ChannelState, event: MemberEvent, { me }: StateContext): ChannelState {
  const id = event.member?.user_id ?? event.user.id
  const next = {
    ...state,
    members: without(state.members, id),
    membership: id === me ? undefined : state.membership,
  }
  return withMemberCount(next, event, -1)
}

function withMember(state: ChannelState, member: Member, { me }: StateContext): ChannelState {
  const members = { ...state.members, [member.user_id]: member }
  return { ...state, members, membership: member.user_id === me ? member : state.membership }
}

function withMemberCount(state: ChannelState, event: MemberEvent, difference: number): ChannelState {
  const given = event.channel?.member_count ?? event.channel_member_count
  const count = given ?? Math.max(0, (state.data.member_count ?? 0) + difference)
  return withData(state, { member_count: count })
}

function banChanged(state: ChannelState, event: ChatEvent<'user.banned' | 'user.unbanned'>): ChannelState {
  const member = own(state.members, event.user.id)
  if (!event.cid || !member) return state
  const isBan = event.type === 'user.banned'
  const marked: Member = {
    ...member,
    banned: isBan && !event.shadow,
    shadow_banned: isBan && Boolean(event.shadow),
    ban_expires: isBan ? event.expiration : undefined,
  }
  const membership = state.membership?.user_id === member.user_id ? marked : state.membership
  return { ...state, members: { ...state.members, [member.user_id]: marked }, membership }
}

/** The user's new name, image or presence, everywhere the user is shown [USR-18]. */
function withUser(state: ChannelState, user: User): ChannelState {
  let next = state
  const member = own(state.members, user.id)
  if (member)
    next = { ...next, members: { ...next.members, [user.id]: { ...member, user: { ...member.user, ...user } } } }
  if (next.membership?.user_id === user.id)
    next = { ...next, membership: { ...next.membership, user: { ...next.membership.user, ...user } } }
  const watcher = own(state.watchers, user.id)
  if (watcher) next = { ...next, watchers: { ...next.watchers, [user.id]: { ...watcher, ...user } } }
  const read = own(state.read, user.id)
  if (read) next = withRead(next, { ...read, user: { ...read.user, ...user } })
  return withEachMessage(next, (message) => {
    const mentioned = message.mentioned_users.some(({ id }) => id === user.id)
    if (message.user?.id !== user.id && !mentioned) return message
    return {
      ...message,
      user: message.user?.id === user.id ? { ...message.user, ...user } : message.user,
      mentioned_users: mentioned
        ? message.mentioned_users.map((other) => (other.id === user.id ? { ...other, ...user } : other))
        : message.mentioned_users,
    }
  })
}

function userDeleted(state: ChannelState, event: ChatEvent<'user.deleted'>): ChannelState {
  const next = withUser(state, event.user as User)
  if (!event.mark_messages_deleted && !event.hard_delete) return next
  const deleted_at = event.user.deleted_at ? new Date(event.user.deleted_at) : new Date(event.created_at)
  return withEachMessage(next, (message) => {
    if (message.user?.id !== event.user.id) return message
    const marked: LocalMessage = { ...message, type: 'deleted', deleted_at }
    return event.hard_delete ? { ...marked, ...nothingLeft } : marked
  })
}

const nothingLeft = {
  text: '',
  html: '',
  attachments: [],
  mentioned_users: [],
  latest_reactions: [],
  own_reactions: [],
  reaction_counts: null,
  reaction_scores: null,
  reaction_groups: null,
}

function withData(state: ChannelState, data: Partial<ChannelData>): ChannelState {
  const isSame = Object.entries(data).every(([field, value]) => state.data[field] === value)
  return isSame ? state : { ...state, data: { ...state.data, ...data } }
}

function withRead(state: ChannelState, read: ReadState): ChannelState {
  return { ...state, read: { ...state.read, [read.user.id]: read } }
}

function withoutTypist(state: ChannelState, id: string | undefined): ChannelState {
  return id !== undefined && own(state.typing, id) ? { ...state, typing: without(state.typing, id) } : state
}

function withReplies(
  state: ChannelState,
  change: (messages: readonly LocalMessage[]) => readonly LocalMessage[],
): ChannelState {
  let replies = state.replies
  for (const [parentID, messages] of Object.entries(state.replies)) {
    const changed = change(messages)
    if (changed !== messages) replies = { ...replies, [parentID]: changed }
  }
  return replies === state.replies ? state : { ...state, replies }
}

/** A pinned message joins the pinned ones, an unpinned one leaves them. */
function withPin(state: ChannelState, message: LocalMessage): ChannelState {
  const others = state.pinned_messages.filter(({ id }) => id !== message.id)
  if (!message.pinned || message.type === 'deleted')
    return others.length === state.pinned_messages.length ? state : withPinned(state, others)
  const pinned = [...others, message].sort((a, b) => (a.pinned_at?.getTime() ?? 0) - (b.pinned_at?.getTime() ?? 0))
  return withPinned(state, pinned)
}

function withPinned(state: ChannelState, pinned_messages: readonly LocalMessage[]): ChannelState {
  return pinned_messages === state.pinned_messages ? state : { ...state, pinned_messages }
}

/** Gives the messages that quote this one its new version. */
function quoting(quoted: LocalMessage): (message: LocalMessage) => LocalMessage {
  return (message) =>
    message.quoted_message_id === quoted.id ? { ...message, quoted_message: quotedCopy(quoted) } : message
}

/** A quoted message as the wire embeds it, one level deep. */
export function quotedCopy(message: LocalMessage): Message['quoted_message'] {
  const { quoted_message: _, ...fields } = wireMessage(message)
  return fields as Message['quoted_message']
}

/** An answer can be older than an event that overtook it; the version changed last stays. */
export function newer(message: LocalMessage, known: LocalMessage | undefined): LocalMessage {
  if (known?.status !== 'received') return message
  return known.updated_at > message.updated_at ? known : message
}

function withOwnReactions(message: LocalMessage, known: LocalMessage | undefined): LocalMessage {
  return { ...message, own_reactions: known?.own_reactions ?? [] }
}

/** The entry of an id; ids are text like any other, `constructor` too. */
export function own<Value>(record: Readonly<Record<string, Value>>, id: string): Value | undefined {
  return Object.hasOwn(record, id) ? record[id] : undefined
}

function without<Value>(record: Readonly<Record<string, Value>>, key: string): Readonly<Record<string, Value>> {
  const { [key]: _, ...others } = record
  return others
}
