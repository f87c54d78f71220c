/**
 * Everything the server may push, by name. Channel events carry `cid`, `channel_id` and `channel_type`.
 * @see messaging.md 9
 */
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Channel } from './channels.ts'
import { PushPreference } from './devices.ts'
import { chatHookEvents, moderationHookEvents } from './hooks.ts'
import { Member } from './members.ts'
import { Message, OwnDraft } from './messages.ts'
import { Poll, PollVote } from './polls.ts'
import { Reaction } from './reactions.ts'
import { unreadTotals } from './reads.ts'
import { Reminder } from './reminders.ts'
import { Thread } from './threads.ts'
import { OwnUser, User } from './users.ts'
import { type Custom, Time } from './wire.ts'

const inChannel = {
  created_at: Time,
  cid: Type.String(),
  channel_id: Type.String(),
  channel_type: Type.String(),
  channel_last_message_at: Type.Optional(Time),
  channel_member_count: Type.Optional(Type.Integer()),
  channel_custom: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'custom data, name and image' }),
  ),
  channel_message_count: Type.Optional(Type.Integer()),
  team: Type.Optional(Type.String()),
}
const channelEvent = <const Fields extends TProperties>(fields: Fields) => Type.Object({ ...inChannel, ...fields })
const messageEvent = { message: Message, message_id: Type.String(), user: Type.Optional(User) }
/** No push is sent, whatever the preferences of the recipients. */
const skipPush = { skip_push: Type.Optional(Type.Boolean()) }
/** Whom a reply concerns [messaging.md 6.4]. */
const replyEvent = { parent_author: Type.Optional(User), thread_participants: Type.Optional(Type.Array(User)) }
const threadTotals = {
  unread_threads: Type.Optional(Type.Integer()),
  unread_thread_messages: Type.Optional(Type.Integer()),
}
const pollEvent = { poll: Poll, message_id: Type.Optional(Type.String()) }
const reminderEvent = {
  message_id: Type.String(),
  user_id: Type.String(),
  parent_id: Type.Optional(Type.String()),
  reminder: Reminder,
}
const reactionEvent = {
  ...messageEvent,
  ...skipPush,
  reaction: Reaction,
  thread_participants: Type.Optional(Type.Array(User)),
}

const ban = {
  created_at: Time,
  user: User,
  cid: Type.Optional(Type.String()),
  channel_id: Type.Optional(Type.String()),
  channel_type: Type.Optional(Type.String()),
  created_by: Type.Optional(User),
  shadow: Type.Boolean(),
}

const messageEvents = {
  /** The first frame, and the heartbeat of an idle socket. Only the first one has `me`. */
  'health.check': Type.Object({
    created_at: Time,
    connection_id: Type.String(),
    cid: Type.Literal('*'),
    me: Type.Optional(OwnUser),
  }),

  /** Someone posted. The counts are those of the user receiving this event. */
  'message.new': channelEvent({
    ...messageEvent,
    ...replyEvent,
    ...skipPush,
    watcher_count: Type.Optional(Type.Integer()),
    ...unreadTotals,
  }),
  /** To members who do not watch the channel, in place of `message.new`. */
  'notification.message_new': channelEvent({
    ...messageEvent,
    ...skipPush,
    channel: Channel,
    watcher_count: Type.Optional(Type.Integer()),
    ...unreadTotals,
  }),
  /** A reply was posted in a thread one takes part in. */
  'notification.thread_message_new': channelEvent({
    ...messageEvent,
    ...replyEvent,
    channel: Channel,
    thread_id: Type.String(),
    watcher_count: Type.Optional(Type.Integer()),
    unread_threads: Type.Integer(),
    unread_thread_messages: Type.Integer(),
  }),
  'message.updated': channelEvent(messageEvent),
  /** `hard_delete` removes the message; else it stays as a tombstone. */
  'message.deleted': channelEvent({
    ...messageEvent,
    hard_delete: Type.Boolean(),
    deleted_for_me: Type.Optional(Type.Boolean({ description: 'to the own connections alone' })),
    ...unreadTotals,
  }),
  'message.undeleted': channelEvent({ ...messageEvent, ...unreadTotals }),

  /** A member has read up to `last_read_message_id`, at `created_at`. The totals go to the reader alone. */
  'message.read': channelEvent({
    user: User,
    last_read_message_id: Type.Optional(Type.String()),
    thread: Type.Optional(Thread),
    ...unreadTotals,
  }),
  /** Without `cid`: every channel was marked read. */
  'notification.mark_read': Type.Object({
    created_at: Time,
    cid: Type.Optional(Type.String()),
    channel_id: Type.Optional(Type.String()),
    channel_type: Type.Optional(Type.String()),
    user: User,
    last_read_message_id: Type.Optional(Type.String()),
    thread_id: Type.Optional(Type.String()),
    thread: Type.Optional(Thread),
    ...threadTotals,
    ...unreadTotals,
  }),
  /** A message has reached a member's device. */
  'message.delivered': channelEvent({ user: User, last_delivered_at: Time, last_delivered_message_id: Type.String() }),
  'notification.mark_unread': channelEvent({
    user: User,
    first_unread_message_id: Type.String(),
    last_read_at: Time,
    last_read_message_id: Type.Optional(Type.String()),
    unread_messages: Type.Integer(),
    thread_id: Type.Optional(Type.String()),
    channel: Type.Optional(Channel),
    ...threadTotals,
    ...unreadTotals,
  }),

  /** The title or the own fields of a thread changed. */
  'thread.updated': channelEvent({ thread: Thread, user: Type.Optional(User) }),

  /** To the author's own connections. */
  'draft.updated': channelEvent({ draft: OwnDraft }),
  'draft.deleted': channelEvent({ parent_id: Type.Optional(Type.String()), draft: OwnDraft }),

  /** To the owner's own connections. */
  'reminder.created': channelEvent(reminderEvent),
  'reminder.updated': channelEvent(reminderEvent),
  'reminder.deleted': channelEvent(reminderEvent),
  'notification.reminder_due': channelEvent(reminderEvent),
} as const satisfies Record<string, TSchema>

