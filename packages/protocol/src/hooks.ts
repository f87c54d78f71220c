import Type, { type Static } from 'typebox'
import { CampaignEvent } from './campaigns.ts'
import { ChannelBatchEvent } from './channel-batches.ts'
import { Channel } from './channels.ts'
import { ExportDone, ExportFailed } from './exports.ts'
import { PENDING_DAYS_MAX, REMINDER_MESSAGES } from './limits.ts'
import { Member } from './members.ts'
import { Message } from './messages.ts'
import { User } from './users.ts'
import { Time } from './wire.ts'

/** The webhook events of conversations [administration.md 13.4]. */
export const chatHookEvents = [
  ...['message.new', 'message.updated', 'message.deleted', 'message.undeleted', 'message.read', 'message.flagged'],
  ...['message.unblocked', 'message.pending', 'reaction.new', 'reaction.updated', 'reaction.deleted'],
  ...['member.added', 'member.updated', 'member.removed', 'channel.created', 'channel.updated', 'channel.deleted'],
  ...['channel.truncated', 'channel.hidden', 'channel.visible', 'channel.muted', 'channel.unmuted'],
  ...['channel.frozen', 'channel.unfrozen', 'user.updated', 'user.deactivated', 'user.reactivated', 'user.deleted'],
  ...['user.banned', 'user.unbanned', 'user.muted', 'user.unmuted', 'user.flagged', 'user.messages.deleted'],
  ...['user.unread_message_reminder', 'thread.updated', 'poll.updated', 'poll.closed', 'poll.deleted'],
  ...['poll.vote_casted', 'poll.vote_changed', 'poll.vote_removed', 'reminder.created', 'reminder.updated'],
  ...['reminder.deleted', 'notification.reminder_due', 'notification.mark_unread', 'notification.thread_message_new'],
  ...['flag.updated', 'campaign.started', 'campaign.completed', 'export.users.success', 'export.users.error'],
  ...['export.channels.success', 'export.channels.error', 'channel_batch_update.started'],
  ...['channel_batch_update.completed'],
] as const

/** The webhook events of moderation [administration.md 7.8]. */
export const moderationHookEvents = [
  ...['review_queue_item.new', 'review_queue_item.updated', 'moderation_check.completed', 'moderation.flagged'],
  ...['moderation.mark_reviewed', 'moderation.custom_action'],
] as const

/** A user has left messages unread for long; an app can send an email about it [administration.md 14.6]. */
export const UnreadMessageReminder = Type.Object({
  created_at: Time,
  user: User,
  channels: Type.Record(
    Type.String(),
    Type.Object({
      channel: Type.Object({ ...Channel.properties, members: Type.Array(Member) }),
      messages: Type.Array(Message, { minItems: 1, maxItems: REMINDER_MESSAGES }),
    }),
    { description: 'by cid' },
  ),
})
export type UnreadMessageReminder = Static<typeof UnreadMessageReminder>

/** Events that go through no socket, by name, as far as they have a shape of their own. */
export const hookEvents = {
  'user.unread_message_reminder': UnreadMessageReminder,
  'campaign.started': CampaignEvent,
  'campaign.completed': CampaignEvent,
  'export.channels.success': ExportDone,
  'export.channels.error': ExportFailed,
  'export.users.success': ExportDone,
  'export.users.error': ExportFailed,
  'channel_batch_update.started': ChannelBatchEvent,
  'channel_batch_update.completed': ChannelBatchEvent,
} as const

/** Whether the app's server is called about a message that waits. */
export const PendingCallback = Type.Object({
  mode: Type.Optional(Type.Enum(['CALLBACK_MODE_NONE', 'CALLBACK_MODE_REST'])),
})

/** How long a message may wait. */
export const PendingTimeout = Type.Integer({
  minimum: 1_000,
  maximum: PENDING_DAYS_MAX * 86_400_000,
  description: 'ms',
})

/** What such a call is about [administration.md 13.8]. */
export type PendingMethod = 'PassOnPendingMessage' | 'DeletedPendingMessage'

const settable = {
  hook_type: Type.Enum(['webhook', 'sqs', 'sns', 'pending_message']),
  enabled: Type.Boolean(),
  /** Empty for all, those of later versions too. */
  event_types: Type.Array(Type.String(), { maxItems: 200 }),
  product: Type.Optional(Type.Enum(['all', 'chat', 'video', 'moderation', 'feeds'])),
  webhook_url: Type.Optional(Type.String()),
  timeout_ms: Type.Optional(PendingTimeout),
  callback: Type.Optional(PendingCallback),
  should_send_custom_events: Type.Optional(Type.Boolean()),
  push_recipients: Type.Optional(
    Type.Enum(['all', 'offline'], {
      description:
        'add to message.new the ids of those who are to be notified, or of those among them who are not connected',
    }),
  ),
  sqs_queue_url: Type.Optional(Type.String()),
  sqs_region: Type.Optional(Type.String()),
  sqs_auth_type: Type.Optional(Type.Enum(['keys', 'resource'])),
  sqs_key: Type.Optional(Type.String()),
  sqs_secret: Type.Optional(Type.String()),
  sqs_role_arn: Type.Optional(Type.String()),
  sns_topic_arn: Type.Optional(Type.String()),
  sns_region: Type.Optional(Type.String()),
  sns_auth_type: Type.Optional(Type.Enum(['keys', 'resource'])),
  sns_key: Type.Optional(Type.String()),
  sns_secret: Type.Optional(Type.String()),
  sns_role_arn: Type.Optional(Type.String()),
}

/** Where events of an app go besides the sockets [administration.md 13.1]. */
export const EventHook = Type.Object({ id: Type.String(), ...settable, created_at: Time, updated_at: Time })
export type EventHook = Static<typeof EventHook>

/** One that is known by its id keeps the time it was made; without an id it is a new one. */
export const EventHookRequest = Type.Object({
  ...settable,
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  enabled: Type.Optional(Type.Boolean()),
  event_types: Type.Optional(Type.Union([settable.event_types, Type.Null()])),
})
export type EventHookRequest = Static<typeof EventHookRequest>

/** Of the call that caused an event [administration.md 13.5]. */
export interface RequestInfo {
  type: 'client' | 'server'
  ip: string
  user_agent: string
  sdk: string
  ext?: string
}
