import type { Kysely } from 'kysely'
import type { AppRow, Tables } from '../database/tables.ts'

export function appByKey(db: Kysely<Tables>, key: string): Promise<AppRow | undefined> {
  return db.selectFrom('apps').selectAll().where('key', '=', key).executeTakeFirst()
}

/** Makes the app, or gives the one of that key its secret. */
export async function putApp(db: Kysely<Tables>, app: AppRow) {
  await db
    .insertInto('apps')
    .values(app)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ secret: app.secret }))
    .execute()
}
