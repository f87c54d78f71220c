import type { Kysely } from 'kysely'
import type { ScheduledJobRow, Tables } from '../database/tables.ts'
import type { Micros } from '../micros.ts'

type Db = Kysely<Tables>

/** Sets when something is due, or moves it. */
export async function putJob(db: Db, due: ScheduledJobRow) {
  const { cid, at } = due
  await db
    .insertInto('due')
    .values(due)
    .onConflict((conflict) => conflict.columns(['app', 'kind', 'id']).doUpdateSet({ cid, at }))
    .execute()
}

/** Leaves it as it is where it is set already. */
export async function addJob(db: Db, due: ScheduledJobRow) {
  await db
    .insertInto('due')
    .values(due)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteJob(db: Db, app: string, kind: string, id: string) {
  await db.deleteFrom('due').where('app', '=', app).where('kind', '=', kind).where('id', '=', id).execute()
}

/** What is due by now, the longest overdue first. */
export function jobsDueBy(db: Db, now: Micros, limit: number): Promise<ScheduledJobRow[]> {
  return db.selectFrom('due').selectAll().where('at', '<=', now).orderBy('at').limit(limit).execute()
}

/** Takes what is due, once: false when another node took it or it was moved. */
export async function takeJob(db: Db, { app, kind, id, at }: ScheduledJobRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('due')
    .where('app', '=', app)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .where('at', '=', at)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
