import Type, { type Static } from 'typebox'
import { REACTION_TYPE_CHARS } from './limits.ts'
import { User } from './users.ts'
import { actor, type Custom, hasCustom, Time } from './wire.ts'

/** One user's reaction of one type on one message [messaging.md 13.7]. */
export const Reaction = Type.Object(
  {
    message_id: Type.String(),
    user_id: Type.String(),
    user: Type.Optional(User),
    type: Type.String(),
    score: Type.Integer(),
    created_at: Time,
    updated_at: Time,
  },
  hasCustom,
)
export type Reaction = Static<typeof Reaction> & Custom

/** Per type: how many, their scores, and when the first and last came [RXN-13]. */
export const ReactionGroup = Type.Object({
  count: Type.Integer(),
  sum_scores: Type.Integer(),
  first_reaction_at: Time,
  last_reaction_at: Time,
})
export type ReactionGroup = Static<typeof ReactionGroup>

export const SendReactionRequest = Type.Object({
  reaction: Type.Object(
    {
      type: Type.String({ minLength: 1, maxLength: REACTION_TYPE_CHARS }),
      score: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      ...actor,
    },
    hasCustom,
  ),
  enforce_unique: Type.Optional(Type.Boolean()),
  skip_push: Type.Optional(Type.Boolean()),
  ...actor,
})
