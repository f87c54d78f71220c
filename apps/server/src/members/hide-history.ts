import type { Batch } from '../database/batch.ts'
import type { ChannelRow } from '../database/tables.ts'
import type { Micros } from '../micros.ts'
import { nothingUnreadFor } from '../reads/joining.ts'
import { setHideBefore } from './member-store.ts'

/** What was said before a time is gone for some members, who have nothing unread then; gives those there are. */
export async function hideHistory(
  { db, dialect, changedMembers }: Batch,
  channel: ChannelRow,
  memberIds: readonly string[],
  before: Micros,
): Promise<string[]> {
  const { app, cid } = channel
  const ids = await setHideBefore(db, dialect, app, cid, memberIds, before - 1)
  for (const id of ids) changedMembers.add(`${app}|${cid}|${id}`)
  await nothingUnreadFor(db, dialect, channel, ids)
  return ids
}
