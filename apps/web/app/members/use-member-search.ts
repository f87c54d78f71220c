import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../http-client.ts'
import { modalParameters, readPage } from './paging.ts'
import type { MemberSearch } from './search-members.ts'

/** The state of the list: the address has the query, this has the result [NEW-6, NEW-7]. */
export interface MemberSearchState {
  search: string
  page: number
  loading: boolean
  failed: boolean
  /** The last successful result; it stays on screen during the next search. */
  found?: MemberSearch
  searchFor(text: string): void
  showPage(page: number): void
  retry(): void
}

/** The people with whom the user could start a chat. The last query wins, whatever the order of the responses. */
export function useMemberSearch(): MemberSearchState {
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get(modalParameters.search) ?? ''
  const page = readPage(parameters.get(modalParameters.page))
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<MemberSearch>()
  const [status, setStatus] = useState<'loading' | 'ready' | 'failed'>('loading')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry repeats the same query
  useEffect(() => {
    const stopped = new AbortController()
    setStatus('loading')
    const query = new URLSearchParams({ search, [modalParameters.page]: String(page) })
    call<MemberSearch>(`/chat/modals/searchMembers?${query}`, { signal: stopped.signal }).then(
      (answer) => {
        setFound(answer)
        setStatus('ready')
      },
      (error) => {
        if (stopped.signal.aborted) return
        console.error(error)
        setStatus('failed')
      },
    )
    return () => stopped.abort()
  }, [search, page, attempt])

  const show = useCallback(
    (nextSearch: string, nextPage: number) =>
      setParameters(
        (before) => {
          set(before, modalParameters.search, nextSearch)
          set(before, modalParameters.page, nextPage > 1 ? String(nextPage) : '')
          return before
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParameters],
  )

  return {
    search,
    page: found?.membershipsPage ?? page,
    loading: status === 'loading',
    failed: status === 'failed',
    found,
    searchFor: useCallback((text) => show(text, 1), [show]),
    showPage: (next) => show(search, next),
    retry: () => setAttempt(attempt + 1),
  }
}

/** Removes the modal's search from the address when the modal closes. */
export function useLeaveAddress(): () => void {
  const [parameters, setParameters] = useSearchParams()
  return () => {
    const names = Object.values(modalParameters)
    if (!names.some((name) => parameters.has(name))) return
    setParameters(
      (before) => {
        for (const name of names) before.delete(name)
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  }
}

function set(parameters: URLSearchParams, name: string, value: string) {
  if (value) parameters.set(name, value)
  else parameters.delete(name)
}