const reactionEvents = {
  'reaction.new': channelEvent(reactionEvent),
  /** `enforce_unique` replaced the user's other reactions on the message. */
  'reaction.updated': channelEvent(reactionEvent),
  'reaction.deleted': channelEvent(reactionEvent),

  'poll.updated': channelEvent(pollEvent),
  /** The poll has ended. */
  'poll.closed': channelEvent(pollEvent),
  /** Of the poll only its id and its creator are left; messages show without it. */
  'poll.deleted': channelEvent({ ...pollEvent, user: Type.Optional(User) }),
  /** In an anonymous poll the voter receives it a second time, with the name. */
  'poll.vote_casted': channelEvent({ ...pollEvent, poll_vote: PollVote }),
  'poll.vote_changed': channelEvent({ ...pollEvent, poll_vote: PollVote }),
  'poll.vote_removed': channelEvent({ ...pollEvent, poll_vote: PollVote }),

  /** Sent at most every 2 s per typist; forget it after 7 s of silence. */
  'typing.start': channelEvent({ user: User, parent_id: Type.Optional(Type.String()) }),
  'typing.stop': channelEvent({ user: User, parent_id: Type.Optional(Type.String()) }),
} as const satisfies Record<string, TSchema>

const channelEvents = {
  'channel.updated': channelEvent({
    channel: Channel,
    user: Type.Optional(User),
    message: Type.Optional(Message),
    message_id: Type.Optional(Type.String()),
  }),
  'channel.deleted': channelEvent({ channel: Channel, user: Type.Optional(User), ...unreadTotals }),
  'notification.channel_deleted': channelEvent({ channel: Channel, user: Type.Optional(User), ...unreadTotals }),
  /** History before `channel.truncated_at` is gone; all of it when that is absent. */
  'channel.truncated': channelEvent({
    channel: Channel,
    user: Type.Optional(User),
    message: Type.Optional(Message),
    ...unreadTotals,
  }),
  'notification.channel_truncated': channelEvent({
    channel: Channel,
    user: Type.Optional(User),
    message: Type.Optional(Message),
    ...unreadTotals,
  }),
  'channel.hidden': channelEvent({ channel: Channel, user: User, clear_history: Type.Boolean(), ...unreadTotals }),
  'channel.visible': channelEvent({ channel: Channel, user: User }),
  'capabilities.changed': channelEvent({
    own_capabilities: Type.Array(Type.String()),
    channel: Type.Optional(Channel),
  }),

  'member.added': channelEvent({ member: Member, user: User, channel: Type.Optional(Channel) }),
  'member.updated': channelEvent({ member: Member, user: User, channel: Type.Optional(Channel) }),
  'member.removed': channelEvent({ member: Member, user: User, channel: Type.Optional(Channel) }),
  /** To a user who was added, on connections that do not watch the channel. */
  'notification.added_to_channel': channelEvent({ channel: Channel, member: Member, ...unreadTotals }),
  'notification.invited': channelEvent({ channel: Channel, member: Member, user: User }),
  'notification.invite_accepted': channelEvent({ channel: Channel, member: Member, user: User }),
  'notification.invite_rejected': channelEvent({ channel: Channel, member: Member, user: User }),
  /** To all connections of a user who was removed; their watching ends with it. */
  'notification.removed_from_channel': channelEvent({ channel: Channel, member: Member, user: User, ...unreadTotals }),

  'user.watching.start': channelEvent({ user: User, watcher_count: Type.Integer() }),
  'user.watching.stop': channelEvent({ user: User, watcher_count: Type.Integer() }),
} as const satisfies Record<string, TSchema>

