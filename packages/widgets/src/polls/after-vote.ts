import { byTime, type PollData } from '@parley/client'

type Vote = PollData['own_votes'][number]

/** Own votes for options, oldest first; comments are not included. */
export function ownVotesOf(poll: PollData): Vote[] {
  return poll.own_votes.filter((vote) => !vote.is_answer).toSorted((a, b) => byTime(a.created_at, b.created_at))
}

/** Whether a new vote replaces the one before. */
export function isSingle(poll: PollData): boolean {
  return poll.enforce_unique_vote || poll.max_votes_allowed === 1
}

/** The own vote that is removed when one more is cast for this option; undefined while another is allowed. */
export function pushedOut(poll: PollData, optionID: string): Vote | undefined {
  const mine = ownVotesOf(poll)
  if (mine.some((vote) => vote.option_id === optionID)) return undefined
  const most = isSingle(poll) ? 1 : (poll.max_votes_allowed ?? Number.POSITIVE_INFINITY)
  return mine.length >= most ? mine[0] : undefined
}

/** The poll after an option is pressed: its vote is cast, or removed [POL-7]. */
export function afterVote(poll: PollData, optionID: string): PollData {
  const taken = ownVotesOf(poll).find((vote) => vote.option_id === optionID)
  if (taken) return without(poll, taken)
  const pushed = pushedOut(poll, optionID)
  const room = pushed ? without(poll, pushed) : poll
  const now = new Date().toISOString()
  const vote: Vote = { id: '', poll_id: poll.id, option_id: optionID, created_at: now, updated_at: now }
  return { ...counted(room, optionID, 1), own_votes: [...room.own_votes, vote] }
}

function without(poll: PollData, vote: Vote): PollData {
  return { ...counted(poll, vote.option_id, -1), own_votes: poll.own_votes.filter((other) => other !== vote) }
}

function counted(poll: PollData, optionID: string, by: 1 | -1): PollData {
  const count = Math.max(0, (poll.vote_counts_by_option[optionID] ?? 0) + by)
  return {
    ...poll,
    vote_count: Math.max(0, poll.vote_count + by),
    vote_counts_by_option: { ...poll.vote_counts_by_option, [optionID]: count },
  }
}
