import type { LocalMessage } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'
import { wasCutOff } from './message-failure.ts'

/** Whether a message only waits for a connection: it goes by itself once there is one, and nobody has to do anything. */
export function useWaits(message: LocalMessage | undefined): boolean {
  const { connection } = useClient()
  const waits = () => message !== undefined && wasCutOff(message) && connection.snapshot().at !== 'connected'
  return useSyncExternalStore(connection.subscribe, waits, waits)
}
