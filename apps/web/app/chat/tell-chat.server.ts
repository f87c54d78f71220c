import { personWithId } from '../people/person-store.server.ts'
import type { Product } from '../product.server.ts'
import { chatPersonOf } from './start-new-chat.server.ts'

/**
 * Tells the chat server the name, picture and organizations a person has now; whoever lost chat access loses the open
 * connections and tokens, too. Without an answer the product goes on: chat learns of it at the next sign-in.
 */
export async function tellChat({ database, chat }: Product, personId: string): Promise<void> {
  const person = chat && (await personWithId(database, personId))
  if (!person) return
  try {
    await chat.savePeople([await chatPersonOf(database, person)])
    if (!person.chatAccess) await chat.shutOut(personId)
  } catch (error) {
    console.error('The chat server could not be told about a person.', error)
  }
}
