import { databaseNow } from '../database-time.server.ts'
import type { Person } from '../people/person.ts'
import type { Product } from '../product.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import { USERS_A_CALL } from './chat-service.server.ts'
import { shutOut } from './shut-out.server.ts'

/** Tells the chat server of one person, see {@link syncChatUsers}. */
export function syncChatUser(product: Product, personId: string): Promise<void> {
  return syncChatUsers(product, [personId])
}

/**
 * Tells the chat server the names, pictures and organizations people have now; whoever lost chat access loses the open
 * connections and tokens, too. Without an answer the product goes on: chat learns of them at their next sign-in, and
 * sooner of whose chat has ended ({@link shutOutNoted}).
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
 * Ends chat with the session: tokens outlive it. Where another session of the person goes on, chat fetches a new token
 * and is there again. Whoever has no chat access has lost them with it.
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
