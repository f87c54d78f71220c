/**
 * How events change a poll. An event does not say which of its votes are the user's own, so own votes are tracked here.
 */
import type { ChatEvent } from '../events.ts'
import type { PollData, PollVote } from '../shapes.ts'

export type PollEvent = ChatEvent<
  'poll.updated' | 'poll.closed' | 'poll.deleted' | 'poll.vote_casted' | 'poll.vote_changed' | 'poll.vote_removed'
>

/** The poll after an event about it; undefined when it is deleted [client.md 5.3]. */
export function pollState(poll: PollData, event: PollEvent, me: string | undefined): PollData | undefined {
  if (event.type === 'poll.deleted') return undefined
  const next = event.poll
  return { ...next, own_votes: ownVotes(poll.own_votes, event, me) }
}

function ownVotes(known: PollVote[], event: PollEvent, me: string | undefined): PollVote[] {
  switch (event.type) {
    case 'poll.vote_casted':
      return isMine(event.poll_vote, me) ? withVote(known, event.poll_vote) : known
    case 'poll.vote_changed':
      if (!isMine(event.poll_vote, me)) return known
      // A vote replaces votes, an answer replaces an answer.
      return withVote(
        known.filter((vote) => isAnswer(vote) !== isAnswer(event.poll_vote)),
        event.poll_vote,
      )
    case 'poll.vote_removed':
      return known.filter(({ id }) => id !== event.poll_vote.id)
    default: {
      const options = new Set(event.poll.options.map(({ id }) => id))
      return known.filter((vote) => isAnswer(vote) || options.has(vote.option_id))
    }
  }
}

export function isAnswer(vote: PollVote): boolean {
  return vote.is_answer === true
}

/** In an anonymous poll, only the voter gets the user of a vote. */
function isMine(vote: PollVote, me: string | undefined): boolean {
  return me !== undefined && vote.user_id === me
}

function withVote(votes: PollVote[], vote: PollVote): PollVote[] {
  return [...votes.filter(({ id }) => id !== vote.id), vote]
}
