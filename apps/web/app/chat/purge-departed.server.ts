import type { Product } from '../product.server.ts'
import { USERS_A_CALL } from './chat-service.server.ts'

/**
 * Deletes users on the chat server who have deleted their accounts in the product. A repetition changes nothing, so
 * nodes may do it at the same time. Without a response they stay noted for the next run.
 */
export async function purgeDeparted({ database: { kysely }, chat }: Product): Promise<void> {
  if (!chat) return
  try {
    for (let isMore = true; isMore; ) {
      const noted = await kysely.selectFrom('departure').select('id').limit(USERS_A_CALL).execute()
      const ids = noted.map(({ id }) => id)
      if (ids.length === 0) return
      await chat.forgetPeople(ids)
      await kysely.deleteFrom('departure').where('id', 'in', ids).execute()
      isMore = ids.length === USERS_A_CALL
    }
  } catch (error) {
    console.error('The chat server could not be told of people who have gone; it is told later.', error)
  }
}
