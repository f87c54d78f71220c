import Type, { type Static } from 'typebox'
import { Channel } from './channels.ts'
import { FilterObject, Sort } from './filters.ts'
import { MEMBERS_PAGE_MAX, THREAD_PARTICIPANTS, THREAD_REPLIES_MAX, THREADS_PAGE_MAX } from './limits.ts'
import { Message, OwnDraft } from './messages.ts'
import { Read } from './reads.ts'
import { User } from './users.ts'
import { actor, answer, type Custom, cursors, hasCustom, PartialUpdate, Time } from './wire.ts'

/** A user who replied in a thread, or wrote its parent message [THR-31]. */
export const ThreadParticipant = Type.Object({
  channel_cid: Type.String(),
  thread_id: Type.String(),
  user_id: Type.String(),
  user: User,
  created_at: Time,
  last_read_at: Time,
  last_thread_message_at: Type.Optional(Time),
  left_thread_at: Type.Optional(Time),
})
export type ThreadParticipant = Static<typeof ThreadParticipant>

/** A thread has the id of its parent message; custom fields are flat beside these [THR-1, messaging.md 6.1]. */
export const Thread = Type.Object(
  {
    channel_cid: Type.String(),
    channel: Channel,
    parent_message_id: Type.String(),
    parent_message: Message,
    created_by_user_id: Type.String({ description: 'the author of the first reply' }),
    created_by: User,
    title: Type.String(),
    reply_count: Type.Integer(),
    participant_count: Type.Integer(),
    active_participant_count: Type.Integer(),
    thread_participants: Type.Array(ThreadParticipant, { description: 'newest first' }),
    latest_replies: Type.Array(Message, { description: 'oldest first' }),
    read: Type.Array(Read),
    last_message_at: Time,
    created_at: Time,
    updated_at: Time,
    deleted_at: Type.Optional(Time),
    draft: Type.Optional(OwnDraft),
  },
  hasCustom,
)
export type Thread = Static<typeof Thread> & Custom

export const QueryThreadsRequest = Type.Object({
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: THREADS_PAGE_MAX })),
  ...cursors,
  reply_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: THREAD_REPLIES_MAX })),
  participant_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: THREAD_PARTICIPANTS })),
  member_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MEMBERS_PAGE_MAX })),
  watch: Type.Optional(Type.Boolean()),
  ...actor,
})
export const ThreadsAnswer = answer({
  threads: Type.Array(Thread),
  ...cursors,
})

export const GetThreadQuery = Type.Object({
  reply_limit: Type.Optional(Type.String()),
  participant_limit: Type.Optional(Type.String()),
  member_limit: Type.Optional(Type.String()),
  watch: Type.Optional(Type.String()),
})
export const UpdateThreadRequest = Type.Object({ ...PartialUpdate.properties, ...actor })
export const ThreadAnswer = answer({ thread: Thread })
