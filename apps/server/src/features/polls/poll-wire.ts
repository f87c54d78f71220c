import type { Poll, PollOption, PollVote } from '@parley/protocol/polls'
import type { UserSummaries } from '../../chat/users/user-summaries.ts'
import type { PollRow, PollVoteRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'

/**
 * The votes that a poll shows: the latest votes and answers newest first, the viewer's own oldest first.
 */
export interface PollVotes {
  latest: (optionId: string) => PollVoteRow[]
  answers: PollVoteRow[]
  own: PollVoteRow[]
}

/** Fields of a poll that are not custom data. */
export const pollFields: ReadonlySet<string> = new Set(
  `id name description voting_visibility enforce_unique_vote max_votes_allowed allow_user_suggested_options
   allow_answers is_closed options vote_count vote_counts_by_option latest_votes_by_option answers_count
   latest_answers own_votes created_by_id created_by created_at updated_at user_id user cid`.split(/\s+/),
)

/** In an anonymous poll the latest votes have no names, not even for their voters [POL-30]; `own_votes` do. */
export function pollWire(row: PollRow, votes: PollVotes, userSummaries: UserSummaries): Poll {
  const counts = countsOf(row)
  const wires = (rows: PollVoteRow[]) => rows.map((vote) => voteWire(row, vote, userSummaries, undefined))
  return {
    ...JSON.parse(row.data),
    id: row.id,
    name: row.name,
    description: row.description,
    voting_visibility: row.voting_visibility,
    enforce_unique_vote: row.enforce_unique_vote === 1,
    max_votes_allowed: row.max_votes_allowed,
    allow_user_suggested_options: row.allow_user_suggested_options === 1,
    allow_answers: row.allow_answers === 1,
    is_closed: row.is_closed === 1,
    options: optionsOf(row),
    vote_count: Object.values(counts).reduce((sum, count) => sum + count, 0),
    vote_counts_by_option: counts,
    latest_votes_by_option: Object.fromEntries(Object.keys(counts).map((id) => [id, wires(votes.latest(id))])),
    answers_count: row.answers_count,
    latest_answers: wires(votes.answers),
    own_votes: votes.own.map((vote) => voteWire(row, vote, userSummaries, vote.user_id)),
    created_by_id: row.created_by,
    created_by: userSummaries.of(row.created_by),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}

/** @param viewerId the reader: in an anonymous poll a vote has its voter's name only for the voter */
export function voteWire(
  poll: PollRow,
  row: PollVoteRow,
  userSummaries: UserSummaries,
  viewerId: string | undefined,
): PollVote {
  const named = poll.voting_visibility === 'public' || row.user_id === viewerId
  return {
    id: row.id,
    poll_id: row.poll_id,
    option_id: row.option_id,
    ...(row.answer_text !== null && { is_answer: true, answer_text: row.answer_text }),
    ...(named && { user_id: row.user_id, user: userSummaries.of(row.user_id) }),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
  }
}

export function optionsOf({ options_json }: PollRow): PollOption[] {
  return JSON.parse(options_json)
}

/** How many votes each option has; options without any are left out. */
export function countsOf({ counts_json }: PollRow): Record<string, number> {
  return JSON.parse(counts_json)
}

/** The poll for an event that many users get. */
export function forEveryone(poll: Poll): Poll {
  return { ...poll, own_votes: [] }
}

export function withoutName({ user_id: _, user: __, ...vote }: PollVote): PollVote {
  return vote
}
