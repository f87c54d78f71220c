import { randomUUID } from 'node:crypto'
import type { Poll, PollVote, VoteRequest } from '@parley/protocol/polls'
import type { Caller } from '../../chat/api/caller.ts'
import { checkNotBanned, checkWriter, isShadowed } from '../../chat/bans/banned.ts'
import { type Access, checkNotFrozen, notAllowed } from '../../chat/channels/channel-access.ts'
import { checkWords } from '../../chat/messages/text-moderation.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { PollRow, PollVoteRow, UserRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { type ActOnPoll, changePoll, type PollChange } from './change-poll.ts'
import { checkOpen, optionIn } from './poll-options.ts'
import { deleteVotes, putVote, voteById, votesOfUser } from './poll-store.ts'
import { countsOf, optionsOf, voteWire } from './poll-wire.ts'
import { checkPollsOn } from './send-poll.ts'

/** The poll that is voted on, and the message that shows it. */
export interface Ballot {
  access: Access
  messageId: string
  pollId: string
}

/**
 * Votes for an option, or gives a text answer. A vote beyond `max_votes_allowed` first removes the voter's oldest one
 * [POL-7]; where only one vote counts it replaces the earlier one [POL-32], as a new answer does [POL-33]. Voting for
 * the same option again changes nothing. A shadow-banned voter's answer is visible to them alone [MOD-17]; their vote
 * for an option counts like any other, because an event has the same counts for all recipients. A frozen channel
 * takes no answers [CHN-53].
 *
 * @throws ChatError InputError (4) — the poll has ended, is not on the message, or takes no answers
 * @throws ChatError DoesNotExistError (16) — no such poll, or no such option
 * @throws ChatError ChannelFeatureNotSupportedError (19), NotAllowedError (17)
 * @throws ChatError MessageModerationFailed (73) — a block list refuses the answer
 */
export async function castVote(
  server: Server,
  caller: Caller,
  ballot: Ballot,
  voter: UserRow,
  { option_id, answer_text }: VoteRequest,
): Promise<{ vote: PollVote; poll: Poll }> {
  const checked = await checkVoting(server, caller, ballot, voter)
  if ((option_id === undefined) === (answer_text === undefined))
    throw inputError('vote', 'vote must have one of option_id and answer_text')
  if (answer_text !== undefined) checkNotFrozen(ballot.access)
  if (answer_text?.trim() === '') throw inputError('vote.answer_text', 'vote.answer_text must not be empty')

  const { access, messageId: id } = ballot
  const verdict = checkWords(server, access, answer_text ?? '', [], { fromServer: caller.server })
  return vote(server, ballot, voter.id, async (batch, poll, at) => {
    if (verdict)
      await server.extensions.textModeration.raiseFlag(
        server,
        batch,
        { app: poll.app, cid: access.channel.cid, id, user_id: voter.id },
        verdict,
      )
    if (answer_text !== undefined && !poll.allow_answers)
      throw inputError('vote.answer_text', 'This poll takes no answers.')
    const option = answer_text === undefined ? optionIn(optionsOf(poll), option_id!).id : ''
    const cast = { app: poll.app, poll_id: poll.id, user_id: voter.id, option_id: option }
    const own = await votesOfUser(batch.db, batch.dialect, poll.app, voter.id, [poll.id])
    const same = own.find((vote) => vote.option_id === option)
    if (same && option !== '') return { vote: same }

    const shadowed = option === '' && isShadowed(checked, access) ? 1 : 0
    const votes = option === '' ? own.filter((vote) => vote === same) : own.filter((vote) => vote.option_id !== '')
    const { gone, replaced } = makingRoom(poll, votes, { option, shadowed })
    await deleteVotes(
      batch.db,
      batch.dialect,
      poll.app,
      gone.map((vote) => vote.id),
    )
    const vote: PollVoteRow = {
      ...cast,
      id: replaced?.id ?? randomUUID(),
      answer_text: answer_text ?? null,
      shadowed,
      created_at: at,
      updated_at: at,
    }
    await putVote(batch.db, vote)
    return {
      vote,
      change: {
        poll: counted(poll, [...gone, ...(replaced ? [replaced] : [])], [vote]),
        told: [
          ...gone.map((vote) => ({ type: 'poll.vote_removed', vote })),
          { type: replaced ? 'poll.vote_changed' : 'poll.vote_casted', vote },
        ],
      },
    }
  })
}

