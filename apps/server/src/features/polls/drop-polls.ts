import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { Server } from '../../server.ts'
import { counted } from './cast-vote.ts'
import { changePoll } from './change-poll.ts'
import { deletePoll } from './delete-poll.ts'
import { answerIdsIn, answersOfUser, deleteVotes, pollsOfUser, voteById } from './poll-store.ts'

/** Polls that are changed, each in a write of its own, before the progress is stored. */
const PAGE = 20

/**
 * Removes a page of a user's text answers, and publishes `poll.vote_removed` to the watchers.
 *
 * @param after id of the last answer of the page before
 * @returns the id of this page's last answer; undefined after the last page
 */
export async function dropAnswersPage(
  server: Server,
  app: string,
  userId: string,
  after: string,
): Promise<string | undefined> {
  const answers = await answersOfUser(server.database.read, app, userId, after, PAGE)
  for (const { id, poll_id } of answers)
    await unlessGone(
      changePoll(server, { app, id: poll_id }, undefined, async (batch, poll) => {
        const vote = await voteById(batch.db, app, poll_id, id)
        if (!vote) return undefined
        await deleteVotes(batch.db, batch.dialect, app, [id])
        // Not even the event of its removal repeats the answer.
        const told = [{ type: 'poll.vote_removed', vote: { ...vote, answer_text: '' } }]
        return { poll: counted(poll, [vote], []), told }
      }),
    )
  return answers.length === PAGE ? answers.at(-1)!.id : undefined
}

/** Ids of a user's answers in the polls of a channel: for anonymous polls its event log has them without a name. */
export function answersIn({ db }: Batch, app: string, cid: string, userId: string): Promise<string[]> {
  return answerIdsIn(db, app, cid, userId)
}

/** Deletes a page of a user's polls; returns whether there may be more. */
export async function dropPollsPage(server: Server, app: string, userId: string): Promise<boolean> {
  const polls = await pollsOfUser(server.database.read, app, userId, PAGE)
  for (const poll of polls) await unlessGone(deletePoll(server, poll, undefined))
  return polls.length === PAGE
}

/** Another call may have deleted the poll at this moment. */
async function unlessGone(changing: Promise<unknown>) {
  await changing.catch((error: unknown) => {
    if (!(error instanceof ChatError && error.kind === 'DoesNotExistError')) throw error
  })
}
