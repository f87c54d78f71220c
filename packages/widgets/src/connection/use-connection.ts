import type { Connection } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'

/** The client's connection state. */
export function useConnection(): Connection {
  const { connection } = useClient()
  return useSyncExternalStore(connection.subscribe, connection.snapshot, connection.snapshot)
}

/** True from 5 s after the connection was lost until it is back. */
export function useOffline(): boolean {
  const { online } = useClient()
  return !useSyncExternalStore(online.subscribe, online.snapshot, online.snapshot)
}

/** Whether the device itself has no network. */
export function useDeviceOffline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener)
      window.addEventListener('offline', listener)
      return () => {
        window.removeEventListener('online', listener)
        window.removeEventListener('offline', listener)
      }
    },
    () => !navigator.onLine,
    () => false,
  )
}
