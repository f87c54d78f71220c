import Type, { type Static } from 'typebox'
import { DELIVERED_PER_CALL, USERS_PER_CALL } from './limits.ts'
import { User } from './users.ts'
import { actor, answer, NonEmpty, Time } from './wire.ts'

/** How far one member has read [READ-1, messaging.md 10.2]. */
export const Read = Type.Object({
  user: User,
  last_read: Time,
  last_read_message_id: Type.Optional(Type.String()),
  unread_messages: Type.Integer(),
  last_delivered_at: Type.Optional(Time),
  last_delivered_message_id: Type.Optional(Type.String()),
})
export type Read = Static<typeof Read>

/** The receiving user's totals, on every event that changes them [READ-18]. */
export const unreadTotals = {
  unread_count: Type.Optional(Type.Integer({ description: 'equals total_unread_count' })),
  total_unread_count: Type.Optional(Type.Integer()),
  unread_channels: Type.Optional(Type.Integer()),
}

export const MarkReadRequest = Type.Object({
  message_id: Type.Optional(NonEmpty),
  thread_id: Type.Optional(NonEmpty),
  ...actor,
})

export const MarkUnreadRequest = Type.Object({
  message_id: Type.Optional(NonEmpty),
  message_timestamp: Type.Optional(Time),
  thread_id: Type.Optional(NonEmpty),
  ...actor,
})

/** Nothing named marks every channel; an empty id marks the whole channel. */
export const MarkChannelsReadRequest = Type.Object({
  read_by_channel: Type.Optional(Type.Record(Type.String(), Type.String())),
  ...actor,
})

/** The newest message of each channel that has reached the user. */
export const MarkDeliveredRequest = Type.Object({
  latest_delivered_messages: Type.Array(Type.Object({ cid: Type.String(), id: Type.String() }), {
    minItems: 1,
    maxItems: DELIVERED_PER_CALL,
  }),
  ...actor,
})

const unreadCounts = {
  total_unread_count: Type.Integer(),
  total_unread_count_by_team: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  total_unread_threads_count: Type.Integer(),
  channels: Type.Array(
    Type.Object({
      channel_id: Type.String({ description: 'the full cid' }),
      unread_count: Type.Integer(),
      last_read: Time,
    }),
  ),
  channel_type: Type.Array(
    Type.Object({ channel_type: Type.String(), channel_count: Type.Integer(), unread_count: Type.Integer() }),
  ),
  threads: Type.Array(
    Type.Object({
      parent_message_id: Type.String(),
      unread_count: Type.Integer(),
      last_read: Time,
      last_read_message_id: Type.Optional(Type.String()),
    }),
  ),
}
const UnreadCounts = Type.Object(unreadCounts)
export type UnreadCounts = Static<typeof UnreadCounts>

export const UnreadAnswer = answer(unreadCounts)
export type UnreadAnswer = Static<typeof UnreadAnswer>

/** Server side; users that do not exist are left out of the answer. */
export const UnreadBatchRequest = Type.Object({
  user_ids: Type.Array(Type.String(), { minItems: 1, maxItems: USERS_PER_CALL }),
})
export const UnreadBatchAnswer = answer({ counts_by_user: Type.Record(Type.String(), UnreadCounts) })
