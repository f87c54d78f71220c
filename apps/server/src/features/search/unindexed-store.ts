import { type Kysely, sql } from 'kysely'
import type { Dialect, WordedMessage } from '../../platform/database/dialect.ts'
import type { Tables, UnindexedAfterRow } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** The position after which messages are not indexed; undefined when all are. Locked until the transaction ends. */
export async function unindexedAfter(db: Db, dialect: Dialect): Promise<UnindexedAfterRow | undefined> {
  const { rows } = await sql<UnindexedAfterRow>`select app, id from unindexed_after ${dialect.forUpdate}`.execute(db)
  return rows[0]
}

/** The first messages after a position, locked until the transaction ends. */
export async function earliestUnindexed(
  db: Db,
  dialect: Dialect,
  { app, id }: UnindexedAfterRow,
  limit: number,
): Promise<WordedMessage[]> {
  const { rows } = await sql<WordedMessage>`select app, id, cid, created_at, text from messages
    where (app, id) > (${app}, ${id}) order by app, id limit ${limit} ${dialect.forUpdate}`.execute(db)
  return rows
}

/** @param place undefined when all messages are indexed */
export async function setUnindexedAfter(db: Db, place: UnindexedAfterRow | undefined) {
  if (place) await db.updateTable('unindexed_after').set({ app: place.app, id: place.id }).execute()
  else await db.deleteFrom('unindexed_after').execute()
}
