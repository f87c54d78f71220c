import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { ImportItemRow, ImportRow, Tables } from '../../platform/database/tables.ts'

type Db = Kysely<Tables>

/** Temporary lists of a running import: the names in its lines, and the threads and channels to settle. */
export type ImportList = 'items' | 'threads' | 'channels'
const listOf = (id: string, list: ImportList) => `${id}:${list}`

export async function addImport(db: Db, row: ImportRow) {
  await db.insertInto('imports').values(row).execute()
}

export function importById(db: Db, app: string, id: string): Promise<ImportRow | undefined> {
  return db.selectFrom('imports').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst()
}

/** Newest first. */
export function importsPage(db: Db, app: string, page: { limit: number; offset: number }): Promise<ImportRow[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('app', '=', app)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

export async function updateImport(db: Db, app: string, id: string, change: Partial<ImportRow>) {
  await db.updateTable('imports').set(change).where('app', '=', app).where('id', '=', id).execute()
}

/** Which of the names are on a list. */
export async function itemsNamed(
  db: Db,
  dialect: Dialect,
  { app, id, list }: { app: string; id: string; list: ImportList },
  names: readonly string[],
): Promise<Map<string, string | null>> {
  if (names.length === 0) return new Map()
  const { rows } = await sql<Pick<ImportItemRow, 'name' | 'about'>>`select name, about from import_items
    where app = ${app} and import_id = ${listOf(id, list)} and name ${dialect.among(names, 'text')}`.execute(db)
  return new Map(rows.map(({ name, about }) => [name, about]))
}

/** Adds names to a list; existing ones stay. */
export async function putItems(
  db: Db,
  dialect: Dialect,
  { app, id, list }: { app: string; id: string; list: ImportList },
  items: ReadonlyMap<string, string | null>,
) {
  const rows = [...items].map(([name, about]) => ({ app, import_id: listOf(id, list), name, about }))
  await dialect.putRows(db, 'import_items', ['app', 'import_id', 'name'], ['name'], rows)
}

/** Names of a list, in order. */
export async function itemsAfter(
  db: Db,
  { app, id, list }: { app: string; id: string; list: ImportList },
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('import_items')
    .select('name')
    .where('app', '=', app)
    .where('import_id', '=', listOf(id, list))
    .where('name', '>', after)
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

/** @returns how many were deleted; 0 when none are left */
export async function dropItems(db: Db, app: string, id: string, limit: number): Promise<number> {
  for (const list of ['items', 'threads', 'channels'] as const) {
    const names = await itemsAfter(db, { app, id, list }, '', limit)
    if (names.length === 0) continue
    await db
      .deleteFrom('import_items')
      .where('app', '=', app)
      .where('import_id', '=', listOf(id, list))
      .where('name', '<=', names.at(-1)!)
      .execute()
    return names.length
  }
  return 0
}

/** Which of the ids belong to users, including deleted ones. */
export async function usersAmong(db: Db, dialect: Dialect, app: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`select id from users where app = ${app}
    and id ${dialect.among(ids, 'text')}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Which of the cids belong to existing channels. */
export async function channelsAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  cids: readonly string[],
): Promise<Set<string>> {
  if (cids.length === 0) return new Set()
  const { rows } = await sql<{ cid: string }>`select cid from channels where app = ${app} and deleted_at is null
    and cid ${dialect.among(cids, 'text')}`.execute(db)
  return new Set(rows.map(({ cid }) => cid))
}

/** The channel and parent of the messages with these ids. */
export async function messagesAmong(
  db: Db,
  dialect: Dialect,
  app: string,
  ids: readonly string[],
): Promise<{ id: string; cid: string; parent_id: string | null }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string; cid: string; parent_id: string | null }>`select id, cid, parent_id
    from messages where app = ${app} and id ${dialect.among(ids, 'text')}`.execute(db)
  return rows
}
