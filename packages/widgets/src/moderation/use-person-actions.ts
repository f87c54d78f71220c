import type { Channel } from '@parley/client'
import { useChat } from '../chat/chat-context.ts'
import { type PersonActions, personActions } from './person-actions.ts'

export function usePersonActions(channel: Channel): PersonActions {
  const { client, notices } = useChat()
  return personActions(client, notices, channel)
}
