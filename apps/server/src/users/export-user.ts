import type { Message } from '@parley/protocol/messages'
import type { Reaction } from '@parley/protocol/reactions'
import type { User } from '@parley/protocol/users'
import { inputError } from '../chat-error.ts'
import type { UserRow } from '../database/tables.ts'
import { messagesOfUser } from '../messages/messages-of-user.ts'
import { reactionsOf } from '../reactions/drop-reactions.ts'
import type { Server } from '../server.ts'
import { fullUsers } from './full-users.ts'

/** Messages one export holds at most [administration.md 9.3]. */
const MESSAGES_MAX = 10_000

type OwnMessage = Pick<Message, 'id' | 'text'> & { user: null }
type OwnReaction = Pick<Reaction, 'message_id' | 'type'> & { user: null }

/**
 * All that is kept of a user: themselves, what they wrote, and how they reacted. It is read in pages, so that others
 * have their turn between them.
 *
 * @throws ChatError InputError (4) — there is more than one answer can hold
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
