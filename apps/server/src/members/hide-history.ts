import type { Batch } from '../database/batch.ts'
import type { ChannelRow } from '../database/tables.ts'
import type { Micros } from '../micros.ts'
import { nothingUnreadFor } from '../reads/joining.ts'
import { setHideBefore } from './member-store.ts'

/**
 * What was said before a time is gone for some members, who have nothing unread then.
 *
 * @returns those there are, by the time up to which their history is hidden: it may have been a later one already
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
