import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import type { People, PeoplePage, Person } from '../chat/people.ts'
import { PEOPLE_PAGE, SEARCH_REST_MS } from '../limits.ts'
import { type Pages, usePages } from './use-pages.ts'

/** The users of the product's directory, or else those of the chat server, by name, page by page; never the reader. */
export function usePeople(sought: string): Pages<Person> {
  const { client, people: directory } = useChat()
  const announce = useAnnounce()
  const ask: People['find'] = directory
    ? (...asked) => directory.find(...asked)
    : async (text, page, signal): Promise<PeoplePage> => {
        const filter = text === '' ? {} : { $or: [{ id: { $autocomplete: text } }, { name: { $autocomplete: text } }] }
        const which = { limit: PEOPLE_PAGE, offset: page * PEOPLE_PAGE }
        const { users } = await client.queryUsers(filter, { name: 1 }, which, { signal })
        return { people: users, hasMore: users.length === PEOPLE_PAGE }
      }
  const query = sought.trim()
  return usePages<Person, number>({
    source: directory ?? client,
    query,
    restMs: query === '' ? 0 : SEARCH_REST_MS,
    keyOf: ({ id }) => id,
    async find(text, page = 0, signal) {
      const { people, hasMore } = await ask(text, page, signal)
      const items = people.filter(({ id }) => id !== client.userID)
      if (text !== '' && !signal.aborted) announce('results', { count: items.length })
      return { items, next: hasMore ? page + 1 : undefined }
    },
  })
}
