import { sql, type Transaction } from 'kysely'
import type { Database, Tables } from '../database.server.ts'
import { databaseNow } from '../database-time.server.ts'
import type { Product } from '../product.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'
import { USERS_A_CALL } from './chat-service.server.ts'

/**
 * Notes the end of chat for members who are about to leave or to lose chat access, and have it from no other
 * organization. It is written in the same transaction, and stays until the chat server knows.
 *
 * @param going.memberId  without it, all members
 */
export async function noteEndOfChat(
  transaction: Transaction<Tables>,
  type: Database['type'],
  going: { organizationId: string; memberId?: string },
): Promise<void> {
  const { organizationId, memberId } = going
  const leaving = transaction
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('chatAccess', '=', sql<boolean>`true`)
  await transaction
    .updateTable('user')
    .set({ chatEndedAt: databaseNow(type) })
    .where('id', 'in', memberId ? leaving.where('id', '=', memberId) : leaving)
    // Checked for each member who leaves: those who stay may be very many.
    .where(({ exists, not, selectFrom }) => {
      const elsewhere = selectFrom('member as other')
        .select('other.id')
        .whereRef('other.userId', '=', 'user.id')
        .where('other.chatAccess', '=', sql<boolean>`true`)
      return not(exists(elsewhere.where('other.organizationId', '!=', organizationId)))
    })
    .execute()
}

/** Closes the connections and revokes the tokens of users that the chat server knows, as many as fit in one call. */
export async function shutOut({ database, chat }: Pick<Product, 'database' | 'chat'>, ids: readonly string[]) {
  if (!chat || ids.length === 0) return
  const { before } = await database.kysely
    .selectNoFrom(databaseNow(database.type).as('before'))
    .executeTakeFirstOrThrow()
  await chat.shutOut(ids)
  await database.kysely
    .updateTable('user')
    .set({ chatEndedAt: null })
    .where('id', 'in', ids)
    .where('chatEndedAt', '<=', before)
    .execute()
}

/**
 * Shuts out the users whose chat ended while the chat server did not respond. A repetition only costs them a
 * connection, so nodes may do it at the same time. Without a response they stay noted for the next run.
 */
export async function shutOutNoted({ database, chat }: Product): Promise<void> {
  if (!chat) return
  try {
    for (let isMore = true; isMore; ) {
      const noted = await database.kysely
        .selectFrom('user')
        .select('id')
        .where('chatEndedAt', 'is not', null)
        .limit(USERS_A_CALL)
        .execute()
      const ids = noted.map(({ id }) => id)
      if (ids.length === 0) return
      await chat.savePeople(await chatPeopleOf(database, ids))
      await shutOut({ database, chat }, ids)
      isMore = ids.length === USERS_A_CALL
    }
  } catch (error) {
    console.error('The chat server could not be told whose chat has ended; it is told later.', error)
  }
}
