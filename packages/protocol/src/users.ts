import Type, { type Static } from 'typebox'
import { Device, PushPreference } from './devices.ts'
import { FilterObject, Sort } from './filters.ts'
import { TEAMS_PER_USER, USERS_OFFSET_MAX, USERS_PAGE_MAX, USERS_PER_CALL } from './limits.ts'
import { actor, answer, type Custom, customBeside, hasCustom, NonEmpty, PartialUpdate, TeamName, Time } from './wire.ts'

const enabled = Type.Optional(Type.Object({ enabled: Type.Optional(Type.Boolean()) }))

/** A missing part means enabled [messaging.md 3.1]. */
export const PrivacySettings = Type.Object({
  typing_indicators: enabled,
  read_receipts: enabled,
  delivery_receipts: enabled,
})
export type PrivacySettings = Static<typeof PrivacySettings>

/** A user as all users see it, custom fields flat beside these [USR-1, messaging.md 13.1]. */
export const User = Type.Object(
  {
    id: Type.String(),
    role: Type.String(),
    created_at: Time,
    updated_at: Time,
    banned: Type.Boolean({ description: 'banned in the whole app' }),
    online: Type.Boolean(),
    name: Type.Optional(Type.String()),
    image: Type.Optional(Type.String()),
    language: Type.String({ description: 'two letters, "" when unset' }),
    teams: Type.Array(Type.String()),
    teams_role: Type.Optional(Type.Record(Type.String(), Type.String())),
    blocked_user_ids: Type.Array(Type.String(), { description: 'empty except for the own user' }),
    last_active: Type.Optional(Time),
    avg_response_time: Type.Optional(
      Type.Integer({ description: 'seconds until the user answers others, where the app wants to know' }),
    ),
    deactivated_at: Type.Optional(Time),
    deleted_at: Type.Optional(Time),
    ban_expires: Type.Optional(Time),
    invisible: Type.Optional(Type.Boolean({ description: 'own user and server side only' })),
    shadow_banned: Type.Optional(Type.Boolean({ description: 'server side only' })),
    bypass_moderation: Type.Optional(Type.Boolean({ description: 'own user and server side only' })),
    revoke_tokens_issued_before: Type.Optional(Time),
    privacy_settings: Type.Optional(PrivacySettings),
  },
  customBeside(`devices mutes channel_mutes unread_count unread_channels unread_threads total_unread_count
   total_unread_count_by_team push_preferences latest_hidden_channels`),
)
export type User = Static<typeof User> & Custom

export const Mute = Type.Object({
  user: User,
  target: User,
  created_at: Time,
  updated_at: Time,
  expires: Type.Optional(Time),
})
export type Mute = Static<typeof Mute>

export const ChannelMute = Type.Object({
  user: User,
  channel: Type.Object({ cid: Type.String() }),
  created_at: Time,
  updated_at: Time,
  expires: Type.Optional(Time),
})
export type ChannelMute = Static<typeof ChannelMute>

/** The connected user, with what only that user sees [messaging.md 13.2]. */
export const OwnUser = Type.Object(
  {
    ...User.properties,
    devices: Type.Array(Device),
    mutes: Type.Array(Mute),
    channel_mutes: Type.Array(ChannelMute),
    unread_count: Type.Integer(),
    total_unread_count: Type.Integer(),
    unread_channels: Type.Integer(),
    unread_threads: Type.Integer(),
    total_unread_count_by_team: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    push_preferences: Type.Optional(PushPreference),
    latest_hidden_channels: Type.Optional(
      Type.Array(Type.String(), { description: 'cids of channels one hid, those with the newest messages first' }),
    ),
  },
  hasCustom,
)
export type OwnUser = Static<typeof OwnUser> & Custom

/** What one may send of a user; read-only fields in it are ignored. */
export const UserRequest = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    image: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    role: Type.Optional(NonEmpty),
    teams: Type.Optional(Type.Array(TeamName, { maxItems: TEAMS_PER_USER })),
    teams_role: Type.Optional(Type.Record(Type.String(), Type.String())),
    language: Type.Optional(Type.String({ maxLength: 10 })),
    invisible: Type.Optional(Type.Boolean()),
    privacy_settings: Type.Optional(PrivacySettings),
  },
  hasCustom,
)
export type UserRequest = Static<typeof UserRequest> & Custom

