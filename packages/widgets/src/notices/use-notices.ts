import { useChat } from '../chat/chat-context.ts'
import type { Notices } from './notices.ts'

/** `notices.show('error', 'send.failed')` */
export function useNotices(): Notices {
  return useChat().notices
}

/** "error code 17: …", for the details of a notice. */
export function detailsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
