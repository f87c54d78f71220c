import type { Product } from '../product.server.ts'
import { USERS_A_CALL } from './chat-service.server.ts'

/**
 * Has the chat server forget those who have deleted their accounts, as far as it has not yet. Telling it twice of
 * somebody changes nothing, so it does not matter who else does so at the same time. Without an answer they stay noted
 * for the next time.
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
