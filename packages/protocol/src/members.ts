import Type, { type Static } from 'typebox'
import { FilterObject, Sort } from './filters.ts'
import { MEMBERS_PAGE_MAX, QUERIED_MEMBERS_OFFSET_MAX } from './limits.ts'
import { User } from './users.ts'
import { actor, answer, type Custom, hasCustom, NonEmpty, PartialUpdate, Time } from './wire.ts'

/** A member of a channel, custom fields flat beside these [MEM-1, messaging.md 13.6]. */
export const Member = Type.Object(
  {
    user_id: Type.String(),
    user: User,
    created_at: Time,
    updated_at: Time,
    banned: Type.Boolean(),
    shadow_banned: Type.Boolean(),
    channel_role: Type.String(),
    notifications_muted: Type.Boolean(),
    deleted_messages: Type.Optional(Type.Array(Type.String(), { description: 'own: ids deleted for oneself alone' })),
    archived: Type.Boolean(),
    pinned: Type.Boolean(),
    role: Type.Optional(Type.String({ description: 'legacy: owner, moderator, admin or member' })),
    is_moderator: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.String({ description: 'member, pending, accepted or rejected' })),
    invited: Type.Optional(Type.Boolean()),
    invite_accepted_at: Type.Optional(Time),
    invite_rejected_at: Type.Optional(Time),
    ban_expires: Type.Optional(Time),
    pinned_at: Type.Optional(Time),
    archived_at: Type.Optional(Time),
  },
  hasCustom,
)
export type Member = Static<typeof Member> & Custom

const channel_role = Type.Optional(NonEmpty)

/**
 * A member is named by the user's id, or with a role and custom fields. The app's server may describe the user in place
 * of the id.
 */
export const MemberRequest = Type.Union([
  Type.String(),
  Type.Object({ user_id: Type.String({ minLength: 1 }), channel_role }, hasCustom),
  Type.Object({ user: Type.Object({ id: Type.String() }, hasCustom), channel_role }, hasCustom),
])
export type MemberRequest = string | (({ user_id: string } | { user: { id: string } }) & MemberFields)
type MemberFields = { channel_role?: string } & Custom

/** `pinned` and `archived` affect only the user's own view of the channel [MEM-26]. */
export const UpdateMemberRequest = Type.Object({ ...PartialUpdate.properties, ...actor })
export const UpdateMemberAnswer = answer({ channel_member: Member })

/** The channel is named by its id, or by just the members it was made from [messaging.md 4.10]. */
export const QueryMembersPayload = Type.Object({
  type: Type.String(),
  id: Type.Optional(NonEmpty),
  members: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Object({ user_id: Type.String() })]))),
  filter_conditions: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MEMBERS_PAGE_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: QUERIED_MEMBERS_OFFSET_MAX })),
  user_id_gt: Type.Optional(NonEmpty),
  user_id_gte: Type.Optional(NonEmpty),
  user_id_lt: Type.Optional(NonEmpty),
  user_id_lte: Type.Optional(NonEmpty),
  created_at_after: Type.Optional(Time),
  created_at_after_or_equal: Type.Optional(Time),
  created_at_before: Type.Optional(Time),
  created_at_before_or_equal: Type.Optional(Time),
  ...actor,
})
export const QueryMembersAnswer = answer({ members: Type.Array(Member) })
