/** Sets of users or channels that campaigns go to; for the app's server alone [administration.md 12.1]. */
import Type, { type Static } from 'typebox'
import { FilterObject, Sort } from './filters.ts'
import {
  SEGMENT_DESCRIPTION_CHARS,
  SEGMENT_ID_CHARS,
  SEGMENT_NAME_CHARS,
  SEGMENT_TARGETS_PAGE_MAX,
  SEGMENT_TARGETS_PER_CALL,
  SEGMENTS_PAGE_MAX,
} from './limits.ts'
import { answer, cursors, Time, UserId } from './wire.ts'

export const SegmentType = Type.Enum(['user', 'channel'])
export type SegmentType = Static<typeof SegmentType>

/** At most one of `filter`, `all_users` and `all_sender_channels` selects its targets; else targets are added by hand. */
export const Segment = Type.Object({
  id: Type.String(),
  type: SegmentType,
  name: Type.String(),
  description: Type.String(),
  filter: Type.Union([FilterObject, Type.Null()]),
  all_users: Type.Boolean(),
  all_sender_channels: Type.Boolean(),
  size: Type.Integer({ description: 'targets; counted in the background where a filter selects them' }),
  created_at: Time,
  updated_at: Time,
  deleted_at: Type.Optional(Time),
  task_id: Type.Optional(Type.String({ description: 'of the count under way' })),
})
export type Segment = Static<typeof Segment>

const fields = {
  name: Type.Optional(Type.String({ maxLength: SEGMENT_NAME_CHARS })),
  description: Type.Optional(Type.String({ maxLength: SEGMENT_DESCRIPTION_CHARS })),
  filter: Type.Optional(Type.Union([FilterObject, Type.Null()])),
}
export const CreateSegmentRequest = Type.Object({
  ...fields,
  type: SegmentType,
  id: Type.Optional(Type.String({ minLength: 1, maxLength: SEGMENT_ID_CHARS })),
  all_users: Type.Optional(Type.Boolean()),
  all_sender_channels: Type.Optional(Type.Boolean()),
})
/** What is left out stays; a filter of null is none. */
export const UpdateSegmentRequest = Type.Object(fields)
export const SegmentAnswer = answer({ segment: Segment })

export const QuerySegmentsRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SEGMENTS_PAGE_MAX })),
  ...cursors,
})
export const SegmentsAnswer = answer({ segments: Type.Array(Segment), ...cursors })

/** A cid is no longer than the id of a user may be. */
const target = UserId
/** Ids of users, or cids of channels. */
export const SegmentTargetsRequest = Type.Object({
  target_ids: Type.Array(target, { minItems: 1, maxItems: SEGMENT_TARGETS_PER_CALL }),
})

/** A user, by id, or a channel, by cid. */
export const SegmentTarget = Type.Object({
  segment_id: Type.String(),
  target_id: Type.String(),
  app_pk: Type.Integer({ description: 'the id of the app' }),
  created_at: Time,
})
export type SegmentTarget = Static<typeof SegmentTarget>

export const QuerySegmentTargetsRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  Filter: Type.Optional(Type.Union([FilterObject, Type.Null()], { description: 'as some clients write it' })),
  Sort: Type.Optional(Type.Union([Sort, Type.Null()], { description: 'as some clients write it' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: SEGMENT_TARGETS_PAGE_MAX })),
  ...cursors,
})
export const SegmentTargetsAnswer = answer({ targets: Type.Array(SegmentTarget), ...cursors })
