import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../database/dialect.ts'
import type { Tables, UserRow } from '../database/tables.ts'
import type { Micros } from '../micros.ts'

type Db = Kysely<Tables>

/** The users there are among these ids, deleted ones included. */
export async function usersByIds(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<UserRow>`select * from users where app = ${app}
    and id in (select value from ${dialect.list(ids, 'text')})`.execute(db)
  return rows
}

/** Writes users whole, new ones and known ones. */
export async function putUsers(db: Db, users: readonly UserRow[]) {
  for (const user of users)
    await db
      .insertInto('users')
      .values(user)
      .onConflict((conflict) => conflict.columns(['app', 'id']).doUpdateSet(user))
      .execute()
}

/** One statement, however many users are here. */
export async function setLastActive(db: Db, dialect: Dialect, app: string, ids: readonly string[], at: Micros) {
  await sql`update users set last_active = ${at} where app = ${app}
    and id in (select value from ${dialect.list(ids, 'text')})`.execute(db)
}
