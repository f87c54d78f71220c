import type { ChatClient } from '@parley/client'
import { createContext, type Dispatch, useContext } from 'react'
import type { ChatState, ChatStateEvent } from './chat-state.ts'

export interface Chat {
  state: ChatState
  dispatch: Dispatch<ChatStateEvent>
  /**
   * The connected client; undefined before the first connection, without chat access, and while another page connects.
   */
  client?: ChatClient
  /** The first connection failed. */
  failed: boolean
  /** Makes this page connect itself. */
  need(): void
  /** Whether this page is the one that the user looked at last. */
  isLastSeen: boolean
  /** In ms; 0 while notifications are not paused. */
  quietUntil(): number
}

export const ChatContext = createContext<Chat | undefined>(undefined)

/** The product's chat state and the client that feeds it. */
export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('useChat is outside of ChatProvider; the shell puts it around every page.')
  return chat
}
