import type { ChatClient } from '@parley/client'
import { useChat } from './chat-context.ts'

/** The client given to `<Chat>`. */
export function useClient(): ChatClient {
  return useChat().client
}
