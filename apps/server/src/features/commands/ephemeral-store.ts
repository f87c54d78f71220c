import type { Kysely } from 'kysely'
import type { EphemeralMessageRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** Undefined when there is none, or its time is over. */
export function ephemeralById(db: Db, app: string, id: string, now: Micros): Promise<EphemeralMessageRow | undefined> {
  return db
    .selectFrom('ephemeral_messages')
    .selectAll()
    .where('app', '=', app)
    .where('id', '=', id)
    .where('expires', '>', now)
    .executeTakeFirst()
}

/** Keeps one; what an id stood for before is over. */
export async function putEphemeral(db: Db, row: EphemeralMessageRow) {
  const { app: _, id: __, ...rest } = row
  await db
    .insertInto('ephemeral_messages')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app', 'id']).doUpdateSet(rest))
    .execute()
}

export async function deleteEphemeral(db: Db, app: string, id: string) {
  await db.deleteFrom('ephemeral_messages').where('app', '=', app).where('id', '=', id).execute()
}

export async function deleteEphemeralsBefore(db: Db, now: Micros) {
  await db.deleteFrom('ephemeral_messages').where('expires', '<=', now).execute()
}
