import { useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'

/** Threads with replies the reader has not seen. */
export function useUnreadThreads(): number {
  const { threads } = useClient()
  const snapshot = () => threads.snapshot().unreadThreads
  return useSyncExternalStore(threads.subscribe, snapshot, snapshot)
}
