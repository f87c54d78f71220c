/** Unread messages of a user, as unread reminders need them. */
import type { MessageRow } from '../../platform/database/tables.ts'

export { deletionsAmong } from './deleted-for-me-store.ts'
export { newestRemindable, remindableBetween } from './message-store.ts'

/** Whether a countable message counts for this user: one who is not its author, and may see it. */
export function countsFor({ user_id, audience_json }: MessageRow, userId: string): boolean {
  if (user_id === userId) return false
  return audience_json === null || (JSON.parse(audience_json) as string[]).includes(userId)
}
