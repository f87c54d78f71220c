import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { Tables, UnreadReminderRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

/** Undefined when the app has no reminders. */
export async function lookedUpTo(db: Db, app: string): Promise<Micros | undefined> {
  const row = await db.selectFrom('unread_looks').select('at').where('app', '=', app).executeTakeFirst()
  return row?.at
}

export async function setLookedUpTo(db: Db, app: string, at: Micros) {
  await db.updateTable('unread_looks').set({ at }).where('app', '=', app).execute()
}

/** Messages posted up to `at` need no check; a position stored before stays. */
export async function beginLooks(db: Db, app: string, at: Micros) {
  await db
    .insertInto('unread_looks')
    .values({ app, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function forgetLooks(db: Db, app: string) {
  await db.deleteFrom('unread_looks').where('app', '=', app).execute()
}

/** When members of these channels were last reminded; keys are `<cid>|<user id>`. */
export async function remindedIn(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
): Promise<Map<string, Micros>> {
  const { rows } = await sql<UnreadReminderRow>`select * from unread_reminders where app = ${app}
    and cid ${dialect.among(cids, 'text')}`.execute(db)
  return new Map(rows.map(({ cid, user_id, at }) => [`${cid}|${user_id}`, at]))
}

export async function putReminded(db: Db, dialect: Dialect, rows: readonly UnreadReminderRow[]) {
  await dialect.putRows(db, 'unread_reminders', ['app', 'cid', 'user_id'], ['at'], rows)
}

export async function forgetReminded(db: Db, app: string, upTo: Micros) {
  await db.deleteFrom('unread_reminders').where('app', '=', app).where('at', '<=', upTo).execute()
}
