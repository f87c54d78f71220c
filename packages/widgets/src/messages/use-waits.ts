import type { ChatClient, LocalMessage } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'
import { wasCutOff } from './message-failure.ts'

/** See `useWaits`; a snapshot without a subscription. */
export function waitsNow({ connection }: ChatClient, message: LocalMessage | undefined): boolean {
  return message !== undefined && wasCutOff(message) && connection.snapshot().at !== 'connected'
}

/**
 * Whether a message only waits for a connection: it is sent by itself once there is one, and the user need not do
 * anything.
 */
export function useWaits(message: LocalMessage | undefined): boolean {
  const client = useClient()
  const waits = () => waitsNow(client, message)
  return useSyncExternalStore(client.connection.subscribe, waits, waits)
}
