import { useEffect } from 'react'
import { useClient } from '../chat/use-client.ts'

/**
 * What found no way to the server goes by itself, in every channel, once there is one: that is what the banner promises
 * [interface.md 7.25].
 */
export function useSendAgain() {
  const client = useClient()
  useEffect(() => {
    // Without what writes nothing can fail either; the next channel that is opened asks again.
    client.sendAgain().catch(() => {})
  }, [client])
}
