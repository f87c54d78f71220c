import { useEffect, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import type { People, PeoplePage, Person } from '../chat/people.ts'
import { PEOPLE_PAGE, SEARCH_REST_MS } from '../limits.ts'

export interface FoundPeople {
  people: readonly Person[]
  at: 'loading' | 'loaded' | 'failed'
  hasMore: boolean
  load: () => void
}

interface Found {
  query: string
  pages: number
  people: readonly Person[]
  hasMore: boolean
}

/**
 * The people of the product's directory, or else those the chat server knows, by their names, page by page; never oneself.
 */
export function usePeople(sought: string): FoundPeople {
  const { client, clock, people: directory } = useChat()
  const announce = useAnnounce()
  const query = sought.trim()
  const [found, setFound] = useState<Found>()
  const [failed, setFailed] = useState<string>()
  const isOf = found?.query === query
  const page = isOf ? found.pages : 0
  // Ends with the search: a page that comes later belongs to words that nobody looks for any more.
  const wanted = useRef(new AbortController())

  const load = async ({ signal }: AbortController) => {
    setFailed(undefined)
    const find: People['find'] = directory
      ? (...asked) => directory.find(...asked)
      : async (text, page, signal): Promise<PeoplePage> => {
          const filter =
            text === '' ? {} : { $or: [{ id: { $autocomplete: text } }, { name: { $autocomplete: text } }] }
          const which = { limit: PEOPLE_PAGE, offset: page * PEOPLE_PAGE }
          const { users } = await client.queryUsers(filter, { name: 1 }, which, { signal })
          return { people: users, hasMore: users.length === PEOPLE_PAGE }
        }
    try {
      const { people, hasMore } = await find(query, page, signal)
      if (signal.aborted) return
      const others = people.filter(({ id }) => id !== client.userID)
      setFound((before) => {
        const known = page > 0 && before ? before.people : []
        const fresh = others.filter(({ id }) => known.every((one) => one.id !== id))
        return { query, pages: page + 1, people: [...known, ...fresh], hasMore }
      })
      if (query !== '') announce('results', { count: others.length })
    } catch {
      if (!signal.aborted) setFailed(query)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search begins with its first page; more when asked for.
  useEffect(() => {
    const giveUp = new AbortController()
    wanted.current = giveUp
    const callOff = clock.after(query === '' ? 0 : SEARCH_REST_MS, () => void load(giveUp))
    return () => {
      callOff()
      giveUp.abort()
    }
  }, [client, directory, clock, query])

  const at = failed === query ? 'failed' : isOf ? 'loaded' : 'loading'
  return { people: found?.people ?? [], at, hasMore: isOf && found.hasMore, load: () => void load(wanted.current) }
}
