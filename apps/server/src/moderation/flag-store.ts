import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FlagRow, Tables } from '../database/tables.ts'

type Db = Kysely<Tables>

export function flagOf(db: Db, app: string, subject: string, userId: string): Promise<FlagRow | undefined> {
  return db
    .selectFrom('flags')
    .selectAll()
    .where('app', '=', app)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function insertFlag(db: Db, flag: FlagRow) {
  await db.insertInto('flags').values(flag).execute()
}

export async function deleteFlag(db: Db, { app, subject, user_id }: FlagRow) {
  await db
    .deleteFrom('flags')
    .where('app', '=', app)
    .where('subject', '=', subject)
    .where('user_id', '=', user_id)
    .execute()
}

export async function findMessageFlags(
  db: Db,
  app: string,
  where: RawBuilder<boolean>,
  order: RawBuilder<unknown>,
  page: { limit: number; offset: number },
): Promise<FlagRow[]> {
  const { rows } = await sql<FlagRow>`select f.* from flags f where f.app = ${app} and f.message_id is not null
    and ${where} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}
