import { forgetPoll } from '../../chat/messages/messages-with-poll.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { PollRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { publishToWatchers, withPoll } from './change-poll.ts'
import { deletePollRow } from './poll-store.ts'
import { composePolls } from './polls-shown.ts'

/** A deleted poll leaves no content, not even in the event log. */
const emptied = { name: '', description: '', options_json: '[]', counts_json: '{}', answers_count: 0, data: '{}' }

/** Deletes a poll and its votes; the messages that showed it stay without it [POL-19]. */
export async function deletePoll(server: Server, { app, id }: PollRow, deleter: UserRow | undefined): Promise<void> {
  await withPoll(server, app, id, async (batch, stored, messages) => {
    await deletePollRow(batch.db, app, id)
    await forgetPoll(batch.db, app, id)
    const [poll] = await composePolls(server, app, [{ ...stored, ...emptied }], undefined, batch.db)
    const user = deleter && (await userSummariesOf(server, app, [deleter.id])).of(deleter.id)
    await publishToWatchers(server, batch, messages, undefined, 'poll.deleted', { poll, ...(user && { user }) })
  })
}