export const UpdateUsersRequest = Type.Object({ users: Type.Record(Type.String(), UserRequest) })
export const UsersAnswer = answer({ users: Type.Record(Type.String(), User) })

export const UpdateUsersPartialRequest = Type.Object({
  users: Type.Array(Type.Object({ id: Type.String(), ...PartialUpdate.properties }), { minItems: 1, maxItems: 100 }),
})

export const QueryUsersPayload = Type.Object({
  filter_conditions: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: USERS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: USERS_OFFSET_MAX })),
  presence: Type.Optional(Type.Boolean()),
  include_deactivated_users: Type.Optional(Type.Boolean()),
  id_gt: Type.Optional(NonEmpty),
  id_gte: Type.Optional(NonEmpty),
  id_lt: Type.Optional(NonEmpty),
  id_lte: Type.Optional(NonEmpty),
  user_id: Type.Optional(NonEmpty),
})
export const QueryUsersAnswer = answer({ users: Type.Array(User) })

/** Blocking concerns conversations of two [messaging.md 3.5]. */
export const BlockRequest = Type.Object({ blocked_user_id: Type.String({ minLength: 1 }), ...actor })
export const BlockAnswer = answer({
  blocked_by_user_id: Type.String(),
  blocked_user_id: Type.String(),
  created_at: Time,
})
export const BlocksAnswer = answer({
  blocks: Type.Array(
    Type.Object({
      user: User,
      user_id: Type.String(),
      blocked_user: User,
      blocked_user_id: Type.String(),
      created_at: Time,
    }),
  ),
})

export const UserAnswer = answer({ user: User })
/** The work goes on in a task [administration.md 10.1]. */
export const TaskBegun = answer({ task_id: Type.String() })

const userIds = { user_ids: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: USERS_PER_CALL }) }
const deactivation = {
  mark_messages_deleted: Type.Optional(Type.Boolean()),
  mark_channels_deleted: Type.Optional(Type.Boolean({ description: 'those the user made' })),
  created_by_id: Type.Optional(NonEmpty),
}
const reactivation = {
  restore_messages: Type.Optional(Type.Boolean({ description: 'those deleted by the deactivation' })),
  restore_channels: Type.Optional(Type.Boolean()),
  name: Type.Optional(Type.String()),
  created_by_id: Type.Optional(NonEmpty),
}
export const DeactivateUserRequest = Type.Object(deactivation)
export const DeactivateUsersRequest = Type.Object({ ...userIds, ...deactivation })
export const ReactivateUserRequest = Type.Object(reactivation)
export const ReactivateUsersRequest = Type.Object({ ...userIds, ...reactivation })
export const DeleteUserQuery = Type.Object({
  mark_messages_deleted: Type.Optional(Type.String()),
  hard_delete: Type.Optional(Type.String()),
  delete_conversation_channels: Type.Optional(Type.String()),
})
/** What is absent or "" is left alone; without `user` the users are deleted softly [USR-8, USR-9, USR-10]. */
export const DeleteUsersRequest = Type.Object({
  ...userIds,
  user: Type.Optional(Type.Enum(['soft', 'hard', 'pruning', ''])),
  messages: Type.Optional(Type.Enum(['soft', 'hard', 'pruning', ''])),
  conversations: Type.Optional(Type.Enum(['soft', 'hard', ''])),
  new_channel_owner_id: Type.Optional(NonEmpty),
  files: Type.Optional(Type.Boolean({ description: 'what they uploaded goes, too' })),
})
export const RestoreUsersRequest = Type.Object(userIds)

/** The user, flat and again under `user`; messages and reactions have no user, since all are this user's. */
export const ExportUserAnswer = answer({
  ...User.properties,
  user: User,
  messages: Type.Array(Type.Object({ id: Type.String(), user: Type.Null() })),
  reactions: Type.Array(Type.Object({ message_id: Type.String(), type: Type.String(), user: Type.Null() })),
})

/** A name without a dot, and custom data. */
export const SendUserEventRequest = Type.Object({ event: Type.Object({ type: Type.String() }, hasCustom) })

export const GuestRequest = Type.Object({ user: UserRequest })
export const GuestAnswer = answer({ user: User, access_token: Type.String() })
