import type { Thread } from '@parley/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../chat/use-client.ts'
import { INBOX_PARTICIPANTS, INBOX_REPLIES, INBOX_THREADS, INBOX_THREADS_AGAIN, MARKED_PAGES_MAX } from '../limits.ts'

export interface ThreadInboxView {
  threads: readonly Thread[]
  at: 'loading' | 'loaded' | 'failed'
  hasMore: boolean
  /** Threads with a reply since they were listed; their order waits for a refresh. */
  updated: number
  refresh: () => void
  /** Loads the next page; after a failure, retries it. */
  loadMore: () => void
  /** Only those with unread replies; threads read meanwhile stay until the filter changes. */
  showUnread: (alone: boolean) => void
  unreadAlone: boolean
  markAllRead: () => Promise<void>
}

const asked = { limit: INBOX_THREADS, participant_limit: INBOX_PARTICIPANTS, reply_limit: INBOX_REPLIES }

/** The reader's threads, page by page, in the order of the server [THR-11…THR-13]. */
export function useThreadInbox(): ThreadInboxView {
  const client = useClient()
  const [threads, setThreads] = useState<readonly Thread[]>([])
  const [next, setNext] = useState<string>()
  const [at, setAt] = useState<ThreadInboxView['at']>('loading')
  const [updated, setUpdated] = useState<readonly string[]>([])
  const [unread, setUnread] = useState<ReadonlySet<Thread>>()

  const latest = useRef<{ next: string | undefined }>(undefined)
  const load = useCallback(
    async (next?: string, limit = INBOX_THREADS) => {
      const asking = { next }
      latest.current = asking
      setAt('loading')
      // Events from now on may not be in the answer yet.
      if (next === undefined) setUpdated([])
      try {
        const page = await client.queryThreads({ ...asked, limit, next })
        // The answer to an earlier request may come last.
        if (asking !== latest.current) return
        setThreads((before) => (next === undefined ? page.threads : [...new Set([...before, ...page.threads])]))
        setNext(page.next)
        setAt('loaded')
      } catch {
        if (asking === latest.current) setAt('failed')
      }
    },
    [client],
  )
  useEffect(() => void load(), [load])
  useEffect(() => {
    const subscription = client.on('notification.thread_message_new', ({ thread_id }) =>
      setUpdated((ids) => (ids.includes(thread_id) ? ids : [...ids, thread_id])),
    )
    return () => subscription.unsubscribe()
  }, [client])

  const markAllRead = useCallback(async () => {
    for (let page = 0, next: string | undefined; page < MARKED_PAGES_MAX; page++) {
      const found = await client.queryThreads({ ...asked, next })
      const unread = found.threads.filter((thread) => thread.unreadCount > 0)
      await Promise.all(unread.map((thread) => thread.markRead()))
      next = found.next
      if (next === undefined || unread.length < found.threads.length) return
    }
  }, [client])

  return {
    threads: unread ? threads.filter((thread) => unread.has(thread) || thread.unreadCount > 0) : threads,
    at,
    hasMore: next !== undefined,
    updated: updated.length,
    // As many as were listed, up to a limit, so that the reader keeps their position.
    refresh: () => void load(undefined, Math.min(INBOX_THREADS_AGAIN, Math.max(INBOX_THREADS, threads.length))),
    loadMore: () => void load(at === 'failed' ? latest.current?.next : next),
    showUnread: (alone) => setUnread(alone ? new Set(threads.filter(({ unreadCount }) => unreadCount > 0)) : undefined),
    unreadAlone: unread !== undefined,
    markAllRead,
  }
}
