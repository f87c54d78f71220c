import { sql } from 'kysely'
import type { Batch } from '../database/batch.ts'
import { readsOfMembers } from './read-store.ts'

/**
 * A message counts no more, or again, for some users alone: for those who have not read it, it joins their own
 * messages, which never count.
 *
 * @param by 1 when it counts no more, -1 when it counts again
 * @returns where the first of them stands now; undefined for somebody who is no member
 */
export async function setAside(
  batch: Batch,
  { app, cid, ordinal, user_id }: { app: string; cid: string; ordinal: number; user_id: string },
  users: readonly string[],
  by: 1 | -1,
): Promise<{ ordinal: number; unread: number } | undefined> {
  await sql`update reads set own_after = own_after + ${sql.lit(by)} where app = ${app} and cid = ${cid}
    and ordinal < ${ordinal} and user_id <> ${user_id}
    and user_id ${batch.dialect.among(users, 'text')}`.execute(batch.db)
  const [first] = users
  await batch.flushCounters()
  const reads = await readsOfMembers(batch.db, batch.dialect, app, [{ cid, user_id: first! }])
  return reads.get(`${cid}|${first}`)
}
