import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import { listHolds } from '../../platform/database/list-holds.ts'
import type { DeletedForMeRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

export async function insertDeletedForMe(db: Db, row: DeletedForMeRow) {
  await db
    .insertInto('deleted_for_me')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The messages a user deleted for themselves in these channels, oldest first. */
export async function deletedInChannels(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  cids: readonly string[],
): Promise<DeletedForMeRow[]> {
  if (cids.length === 0) return []
  const { rows } = await sql<DeletedForMeRow>`select * from deleted_for_me where app = ${app} and user_id = ${userId}
    and cid ${dialect.among(cids, 'text')} order by at`.execute(db)
  return rows
}

/** Which of these messages a user deleted for themselves. */
export async function deletedAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  userId: string,
  ids: readonly string[],
): Promise<DeletedForMeRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<DeletedForMeRow>`select * from deleted_for_me where app = ${app} and user_id = ${userId}
    and message_id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

/** Which users deleted which of these messages only for themselves. */
export async function deletionsAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<DeletedForMeRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<DeletedForMeRow>`select * from deleted_for_me where app = ${app}
    and message_id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}

/** The users who deleted each of these messages only for themselves. */
export async function deletersOf(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<(id: string) => string[]> {
  const { rows } = await sql<{ message_id: string; user_id: string }>`select message_id, user_id from deleted_for_me
    where app = ${app} and message_id ${dialect.among(ids, 'text')}`.execute(db)
  const byMessage = Map.groupBy(rows, (row) => row.message_id)
  return (id) => (byMessage.get(id) ?? []).map((row) => row.user_id)
}

/** Forgets who deleted these messages for themselves, when the messages are deleted for good. */
export async function dropDeletedForMe(db: Db, dialect: Dialect, app: string, ids: readonly string[]) {
  await sql`delete from deleted_for_me where app = ${app}
    and message_id ${dialect.among(ids, 'text')}`.execute(db)
}

/** How many countable messages of others after an ordinal a user deleted for themselves. */
export async function deletedAfter(db: Db, app: string, cid: string, userId: string, ordinal: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from deleted_for_me d
    join messages g on g.app = d.app and g.id = d.message_id
    where d.app = ${app} and d.user_id = ${userId} and d.cid = ${cid} and g.counted = 1 and g.deleted_at is null
    and g.user_id <> d.user_id and g.ordinal > ${ordinal}
    and (g.audience_json is null or ${listHolds('g.audience_json', sql`d.user_id`)})`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** When the user deleted each of these messages, by id. */
export type DeletedForMe = ReadonlyMap<string, Micros>
