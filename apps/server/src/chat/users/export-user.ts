import type { Message } from '@parley/protocol/messages'
import type { Reaction } from '@parley/protocol/reactions'
import type { User } from '@parley/protocol/users'
import { reactionsOf } from '../../features/reactions/drop-reactions.ts'
import { inputError } from '../../platform/chat-error.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { messagesOfUser } from '../messages/messages-of-user.ts'
import { fullUsers } from './full-users.ts'

/** Maximum messages per export [administration.md 9.3]. */
const MESSAGES_MAX = 10_000

type OwnMessage = Pick<Message, 'id' | 'text'> & { user: null }
type OwnReaction = Pick<Reaction, 'message_id' | 'type'> & { user: null }

/**
 * All stored data of a user: profile, messages and reactions. It is read in pages, so that other requests get their
 * turn.
 *
 * @throws ChatError InputError (4) — there is more data than one response can hold
 */
export async function exportUser(
  server: Server,
  user: UserRow,
): Promise<{ user: User; messages: OwnMessage[]; reactions: OwnReaction[] }> {
  const messages: OwnMessage[] = []
  for await (const page of messagesOfUser(server, user.app, user.id)) {
    for (const message of page) messages.push({ ...message, user: null })
    if (messages.length > MESSAGES_MAX)
      throw inputError('user_id', `user ${user.id} has more than ${MESSAGES_MAX} messages, which no answer can hold`)
  }
  const reactions: OwnReaction[] = []
  for await (const page of reactionsOf(server, user.app, user.id))
    for (const reaction of page) reactions.push({ ...reaction, user: null })
  const [userSummary] = await fullUsers(server, user.app, [user])
  return { user: userSummary!, messages, reactions }
}
