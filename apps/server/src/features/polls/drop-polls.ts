import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { Server } from '../../server.ts'
import { counted } from './cast-vote.ts'
import { changePoll } from './change-poll.ts'
import { deletePoll } from './delete-poll.ts'
import { answerIdsIn, answersOfUser, deleteVotes, pollsOfUser, voteById } from './poll-store.ts'

/** Polls that are changed, each in a write of its own, before it is noted how far this came. */
const PAGE = 20

/**
 * Takes back a page of what a user answered in own words; who watches hears `poll.vote_removed`.
 *
 * @param after id of the answer that was the last of the page before
 * @returns the last one of this page; undefined after the last page
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
        // Not even its end repeats what was said.
        const told = [{ type: 'poll.vote_removed', vote: { ...vote, answer_text: '' } }]
        return { poll: counted(poll, [vote], []), told }
      }),
    )
  return answers.length === PAGE ? answers.at(-1)!.id : undefined
}

/** Ids of what a user answered in the polls of a channel: in an anonymous one its log has them without a name. */
export function answersIn({ db }: Batch, app: string, cid: string, userId: string): Promise<string[]> {
  return answerIdsIn(db, app, cid, userId)
}

/** Deletes a page of what a user asked; gives whether there may be more. */
export async function dropPollsPage(server: Server, app: string, userId: string): Promise<boolean> {
  const polls = await pollsOfUser(server.database.read, app, userId, PAGE)
  for (const poll of polls) await unlessGone(deletePoll(server, poll, undefined))
  return polls.length === PAGE
}

/** Somebody else may have deleted the poll at this moment. */
async function unlessGone(changing: Promise<unknown>) {
  await changing.catch((error: unknown) => {
    if (!(error instanceof ChatError && error.kind === 'DoesNotExistError')) throw error
  })
}
