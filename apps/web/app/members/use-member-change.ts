import { useEffect } from 'react'
import { type FetcherWithComponents, useFetcher } from 'react-router'
import { noticeDone, noticeError } from '../ui/notices.tsx'
import type { MemberChangeAnswer } from './change-members.server.ts'

/**
 * Changes something about the members, and says what came of it. It must stand outside of what the change takes off
 * the page: a row that is gone says nothing.
 */
export function useMemberChange(): FetcherWithComponents<MemberChangeAnswer> {
  const fetcher = useFetcher<MemberChangeAnswer>()
  useEffect(() => {
    if (fetcher.state !== 'idle' || !fetcher.data) return
    if (fetcher.data.type === 'error') noticeError(fetcher.data.error)
    else if (fetcher.data.notice) noticeDone(fetcher.data.notice)
  }, [fetcher.state, fetcher.data])
  return fetcher
}
