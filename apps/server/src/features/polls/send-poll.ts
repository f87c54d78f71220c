import { type Access, notAllowed } from '../../chat/channels/channel-access.ts'
import { ChatError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { missingPoll } from './poll-access.ts'
import { wordsOf } from './poll-content.ts'
import { lockedPoll, lockPolls, pollById } from './poll-store.ts'

/**
 * Only its creator may send a poll, in any number of messages [messaging.md 7.3]. Another user's poll counts as
 * missing.
 *
 * @throws ChatError ChannelFeatureNotSupportedError (19), NotAllowedError (17), DoesNotExistError (16)
 */
export async function checkSendingPoll(server: Server, access: Access, sender: UserRow, id: string) {
  checkPollsOn(access)
  if (!access.can('send-poll')) throw notAllowed(access, 'send-poll')
  const poll = await pollById(server.database.read, sender.app, id)
  if (poll?.created_by !== sender.id) throw missingPoll(id)
}

/** The poll's texts; empty when the poll is gone. */
export async function wordsOfPoll(server: Server, app: string, id: string): Promise<string[]> {
  const poll = await pollById(server.database.read, app, id)
  return poll ? wordsOf(poll) : []
}

/** @throws ChatError ChannelFeatureNotSupportedError (19) */
export function checkPollsOn({ config }: Access) {
  if (!config.polls)
    throw new ChatError('ChannelFeatureNotSupportedError', `polls are turned off in channels of type ${config.name}`)
}

/**
 * Locks a poll until the message that shows it is stored: recipients of the message get the event of every later vote.
 *
 * @throws ChatError DoesNotExistError (16) — it was deleted in the meantime
 */
export async function holdPoll(batch: Batch, app: string, id: string) {
  if (!(await lockedPoll(batch.db, batch.dialect, app, id))) throw missingPoll(id)
}

/** The same for restored messages, some of whose polls may be gone; call it before the messages change. */
export async function holdPollsOf({ db, dialect }: Batch, app: string, messages: readonly MessageRow[]) {
  await lockPolls(
    db,
    dialect,
    app,
    messages.flatMap(({ poll_id }) => poll_id ?? []),
  )
}
