import Type, { type Static } from 'typebox'
import { ConfigOverrides } from './channel-types.ts'
import { MEMBERS_PER_CALL } from './limits.ts'
import { NonEmpty, SomeTeamName, Time } from './wire.ts'

/** What is done to each of many channels [administration.md 10.3]. */
const operation = Type.Enum([
  'addMembers',
  'removeMembers',
  'inviteMembers',
  'addModerators',
  'demoteModerators',
  'assignRoles',
  'hide',
  'show',
  'archive',
  'unarchive',
  'updateData',
])

/** One of some, or just one: a list by itself could mean either. */
const among = Type.Optional(
  Type.Union([
    Type.Object({ $eq: NonEmpty }, { additionalProperties: false }),
    Type.Object({ $in: Type.Array(NonEmpty, { maxItems: 1_000 }) }, { additionalProperties: false }),
  ]),
)

export const ChannelBatchRequest = Type.Object({
  operation,
  filter: Type.Object(
    { cids: among, types: among, filter_tags: among },
    { additionalProperties: false, minProperties: 1 },
  ),
  members: Type.Optional(
    Type.Array(Type.Object({ user_id: NonEmpty, channel_role: Type.Optional(NonEmpty) }), {
      maxItems: MEMBERS_PER_CALL,
    }),
  ),
  data: Type.Optional(
    Type.Object({
      frozen: Type.Optional(Type.Boolean()),
      disabled: Type.Optional(Type.Boolean()),
      custom: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      team: Type.Optional(SomeTeamName),
      config_overrides: Type.Optional(ConfigOverrides),
      auto_translation_enabled: Type.Optional(Type.Boolean()),
      auto_translation_language: Type.Optional(Type.String()),
    }),
  ),
})
export type ChannelBatchRequest = Static<typeof ChannelBatchRequest>

/** Channels that were left as they are, all for the same reason. */
export const FailedChannels = Type.Object({ reason: Type.String(), cids: Type.Array(Type.String()) })
export type FailedChannels = Static<typeof FailedChannels>

/** The webhook events when the work begins, and when it is over. */
export const ChannelBatchEvent = Type.Object({
  task_id: Type.String(),
  operation,
  status: Type.Enum(['running', 'completed', 'failed']),
  success_channels_count: Type.Integer(),
  failed_channels: Type.Array(FailedChannels),
  batch_created_at: Time,
  finished_at: Type.Optional(Time),
  created_at: Time,
})
