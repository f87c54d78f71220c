import type { Batch } from '../database/batch.ts'
import type { UserRow } from '../database/tables.ts'
import { lockedUsers, putUsers } from './user-store.ts'

/** Marks a user as banned in the app, or not, and tells whoever can see that; gives the user as it is now. */
export async function setUserBan(
  batch: Batch,
  { app, id }: UserRow,
  marks: Pick<UserRow, 'banned' | 'shadow_banned' | 'ban_expires'>,
): Promise<UserRow> {
  const [now] = await lockedUsers(batch.db, batch.dialect, app, [id])
  const isSeen = shownBan(now!) !== shownBan({ ...now!, ...marks })
  const marked = { ...now!, ...marks, ...(isSeen && { updated_at: batch.now() }) }
  await putUsers(batch.db, batch.dialect, [marked])
  batch.changedUsers.add(`${app}|${id}`)
  if (!isSeen) return marked
  batch.updatedUsers.push(marked)
  if (now!.banned !== marked.banned) batch.rankedUsers.add(marked)
  return marked
}

/** What others, and the user, see of a ban: of a shadow ban nothing. */
function shownBan({ banned, ban_expires }: UserRow): string {
  return banned ? `until ${ban_expires}` : ''
}
