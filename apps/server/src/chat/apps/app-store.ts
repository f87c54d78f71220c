import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { AppRow, AppRuleRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

export function appByKey(db: Db, key: string): Promise<AppRow | undefined> {
  return db.selectFrom('apps').selectAll().where('key', '=', key).executeTakeFirst()
}

export function allApps(db: Db): Promise<AppRow[]> {
  return db.selectFrom('apps').selectAll().execute()
}

export function appById(db: Db, id: string): Promise<AppRow | undefined> {
  return db.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Everything the app's administrators created; a few rows. */
export function rulesOf(db: Db, app: string): Promise<AppRuleRow[]> {
  return db.selectFrom('app_rules').selectAll().where('app', '=', app).orderBy('created_at').orderBy('name').execute()
}

/** Creates the app, or updates the secret of the app with that key. */
export async function putApp(db: Db, app: AppRow) {
  await db
    .insertInto('apps')
    .values(app)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ secret: app.secret }))
    .execute()
}

export async function setSettings(db: Db, id: string, settingsJson: string) {
  await db.updateTable('apps').set({ settings_json: settingsJson }).where('id', '=', id).execute()
}

export async function putRule(db: Db, rule: AppRuleRow) {
  const { body_json, updated_at } = rule
  await db
    .insertInto('app_rules')
    .values(rule)
    .onConflict((conflict) => conflict.columns(['app', 'kind', 'name']).doUpdateSet({ body_json, updated_at }))
    .execute()
}

export async function deleteRule(db: Db, app: string, kind: AppRuleRow['kind'], name: string) {
  await db.deleteFrom('app_rules').where('app', '=', app).where('kind', '=', kind).where('name', '=', name).execute()
}

/** The rules that exist, locked against deletion until the write commits; they may change. */
export async function keptRules(
  db: Db,
  dialect: Dialect,
  { app, kind }: Pick<AppRuleRow, 'app' | 'kind'>,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from app_rules where app = ${app} and kind = ${kind}
    and name ${dialect.among(names, 'text')} order by name ${dialect.forKeyShare}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Keeps two nodes from changing the rules of one app at once. */
export async function lockApp(db: Db, id: string) {
  await db.updateTable('apps').set({ id }).where('id', '=', id).execute()
}
