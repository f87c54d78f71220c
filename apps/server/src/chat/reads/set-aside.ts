import { sql } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import { readsOfMembers } from './read-store.ts'

/**
 * Stops or resumes counting a message for some users only: for those who have not read it, it joins their own
 * messages, which never count.
 *
 * @param by 1 when it stops counting, -1 when it counts again
 * @returns the first user's read state now; undefined for a user who is no member
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
  return unreadStateOf(batch, app, cid, users[0]!)
}

/**
 * A user starts or stops seeing restricted messages: those of them that the user deleted for themselves must not be
 * set aside for both reasons.
 *
 * @returns the user's read state now; undefined for a user who is no member
 */
export async function setAsideByRole(
  batch: Batch,
  app: string,
  cid: string,
  userId: string,
  seesAll: boolean,
): Promise<{ ordinal: number; unread: number } | undefined> {
  await sql`update reads set own_after = own_after ${seesAll ? sql`+` : sql`-`} (select count(*) from deleted_for_me d
      join messages g on g.app = d.app and g.id = d.message_id
      where d.app = reads.app and d.user_id = reads.user_id and d.cid = reads.cid and g.counted = 1
      and g.deleted_at is null and g.user_id <> d.user_id and g.ordinal > reads.ordinal
      and g.audience_json is not null and not ${listHolds('g.restricted_json', sql`d.user_id`)})
    where app = ${app} and cid = ${cid} and user_id = ${userId}`.execute(batch.db)
  return unreadStateOf(batch, app, cid, userId)
}

async function unreadStateOf(batch: Batch, app: string, cid: string, user_id: string) {
  await batch.flushCounters()
  const reads = await readsOfMembers(batch.db, batch.dialect, app, [{ cid, user_id }])
  return reads.get(`${cid}|${user_id}`)
}
