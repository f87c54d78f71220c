import { useChat } from '../chat/chat-context.ts'
import type { Notices } from './notices.ts'

/** `notices.show('error', 'send.failed')` */
export function useNotices(): Notices {
  return useChat().notices
}
