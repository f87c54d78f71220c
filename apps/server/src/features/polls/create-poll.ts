import { randomUUID } from 'node:crypto'
import type { Poll, PollRequest } from '@parley/protocol/polls'
import { checkNotBanned } from '../../chat/bans/banned.ts'
import { inputError } from '../../platform/chat-error.ts'
import type { PollRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { contentOf } from './poll-content.ts'
import { insertPoll, pollById } from './poll-store.ts'
import { composePolls } from './polls-shown.ts'

/** Characters of a poll's id, which is part of URLs. */
const ID = /^[^\s,%/?#]{1,255}$/

/**
 * Creates a poll, which only its creator sees until it is sent [POL-14].
 *
 * @throws ChatError InputError (4) — the id exists already, or see `contentOf`
 */
export async function createPoll(
  server: Server,
  creator: UserRow,
  request: PollRequest & { id?: string },
): Promise<Poll> {
  checkNotBanned(creator)
  const { app } = creator
  const id = request.id ?? randomUUID()
  if (!ID.test(id)) throw inputError('id', 'id must have 1 to 255 characters and no space, "," "%" "/" "?" or "#"')
  const options = (request.options ?? []).map(({ id: _, ...option }) => option)
  const content = contentOf({ ...request, options }, [])
  return server.commit.write(app, [], async (batch) => {
    if (await pollById(batch.db, app, id)) throw inputError('id', `a poll with ID ${id} already exists`)
    const now = batch.now()
    const poll: PollRow = {
      app,
      id,
      ...content,
      counts_json: '{}',
      answers_count: 0,
      created_by: creator.id,
      created_at: now,
      updated_at: now,
    }
    await insertPoll(batch.db, poll)
    const [wire] = await composePolls(server, app, [poll], creator.id, batch.db)
    return wire!
  })
}
