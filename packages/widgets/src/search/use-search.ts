import { Search, type SearchState, type SearchWithin } from '@parley/client/search'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { SEARCH_PAGE, SEARCH_REST_MS } from '../limits.ts'
import { isSearchable } from './searchable.ts'

export interface SearchView {
  state: SearchState
  /** Searches at once, without waiting for another key. */
  now: () => void
  more: () => void
  /** The typed text is not searched for yet. */
  waiting: boolean
}

/**
 * Searches for the typed text, a moment after the last key, and announces the number of results.
 *
 * @param within  where to search; must be the same object from render to render
 */
export function useSearch(text: string, within: SearchWithin): SearchView {
  const { client, clock } = useChat()
  const announce = useAnnounce()
  const [search, setSearch] = useState(() => new Search(client, { limit: SEARCH_PAGE, onlyMessages: true }))
  const [made, setMade] = useState(client)
  if (made !== client) {
    setMade(client)
    setSearch(new Search(client, { limit: SEARCH_PAGE, onlyMessages: true }))
  }
  const state = useSyncExternalStore(search.subscribe, search.snapshot, search.snapshot)
  const query = isSearchable(text) ? text.trim() : ''
  const now = useCallback(() => void search.setText(query, within), [search, query, within])
  useEffect(() => {
    if (query === '') return now()
    return clock.after(SEARCH_REST_MS, now)
  }, [clock, query, now])

  const { searching, messages, error } = state
  const settled = query !== '' && !searching && state.text === query && !error
  const count = messages.length
  useEffect(() => {
    if (settled) announce('results', { count })
  }, [settled, count, announce])

  return { state, now, more: () => void search.loadMoreMessages(), waiting: query !== '' && state.text !== query }
}
