import type { Unread } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useClient } from './use-client.ts'

/** The reader's unread messages over all channels, and the number of channels with any. */
export function useUnread(): Unread {
  const { unread } = useClient()
  return useSyncExternalStore(unread.subscribe, unread.snapshot, unread.snapshot)
}
