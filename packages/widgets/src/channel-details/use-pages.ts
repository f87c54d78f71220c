import { useEffect, useRef, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'

/** The results so far. */
export interface Pages<Item> {
  items: readonly Item[]
  at: 'loading' | 'loaded' | 'failed'
  hasMore: boolean
  /** loads the next page, or retries the one that failed */
  load: () => void
}

export interface Page<Item, Place> {
  items: readonly Item[]
  /** the cursor of the next page, if there is one */
  next?: Place | undefined
}

export interface PagesOptions<Item, Place> {
  /** the source; another one starts the search again; undefined if there is none */
  source: object | undefined
  query: string
  /** how long a search waits for more letters */
  restMs: number
  find: (query: string, from: Place | undefined, signal: AbortSignal) => Promise<Page<Item, Place>>
  keyOf: (item: Item) => string
}

interface Found<Item, Place> extends Page<Item, Place> {
  source: object
  query: string
}

/**
 * The results of a search, page by page. Former results stay until the first page arrives, and a late answer to a
 * former search is ignored.
 */
export function usePages<Item, Place>(options: PagesOptions<Item, Place>): Pages<Item> {
  const { source, query, restMs, find, keyOf } = options
  const { clock } = useChat()
  const [found, setFound] = useState<Found<Item, Place>>()
  const [at, setAt] = useState<Pages<Item>['at']>('loading')
  const isOf = found !== undefined && found.source === source && found.query === query
  const from = isOf ? found.next : undefined
  const wanted = useRef(new AbortController())

  const load = async ({ signal }: AbortController) => {
    if (!source) return
    setAt('loading')
    try {
      const { items, next } = await find(query, from, signal)
      if (signal.aborted) return
      const known = isOf ? found.items : []
      const keys = new Set(known.map(keyOf))
      setFound({ source, query, items: [...known, ...items.filter((item) => !keys.has(keyOf(item)))], next })
      setAt('loaded')
    } catch {
      if (!signal.aborted) setAt('failed')
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search begins with its first page; more on request.
  useEffect(() => {
    if (!source) return
    const giveUp = new AbortController()
    wanted.current = giveUp
    setAt('loading')
    const cancel = clock.after(restMs, () => void load(giveUp))
    return () => {
      cancel()
      giveUp.abort()
    }
  }, [source, clock, query])

  return { items: found?.items ?? [], at, hasMore: from !== undefined, load: () => void load(wanted.current) }
}
