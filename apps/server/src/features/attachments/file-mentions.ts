/** Finds the files that database rows name: in the texts of any table. */
import { type Kysely, sql } from 'kysely'
import type { Batch } from '../../platform/database/batch.ts'
import type { Dialect } from '../../platform/database/dialect.ts'
import type { FileRow, Tables } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'

type Db = Kysely<Tables>

const NAMED = /\/files\/([\w-]{27})\//g
/**
 * Tables whose texts keep no file: the file tables, and two with temporary rows. The log also holds events of content
 * erased since; a task depends on data stored elsewhere.
 */
const PASSING = new Set(['files', 'file_variants', 'keys', 'events', 'tasks', 'schema_version'])
const IDS_AT_ONCE = 500
/** A file named repeatedly is stamped at most this often; less than a day, the least that unnamed files are kept. */
const NOTED_EVERY_MICROS = 3_600_000_000

/** A table whose texts can name files. */
export interface NamingTable {
  name: string
  /** The column with the app of a row. */
  app: string
  /** The columns its rows are paged by, in order. */
  key: string[]
  texts: string[]
}

/** All tables, read from the database's own catalogue, so that a new one is not forgotten. */
export async function namingTables(db: Db, dialect: Dialect): Promise<NamingTable[]> {
  const columns = await (dialect.name === 'sqlite' ? sqliteColumns(db) : postgresColumns(db))
  const tables = [...Map.groupBy(columns, ({ table }) => table)].filter(([name]) => !PASSING.has(name))
  return tables
    .flatMap(([name, all]) => {
      const app = name === 'apps' ? 'id' : 'app'
      if (!all.some(({ column }) => column === app)) return []
      const key = all.filter(({ place }) => place > 0).sort((a, b) => a.place - b.place)
      const texts = all.filter(({ type }) => /^(text|json|jsonb|character varying)$/i.test(type))
      return [{ name, app, key: key.map(({ column }) => column), texts: texts.map(({ column }) => column) }]
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Column {
  table: string
  column: string
  type: string
  /** Position in the primary key, from 1; 0 for none. */
  place: number
}

async function sqliteColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`select m.name as "table", c.name as "column", c.type as type, c.pk as place
    from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table' and m.sql not like '%virtual table%'`.execute(
    db,
  )
  return rows
}

async function postgresColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`select c.table_name as "table", c.column_name as "column", c.data_type as type,
      coalesce((select k.ordinal_position from information_schema.table_constraints t
        join information_schema.key_column_usage k on k.constraint_name = t.constraint_name
          and k.table_schema = t.table_schema and k.table_name = t.table_name
        where t.constraint_type = 'PRIMARY KEY' and t.table_schema = c.table_schema and t.table_name = c.table_name
          and k.column_name = c.column_name), 0)::integer as place
    from information_schema.columns c where c.table_schema = current_schema()`.execute(db)
  return rows
}

/**
 * The texts of a page of rows that name files.
 *
 * @param after the key after which the page begins
 * @returns with the key of its last row; without one at the end
 */
export async function rowsNamingFiles(
  db: Db,
  dialect: Dialect,
  { name, app: appColumn, key, texts }: NamingTable,
  { app, after, limit }: { app: string; after: string[] | undefined; limit: number },
): Promise<{ texts: string[]; end: string[] | undefined }> {
  const columns = sql.join(key.map((column) => sql.ref(column)))
  const behind = after ? sql` and (${columns}) > (${sql.join(after)})` : sql``
  const whole = sql`from ${sql.table(name)} where ${sql.ref(appColumn)} = ${app}${behind}`
  let end: string[] | undefined
  if (key.length > 0) {
    const { rows } = await sql<Record<string, string>>`select ${columns} ${whole} order by ${columns}
      limit 1 offset ${sql.lit(limit - 1)}`.execute(db)
    end = rows[0] && key.map((column) => rows[0]![column]!)
  }
  const upTo = end ? sql` and (${columns}) <= (${sql.join(end)})` : sql``
  const asText = (column: string) => (dialect.name === 'sqlite' ? sql.ref(column) : sql`${sql.ref(column)}::text`)
  const named = sql.join(
    texts.map((column) => sql`${asText(column)} like '%/files/%'`),
    sql` or `,
  )
  if (texts.length === 0) return { texts: [], end: undefined }
  const { rows } = await sql<Record<string, string | null>>`select ${sql.join(
    texts.map((column) => sql`${asText(column)} as ${sql.ref(column)}`),
  )} ${whole}${upTo} and (${named})`.execute(db)
  return { texts: rows.flatMap((row) => Object.values(row).filter((text) => typeof text === 'string')), end }
}

/** The ids of the files that texts name. */
export function fileIdsIn(texts: Iterable<string>): Set<string> {
  const ids = new Set<string>()
  for (const text of texts) for (const { 1: id } of text.matchAll(NAMED)) ids.add(id!)
  return ids
}

/** @param app undefined where a batch has written texts of several apps */
async function note(db: Db, app: string | undefined, ids: ReadonlySet<string>, at: Micros, before = at) {
  const all = [...ids]
  for (let from = 0; from < all.length; from += IDS_AT_ONCE) {
    const update = db
      .updateTable('files')
      .set({ named_at: at })
      .where('id', 'in', all.slice(from, from + IDS_AT_ONCE))
      .where('named_at', '<', before)
    await (app === undefined ? update : update.where('app', '=', app)).execute()
  }
}

/** Stamps the files as named at this time. */
export function noteNamed(db: Db, app: string, ids: ReadonlySet<string>, at: Micros) {
  return note(db, app, ids, at)
}

/** Runs with a batch: stamps the files its rows name, also while the tables are being scanned. */
export async function keepNamedFiles(batch: Batch, named: NamedFiles) {
  const ids = named.take()
  if (ids.size > 0) await note(batch.db, undefined, ids, batch.now(), batch.now() - NOTED_EVERY_MICROS)
}

/** Files from before stamps existed count as unnamed since now. */
export async function noteFirstUnnamed(db: Db, app: string, at: Micros) {
  await db.updateTable('files').set({ named_at: at }).where('app', '=', app).where('named_at', '=', 0).execute()
}

export function filesUnnamedSince(db: Db, app: string, before: Micros, limit: number): Promise<FileRow[]> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('app', '=', app)
    .where('kind', 'in', ['file', 'image'])
    .where('named_at', '<', before)
    .orderBy('named_at')
    .limit(limit)
    .execute()
}

/** Collects the files that a batch's statements name, so that a file named meanwhile is not erased. */
export class NamedFiles {
  #ids = new Set<string>()

  /** Collects the values of a statement. */
  note(values: readonly unknown[]) {
    for (const value of values)
      if (Array.isArray(value)) this.note(value)
      else if (typeof value === 'string' && value.includes('/files'))
        for (const id of fileIdsIn([value])) this.#ids.add(id)
  }

  /** Returns and clears what was collected. */
  take(): ReadonlySet<string> {
    if (this.#ids.size === 0) return this.#ids
    const ids = this.#ids
    this.#ids = new Set()
    return ids
  }
}
