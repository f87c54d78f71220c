import { databaseNow } from '../database-time.server.ts'
import type { Person } from '../people/person.ts'
import type { Product } from '../product.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import { USERS_A_CALL } from './chat-service.server.ts'
import { shutOut } from './revoke-chat.server.ts'

/** Upserts one user on the chat server, see {@link syncChatUsers}. */
export function syncChatUser(product: Product, personId: string): Promise<void> {
  return syncChatUsers(product, [personId])
}

/**
 * Upserts users on the chat server with their present names, pictures and organizations; users without chat access also
 * lose their connections and tokens. Errors are only logged: the next sign-in syncs them again, and {@link
 * shutOutNoted} retries sooner for users whose chat has ended.
 */
export async function syncChatUsers({ database, chat }: Product, personIds: readonly string[]): Promise<void> {
  if (!chat) return
  try {
    for (let start = 0; start < personIds.length; start += USERS_A_CALL) {
      const people = await chatPeopleOf(database, personIds.slice(start, start + USERS_A_CALL))
      await chat.savePeople(people)
      const out = people.filter(({ chatAccess }) => !chatAccess).map(({ id }) => id)
      await shutOut({ database, chat }, out)
    }
  } catch (error) {
    console.error('The chat server could not be told about people.', error)
  }
}

/**
 * Ends chat with the session, which its tokens would outlive. In the user's other sessions chat fetches a new token and
 * reconnects. A user without chat access has already lost the tokens.
 */
export async function endChatOf({ database, chat }: Product, { id, chatAccess }: Person): Promise<void> {
  if (!chat || !chatAccess) return
  await database.kysely
    .updateTable('user')
    .set({ chatEndedAt: databaseNow(database.type) })
    .where('id', '=', id)
    .execute()
  await shutOut({ database, chat }, [id]).catch((error) =>
    console.error('Chat could not be ended with a session; it ends later.', error),
  )
}
