/** The messages that somebody has not read, as those need them who remind of them. */
import type { MessageRow } from '../../platform/database/tables.ts'

export { deletionsAmong } from './deleted-for-me-store.ts'
export { newestRemindable, remindableBetween } from './message-store.ts'

/** Whether a message that counts does so for somebody else than its author. */
export function countsFor({ user_id, audience_json }: MessageRow, userId: string): boolean {
  if (user_id === userId) return false
  return audience_json === null || (JSON.parse(audience_json) as string[]).includes(userId)
}