const userEvents = {
  'user.presence.changed': Type.Object({ created_at: Time, user: User }),
  /** Sent to a user's other devices when one of them sets `push_preferences`. */
  'user.updated': Type.Object({
    created_at: Time,
    user: Type.Object({ ...User.properties, push_preferences: Type.Optional(PushPreference) }),
  }),
  'user.deleted': Type.Object({
    created_at: Time,
    user: User,
    mark_messages_deleted: Type.Boolean(),
    hard_delete: Type.Boolean(),
    delete_conversation_channels: Type.Optional(Type.Boolean()),
    delete_user: Type.Optional(Type.String()),
    delete_messages: Type.Optional(Type.String()),
    delete_conversation: Type.Optional(Type.String()),
  }),
  /** All that a user wrote in the channel, or, without `cid`, anywhere, is deleted; `hard_delete` removes it. */
  'user.messages.deleted': Type.Object({
    ...inChannel,
    cid: Type.Optional(Type.String()),
    channel_id: Type.Optional(Type.String()),
    channel_type: Type.Optional(Type.String()),
    user: User,
    soft_delete: Type.Boolean(),
    hard_delete: Type.Boolean(),
    ...unreadTotals,
  }),
  /** With `cid`: banned in that channel. */
  'user.banned': Type.Object({
    ...ban,
    reason: Type.Optional(Type.String()),
    expiration: Type.Optional(Time),
    total_bans: Type.Optional(Type.Integer({ description: 'that hold, in channels and in the app' })),
  }),
  'user.unbanned': Type.Object(ban),
  'notification.mutes_updated': Type.Object({ created_at: Time, me: OwnUser, ...unreadTotals }),
  'notification.channel_mutes_updated': Type.Object({ created_at: Time, me: OwnUser, ...unreadTotals }),
} as const satisfies Record<string, TSchema>

/** In parts, since what TypeScript writes down of one type must not be too long. */
export const chatEvents: typeof messageEvents & typeof reactionEvents & typeof channelEvents & typeof userEvents = {
  ...messageEvents,
  ...reactionEvents,
  ...channelEvents,
  ...userEvents,
}

/** Name → payload; all else is derived from it. */
export type ChatEvents = { [Name in keyof typeof chatEvents]: Static<(typeof chatEvents)[Name]> & Custom }
export type ChatEventName = keyof ChatEvents
export type ChatEvent<Name extends ChatEventName = ChatEventName> = {
  [N in Name]: { type: N } & ChatEvents[N]
}[Name]

/** What a client may post to `/event` besides events of the app's own [messaging.md 4.15]. */
export const clientEventNames: readonly string[] = [
  'typing.start',
  'typing.stop',
  'ai_indicator.update',
  'ai_indicator.clear',
  'ai_indicator.stop',
]

/** Built-in names that never go through a socket: webhooks deliver them, and only this server may publish them. */
const reservedNames: ReadonlySet<string> = new Set([...chatHookEvents, ...moderationHookEvents])

/** An event of the app's own cannot take the name of a built-in one [ERR-12]. */
export function isBuiltInEvent(type: string): boolean {
  return (
    Object.hasOwn(chatEvents, type) ||
    reservedNames.has(type) ||
    /^(poll|draft|reminder|thread|notification|connection|export|ai_indicator|channel_batch_update)\./.test(type)
  )
}
