import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow, MemberRow } from '../../platform/database/tables.ts'
import { updateBan } from './member-store.ts'

export { memberOf as memberIn, moderatorsOf } from './member-store.ts'

/** Sets or clears a member's banned flag; does nothing for a non-member. */
export async function setMemberBan(
  batch: Batch,
  { app, cid }: ChannelRow,
  userId: string,
  marks: Pick<MemberRow, 'banned' | 'shadow_banned' | 'ban_expires'>,
) {
  await updateBan(batch.db, app, cid, userId, marks)
  batch.changedMembers.add(`${app}|${cid}|${userId}`)
}
