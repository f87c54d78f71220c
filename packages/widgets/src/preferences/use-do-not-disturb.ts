import { useCallback, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { onQuiet, quietUntil } from './do-not-disturb.ts'

/** The end of the reader's do not disturb, in ms; 0 if it is off or over. */
export function useDoNotDisturb(): number {
  const { client, clock } = useChat()
  const subscribe = useCallback((heard: () => void) => onQuiet(client, heard), [client])
  const until = useSyncExternalStore(
    subscribe,
    () => quietUntil(client),
    () => 0,
  )
  return until > clock.now() ? until : 0
}
