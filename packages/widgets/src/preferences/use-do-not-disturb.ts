import { useCallback, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { onQuiet, quietUntil } from './do-not-disturb.ts'

/** Until when one has put off what tells of messages, in ms; 0 where one has not, or where that is over. */
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
