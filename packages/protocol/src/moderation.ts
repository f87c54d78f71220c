import Type, { type Static } from 'typebox'
import { Channel } from './channels.ts'
import { FilterObject, Sort } from './filters.ts'
import {
  BANS_PAGE_MAX,
  EXPIRATION_MS_MAX,
  FLAGS_PAGE_MAX,
  MUTES_PER_CALL,
  REVIEW_RESULT_CHARS,
  TIMEOUT_MINUTES_MAX,
} from './limits.ts'
import { Message } from './messages.ts'
import { ChannelMute, Mute, OwnUser, User } from './users.ts'
import { actor, answer, NonEmpty, refusesEmpty, Time } from './wire.ts'

/** In a channel with `type` and `id`, or `channel_cid`; else in the whole app [administration.md 6.1]. */
const scope = {
  type: Type.Optional(NonEmpty),
  id: Type.Optional(NonEmpty),
  channel_cid: Type.Optional(NonEmpty),
}
export const BanRequest = Type.Object({
  target_user_id: Type.String({ minLength: 1 }),
  ...scope,
  banned_by_id: Type.Optional(NonEmpty),
  banned_by: Type.Optional(Type.Object({ id: Type.String() })),
  timeout: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: TIMEOUT_MINUTES_MAX,
      description: 'minutes; 0 is for ever',
      ...refusesEmpty,
    }),
  ),
  reason: Type.Optional(NonEmpty),
  shadow: Type.Optional(Type.Boolean()),
  ip_ban: Type.Optional(Type.Boolean()),
  delete_messages: Type.Optional(Type.Enum(['soft', 'pruning', 'hard', ''])),
  ban_from_future_channels: Type.Optional(Type.Boolean()),
  ...actor,
})
export const UnbanQuery = Type.Object({
  target_user_id: Type.String({ minLength: 1 }),
  ...scope,
  shadow: Type.Optional(Type.String()),
  created_by: Type.Optional(Type.String()),
  remove_future_channels_ban: Type.Optional(Type.String()),
})

export const Ban = Type.Object({
  user: User,
  banned_by: Type.Optional(User),
  channel: Type.Optional(Channel),
  reason: Type.Optional(Type.String()),
  expires: Type.Optional(Time),
  shadow: Type.Optional(Type.Boolean()),
  created_at: Time,
})
export type Ban = Static<typeof Ban>
export const QueryBannedUsersPayload = Type.Object({
  filter_conditions: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: BANS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  exclude_expired_bans: Type.Optional(Type.Boolean()),
  user_id: Type.Optional(NonEmpty),
})
export const BansAnswer = answer({ bans: Type.Array(Ban) })

/** A ban from all future channels; the user is absent where the call names one. */
export const FutureBan = Type.Object({
  user: Type.Optional(User),
  banned_by: Type.Optional(User),
  reason: Type.Optional(Type.String()),
  expires: Type.Optional(Time),
  shadow: Type.Optional(Type.Boolean()),
  created_at: Time,
})
export type FutureBan = Static<typeof FutureBan>
export const QueryFutureBansPayload = Type.Object({
  user_id: Type.Optional(NonEmpty),
  target_user_id: Type.Optional(NonEmpty),
  exclude_expired_bans: Type.Optional(Type.Boolean()),
  include_total: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: BANS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
})
export const FutureBansAnswer = answer({ bans: Type.Array(FutureBan), total: Type.Optional(Type.Integer()) })

/** Exactly one target [administration.md 6.8]. */
export const FlagRequest = Type.Object({
  target_message_id: Type.Optional(NonEmpty),
  target_user_id: Type.Optional(NonEmpty),
  reason: Type.Optional(NonEmpty),
  custom: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ...actor,
})
export const Flag = Type.Object({
  user: Type.Optional(User),
  target_message_id: Type.Optional(Type.String()),
  target_message: Type.Optional(Message),
  message: Type.Optional(Message),
  target_user: Type.Optional(User),
  reason: Type.Optional(Type.String()),
  custom: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  created_by_automod: Type.Boolean({ description: 'no user flagged it' }),
  details: Type.Optional(Type.Object({ original_text: Type.String() })),
  moderation_result: Type.Optional(
    Type.Object({
      message_id: Type.String(),
      action: Type.String(),
      blocked_word: Type.Optional(Type.String()),
      blocklist_name: Type.Optional(Type.String()),
      user_karma: Type.Number(),
      user_bad_karma: Type.Boolean(),
      created_at: Time,
      updated_at: Time,
    }),
  ),
  created_at: Time,
  updated_at: Time,
  reviewed_at: Type.Optional(Time),
  reviewed_by: Type.Optional(User),
})
export type Flag = Static<typeof Flag>
export const FlagAnswer = answer({ flag: Flag })
export const QueryMessageFlagsPayload = Type.Object({
  filter_conditions: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FLAGS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  show_deleted_messages: Type.Optional(Type.Boolean()),
  user_id: Type.Optional(NonEmpty),
})
export const FlagsAnswer = answer({ flags: Type.Array(Flag) })

/** All flags of one message together [administration.md 6.10]. */
export const FlagReport = Type.Object({
  id: Type.String(),
  /** Absent once it is gone for good. */
  message: Type.Optional(Message),
  message_user_id: Type.String(),
  channel_cid: Type.String(),
  flags_count: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  review_result: Type.Optional(Type.String()),
  review_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  reviewed_at: Type.Optional(Time),
  reviewed_by: Type.Optional(User),
})
export type FlagReport = Static<typeof FlagReport>
export const QueryFlagReportsRequest = Type.Object({
  filter_conditions: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FLAGS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  ...actor,
})
export const FlagReportsAnswer = answer({ flag_reports: Type.Array(FlagReport) })
export const ReviewFlagReportRequest = Type.Object({
  review_result: Type.String({ minLength: 1, maxLength: REVIEW_RESULT_CHARS }),
  review_details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ...actor,
})
export const FlagReportAnswer = answer({ flag_report: FlagReport })

const several = Type.Array(Type.String(), { minItems: 1, maxItems: MUTES_PER_CALL })

/** Users are muted for minutes, channels for milliseconds; without a time, for ever [administration.md 6.6, 6.7]. */
export const MuteRequest = Type.Object({
  target_id: Type.Optional(NonEmpty),
  target_ids: Type.Optional(several),
  timeout: Type.Optional(Type.Integer({ minimum: 0, maximum: TIMEOUT_MINUTES_MAX, ...refusesEmpty })),
  ...actor,
})
export const MuteAnswer = answer({
  mute: Type.Optional(Mute),
  mutes: Type.Optional(Type.Array(Mute)),
  own_user: OwnUser,
  non_existing_users: Type.Optional(Type.Array(Type.String())),
})
export const UnmuteAnswer = answer({ non_existing_users: Type.Optional(Type.Array(Type.String())) })

export const MuteChannelRequest = Type.Object({
  channel_cid: Type.Optional(NonEmpty),
  channel_cids: Type.Optional(several),
  expiration: Type.Optional(Type.Integer({ minimum: 0, maximum: EXPIRATION_MS_MAX, ...refusesEmpty })),
  ...actor,
})
export const MuteChannelAnswer = answer({
  channel_mute: ChannelMute,
  channel_mutes: Type.Optional(Type.Array(ChannelMute, { description: 'of all of `channel_cids`' })),
  own_user: OwnUser,
})
export type MuteChannelRequest = Static<typeof MuteChannelRequest>
