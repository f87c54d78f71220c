import type { Batch } from '../../platform/database/batch.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { lockedUsers, putUsers } from './user-store.ts'

/** Sets or clears a user's app ban and publishes it to those who can see it; returns the updated user. */
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

/** The ban as other users and the user see it: a shadow ban is invisible. */
function shownBan({ banned, ban_expires }: UserRow): string {
  return banned ? `until ${ban_expires}` : ''
}
