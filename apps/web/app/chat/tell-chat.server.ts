import type { Person } from '../people/person.ts'
import type { Product } from '../product.server.ts'
import { chatPeopleOf } from './chat-people.server.ts'

/**
 * Tells the chat server the name, picture and organizations a person has now; whoever lost chat access loses the open
 * connections and tokens, too. Without an answer the product goes on: chat learns of it at the next sign-in.
 */
export async function tellChat({ database, chat }: Product, personId: string): Promise<void> {
  if (!chat) return
  try {
    const people = await chatPeopleOf(database, [personId])
    await chat.savePeople(people)
    if (people.some(({ chatAccess }) => !chatAccess)) await chat.shutOut(personId)
  } catch (error) {
    console.error('The chat server could not be told about a person.', error)
  }
}

/** People at a time of whom chat is told. */
const TOLD_AT_ONCE = 100

/** Tells the chat server of many people whose organizations have changed; whoever is missed is told of at sign-in. */
export async function tellChatOf({ database, chat }: Product, personIds: readonly string[]): Promise<void> {
  try {
    for (let start = 0; chat && start < personIds.length; start += TOLD_AT_ONCE)
      await chat.savePeople(await chatPeopleOf(database, personIds.slice(start, start + TOLD_AT_ONCE)))
  } catch (error) {
    console.error('The chat server could not be told about the people of an organization.', error)
  }
}

/**
 * Ends chat with the session: tokens outlive it. Where another session of the person goes on, chat fetches a new token
 * and is there again. Whoever has no chat access has lost them with it.
 */
export async function endChatOf({ chat }: Product, { id, chatAccess }: Person): Promise<void> {
  if (chatAccess)
    await chat?.shutOut(id).catch((error) => console.error('Chat could not be ended with a session.', error))
}
