import { useSyncExternalStore } from 'react'
import { useClient } from './use-client.ts'

/** The id of the user who is signed in; undefined before that, and after a sign-out. */
export function useUserId(): string | undefined {
  const client = useClient()
  const snapshot = () => client.userID
  // A sign-in begins a connection, and a sign-out ends it.
  return useSyncExternalStore(client.connection.subscribe, snapshot, snapshot)
}