/**
 * Takes a vote or an answer back [POL-26].
 *
 * @throws ChatError DoesNotExistError (16) — no such vote, or another user's
 * @throws ChatError — as for `castVote`
 */
export async function removeVote(
  server: Server,
  caller: Caller,
  ballot: Ballot,
  voteId: string,
): Promise<{ vote: PollVote; poll: Poll }> {
  await checkVoting(server, caller, ballot, caller.user)
  return vote(server, ballot, caller.user?.id, async (batch, poll) => {
    const vote = await voteById(batch.db, poll.app, poll.id, voteId)
    if (!vote || (caller.user && vote.user_id !== caller.user.id))
      throw new ChatError('DoesNotExistError', `Can't find vote with id ${voteId}`)
    await deleteVotes(batch.db, batch.dialect, poll.app, [vote.id])
    return { vote, change: { poll: counted(poll, [vote], []), told: [{ type: 'poll.vote_removed', vote }] } }
  })
}

/**
 * @returns the voter to pass to `isShadowed`
 * @throws ChatError ChannelFeatureNotSupportedError (19), NotAllowedError (17)
 */
async function checkVoting<Voter extends UserRow | undefined>(
  server: Server,
  caller: Caller,
  { access }: Ballot,
  voter: Voter,
): Promise<Voter | UserRow> {
  checkPollsOn(access)
  if (!access.can('cast-vote')) throw notAllowed(access, 'cast-vote')
  checkNotBanned(voter, access)
  return voter && !caller.server ? checkWriter(server, voter, access) : voter
}

async function vote(
  server: Server,
  { access, messageId, pollId }: Ballot,
  viewerId: string | undefined,
  act: (batch: Batch, poll: PollRow, at: Micros) => Promise<{ vote: PollVoteRow; change?: PollChange }>,
): Promise<{ vote: PollVote; poll: Poll }> {
  const { app } = access.channel
  let voted: { poll: PollRow; vote: PollVoteRow } | undefined
  const take: ActOnPoll = async (batch, stored, at, messages) => {
    if (!messages.some((message) => message.id === messageId))
      throw inputError('poll_id', `poll ${pollId} does not hang on message ${messageId}`)
    checkOpen(stored)
    const { vote, change } = await act(batch, stored, at)
    voted = { poll: stored, vote }
    return change
  }
  const poll = await changePoll(server, { app, id: pollId }, viewerId, take, messageId)
  const userSummaries = await userSummariesOf(server, app, [voted!.vote.user_id])
  return { vote: voteWire(voted!.poll, voted!.vote, userSummaries, viewerId), poll }
}

/**
 * The votes of a voter, oldest first, to remove so that one more fits, and the vote that takes the new choice.
 * A voter may have more votes than allowed: the poll's rules can change while it runs.
 */
function makingRoom(
  { enforce_unique_vote, max_votes_allowed }: PollRow,
  votes: readonly PollVoteRow[],
  { option, shadowed }: { option: string; shadowed: 0 | 1 },
): { gone: PollVoteRow[]; replaced?: PollVoteRow } {
  // A shadowed answer and an open one have different viewers, so the old one is removed, not replaced.
  if (votes.some((vote) => vote.shadowed !== shadowed)) return { gone: [...votes] }
  if (option === '' || enforce_unique_vote) {
    const replaced = votes.at(-1)
    return { gone: votes.slice(0, -1), ...(replaced && { replaced }) }
  }
  const limit = max_votes_allowed ?? Number.POSITIVE_INFINITY
  return { gone: votes.slice(0, Math.max(0, votes.length + 1 - limit)) }
}

/** The poll with its counts after removing and adding these votes. */
export function counted(poll: PollRow, less: readonly PollVoteRow[], more: readonly PollVoteRow[]): PollRow {
  const counts = countsOf(poll)
  let { answers_count } = poll
  const add = (votes: readonly PollVoteRow[], by: 1 | -1) => {
    for (const { option_id, shadowed } of votes)
      if (shadowed) continue
      else if (option_id === '') answers_count += by
      else counts[option_id] = (counts[option_id] ?? 0) + by
  }
  add(less, -1)
  add(more, 1)
  for (const [id, count] of Object.entries(counts)) if (count <= 0) delete counts[id]
  return { ...poll, answers_count, counts_json: JSON.stringify(counts) }
}
