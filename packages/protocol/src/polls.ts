import Type, { type Static } from 'typebox'
import { FilterObject, Sort } from './filters.ts'
import { POLL_OPTIONS, POLL_TEXT_CHARS, POLLS_PAGE_MAX, VOTES_PER_USER } from './limits.ts'
import { User } from './users.ts'
import { actor, answer, type Custom, cursors, customBeside, hasCustom, NonEmpty, PartialUpdate, Time } from './wire.ts'

const text = Type.String({ minLength: 1, maxLength: POLL_TEXT_CHARS })

/** An option of a poll; custom fields are flat beside these. */
export const PollOption = Type.Object({ id: Type.String(), text: Type.String() }, hasCustom)
export type PollOption = Static<typeof PollOption> & Custom

/** A vote for an option, or an answer in the voter's own words [POL-3, messaging.md 7.1]. */
export const PollVote = Type.Object({
  id: Type.String(),
  poll_id: Type.String(),
  option_id: Type.String({ description: 'empty for an answer' }),
  is_answer: Type.Optional(Type.Boolean()),
  answer_text: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String({ description: 'in an anonymous poll sent to the voter only' })),
  user: Type.Optional(User),
  created_at: Time,
  updated_at: Time,
})
export type PollVote = Static<typeof PollVote>

export const VotingVisibility = Type.Union([Type.Literal('public'), Type.Literal('anonymous')])
export type VotingVisibility = Static<typeof VotingVisibility>

/** A poll, custom fields flat beside these [POL-2, messaging.md 7.1]. */
export const Poll = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    voting_visibility: VotingVisibility,
    enforce_unique_vote: Type.Boolean(),
    max_votes_allowed: Type.Union([Type.Integer(), Type.Null()]),
    allow_user_suggested_options: Type.Boolean(),
    allow_answers: Type.Boolean(),
    is_closed: Type.Boolean(),
    options: Type.Array(PollOption),
    vote_count: Type.Integer({ description: 'votes for options; answers are not among them' }),
    vote_counts_by_option: Type.Record(Type.String(), Type.Integer(), { description: 'options that have votes' }),
    latest_votes_by_option: Type.Record(Type.String(), Type.Array(PollVote), {
      description: 'the 10 newest, newest first',
    }),
    answers_count: Type.Integer(),
    latest_answers: Type.Array(PollVote, { description: 'the 10 newest, newest first' }),
    own_votes: Type.Array(PollVote, { description: 'oldest first; right only in answers to that user, [] in events' }),
    created_by_id: Type.String(),
    created_by: User,
    created_at: Time,
    updated_at: Time,
  },
  customBeside('user_id user cid'),
)
export type Poll = Static<typeof Poll> & Custom

const pollRequest = {
  name: text,
  description: Type.Optional(Type.String({ maxLength: POLL_TEXT_CHARS })),
  voting_visibility: Type.Optional(VotingVisibility),
  enforce_unique_vote: Type.Optional(Type.Boolean()),
  max_votes_allowed: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: VOTES_PER_USER }), Type.Null()])),
  allow_user_suggested_options: Type.Optional(Type.Boolean()),
  allow_answers: Type.Optional(Type.Boolean()),
  is_closed: Type.Optional(Type.Boolean()),
  options: Type.Optional(
    Type.Array(Type.Object({ id: Type.Optional(NonEmpty), text }, hasCustom), { maxItems: POLL_OPTIONS }),
  ),
}
/** The writable fields of a poll; an absent field gets its default, and custom fields that are not sent are removed. */
export const PollRequest = Type.Object(pollRequest, hasCustom)
export type PollRequest = Static<typeof PollRequest> & Custom

export const CreatePollRequest = Type.Object(
  {
    ...pollRequest,
    id: Type.Optional(NonEmpty),
    ...actor,
  },
  hasCustom,
)
/** Options keep their ids; one that is left out is deleted with its votes. */
export const UpdatePollRequest = Type.Object({ ...pollRequest, id: Type.String(), ...actor }, hasCustom)
export const UpdatePollPartialRequest = Type.Object({ ...PartialUpdate.properties, ...actor })
export const PollAnswer = answer({ poll: Poll })

export const CreatePollOptionRequest = Type.Object({ text, ...actor }, hasCustom)
export const UpdatePollOptionRequest = Type.Object({ id: Type.String(), text, ...actor }, hasCustom)
export const PollOptionAnswer = answer({ poll_option: PollOption })

/** One of `option_id` and `answer_text`. */
export const VoteRequest = Type.Object({
  option_id: Type.Optional(NonEmpty),
  answer_text: Type.Optional(text),
})
export type VoteRequest = Static<typeof VoteRequest>
export const CastPollVoteRequest = Type.Object({ vote: VoteRequest, ...actor })
export const PollVoteAnswer = answer({ vote: PollVote, poll: Poll })

const page = {
  filter: Type.Optional(FilterObject),
  sort: Type.Optional(Sort),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: POLLS_PAGE_MAX })),
  ...cursors,
}
export const QueryPollsRequest = Type.Object({ ...page, ...actor })
export const PollsAnswer = answer({
  polls: Type.Array(Poll),
  ...cursors,
})
export const QueryPollVotesRequest = Type.Object({ ...page, ...actor })
export const PollVotesAnswer = answer({
  votes: Type.Array(PollVote),
  ...cursors,
})
