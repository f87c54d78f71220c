import type { Batch } from '../../platform/database/batch.ts'
import type { ChannelRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import { nothingUnreadFor } from '../reads/joining.ts'
import { setHideBefore } from './member-store.ts'

/**
 * Hides messages up to a time from some members, who then have none unread.
 *
 * @returns the members, by the end of their hidden history: it may already have been later
 */
export async function hideHistory(
  { db, dialect, changedMembers }: Batch,
  channel: ChannelRow,
  memberIds: readonly string[],
  before: Micros,
): Promise<Map<Micros, string[]>> {
  const { app, cid } = channel
  const hidden = await setHideBefore(db, dialect, app, cid, memberIds, before - 1)
  const ids = hidden.map((member) => member.user_id)
  for (const id of ids) changedMembers.add(`${app}|${cid}|${id}`)
  await nothingUnreadFor(db, dialect, channel, ids)
  const byTime = Map.groupBy(hidden, (member) => member.hide_before)
  return new Map([...byTime].map(([time, members]) => [time, members.map((member) => member.user_id)]))
}
