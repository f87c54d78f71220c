import type { ChatClient } from '@parley/client'
import { createContext, type Dispatch, useContext } from 'react'
import type { ChatState, ChatStateEvent } from './chat-state.ts'

export interface Chat {
  state: ChatState
  dispatch: Dispatch<ChatStateEvent>
  /** The connected client; undefined before the first connection, without chat access, and while another page tells. */
  client?: ChatClient
  /** The first connection could not be made. */
  failed: boolean
  /** Has this page connected itself. */
  need(): void
  /** Whether no other page of the person was looked at since this one was. */
  isLastSeen: boolean
  /** In ms; 0 where notifications are not paused. */
  quietUntil(): number
}

export const ChatContext = createContext<Chat | undefined>(undefined)

/** The chat state of the product and the client that feeds it. */
export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('useChat is outside of ChatProvider; the shell puts it around every page.')
  return chat
}
