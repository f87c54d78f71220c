import { sql } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import type { Micros } from '../../platform/micros.ts'

/** A user's message that follows another user's, and how much later it came. */
export interface Answer {
  user_id: string
  took: Micros
}

/** The answers posted in these channels after `from` and up to `to`; thread replies are left out. */
export async function answersIn(
  { db, dialect }: Batch,
  app: string,
  cids: readonly string[],
  { from, to }: { from: Micros; to: Micros },
): Promise<Answer[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<Answer>`select m.user_id as user_id, m.created_at - b.created_at as took
    from messages m join messages b on b.app = m.app and b.id = (
      select p.id from messages p where p.app = m.app and p.cid = m.cid and p.created_at < m.created_at
      and (p.parent_id is null or p.show_in_channel = 1) and p.type = 'regular' and p.shadowed = 0
      order by p.created_at desc limit 1)
    where m.app = ${app} and m.cid ${dialect.among(cids, 'text')} and m.created_at > ${from} and m.created_at <= ${to}
    and (m.parent_id is null or m.show_in_channel = 1) and m.type = 'regular' and m.shadowed = 0
    and b.user_id <> m.user_id`.execute(db)
  return rows
}
