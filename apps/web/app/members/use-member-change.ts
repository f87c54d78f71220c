import { useEffect } from 'react'
import { type FetcherWithComponents, useFetcher } from 'react-router'
import { noticeDone, noticeError } from '../ui/notices.tsx'
import type { MemberChangeAnswer } from './change-members.server.ts'

/**
 * Submits a change of members and shows its result. Call it outside the element that the change removes: a removed row
 * cannot show the result.
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
