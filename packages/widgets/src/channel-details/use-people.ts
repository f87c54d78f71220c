import type { User } from '@parley/client'
import { useCallback, useEffect, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { PEOPLE_PAGE, SEARCH_REST_MS } from '../limits.ts'

export interface People {
  people: readonly User[]
  at: 'loading' | 'loaded' | 'failed'
  hasMore: boolean
  load: () => void
}

/** The people the chat server knows, by the beginning of any of their names, page by page; never oneself. */
export function usePeople(sought: string): People {
  const { client, clock } = useChat()
  const announce = useAnnounce()
  const query = sought.trim()
  const [found, setFound] = useState<{ query: string; asked: number; people: readonly User[]; hasMore: boolean }>()
  const [failed, setFailed] = useState<string>()
  const isOf = found?.query === query
  const offset = isOf ? found.asked : 0

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setFailed(undefined)
      try {
        const filter =
          query === '' ? {} : { $or: [{ id: { $autocomplete: query } }, { name: { $autocomplete: query } }] }
        const page = { limit: PEOPLE_PAGE, offset }
        const { users } = await client.queryUsers(filter, { name: 1 }, page, signal ? { signal } : {})
        const others = users.filter(({ id }) => id !== client.userID)
        setFound((before) => ({
          query,
          asked: offset + users.length,
          people: offset > 0 && before ? [...before.people, ...others] : others,
          hasMore: users.length === PEOPLE_PAGE,
        }))
        if (query !== '') announce('results', { count: others.length })
      } catch {
        if (!signal?.aborted) setFailed(query)
      }
    },
    [client, announce, query, offset],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search begins with its first page; more when asked for.
  useEffect(() => {
    const giveUp = new AbortController()
    const callOff = clock.after(query === '' ? 0 : SEARCH_REST_MS, () => void load(giveUp.signal))
    return () => {
      callOff()
      giveUp.abort()
    }
  }, [client, clock, query])

  const at = failed === query ? 'failed' : isOf ? 'loaded' : 'loading'
  return { people: found?.people ?? [], at, hasMore: isOf && found.hasMore, load: () => void load() }
}
