import { useEffect } from 'react'
import { useClient } from '../chat/use-client.ts'

/**
 * Sends messages that failed for lack of a connection again, in every channel, once there is one: the banner promises
 * that [interface.md 7.25].
 */
export function useSendAgain() {
  const client = useClient()
  useEffect(() => {
    // Until the sending code is loaded no message can fail either; the next opened channel tries again.
    client.sendAgain().catch(() => {})
  }, [client])
}
