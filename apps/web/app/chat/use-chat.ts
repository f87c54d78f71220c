import type { ChatClient } from '@parley/client'
import { createContext, type Dispatch, useContext } from 'react'
import type { ChatState, ChatStateEvent } from './chat-state.ts'

export interface Chat {
  state: ChatState
  dispatch: Dispatch<ChatStateEvent>
  /** The connected client; undefined before the first connection and without chat access. */
  client?: ChatClient
  /** The first connection could not be made. */
  failed: boolean
}

export const ChatContext = createContext<Chat | undefined>(undefined)

/** The chat state of the product and the client that feeds it. */
export function useChat(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('useChat is outside of ChatProvider; the shell puts it around every page.')
  return chat
}
