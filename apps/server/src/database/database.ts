import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { type Dialect, openSqlite, postgresDialect, readingBeside, sqliteDialect } from './dialect.ts'
import { migrate } from './migrations.ts'
import { SharedConnections } from './shared-connections.ts'
import { tellPlanner } from './sqlite-planner.ts'
import type { Tables } from './tables.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

/** Connections a node keeps to PostgreSQL. The group commit uses one for writing. */
const READING_CONNECTIONS = 8
const WRITING_CONNECTIONS = 2

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.JSONB, (text) => text)

/**
 * An open database. `read` sees only what is committed, a statement at a time; `write` is for the group commit alone.
 * On SQLite they are two connections to one file, so that a reader neither waits for a transaction nor sees into it.
 */
export interface Database {
  dialect: Dialect
  read: Kysely<Tables>
  write: Kysely<Tables>
  /**
   * Comes after each commit; resolves when that outlasts a loss of power, if it must, and rejects when nobody knows.
   */
  settled(commit: { lasting: boolean }): Promise<void>
  close(): Promise<void>
}

/**
 * Opens and migrates the database.
 *
 * @param url `sqlite:<path>`, `sqlite::memory:` or `postgres://…`
 */
export async function openDatabase(url: string): Promise<Database> {
  const database = url.startsWith('sqlite:') ? openSqliteFile(url.slice('sqlite:'.length)) : openPostgres(url)
  try {
    await migrate(database.write, database.dialect)
    if (database.dialect === sqliteDialect) await tellPlanner(database.write)
  } catch (cause) {
    await database.close()
    throw cause
  }
  return database
}

function openSqliteFile(path: string): Database {
  // Two connections cannot share a database in memory, so that one is a file nobody keeps or syncs.
  const passing = path === ':memory:' ? mkdtempSync(join(tmpdir(), 'parley-')) : undefined
  const file = passing ? join(passing, 'chat.sqlite') : path
  mkdirSync(dirname(file), { recursive: true })
  // It is made for its owner alone, and SQLite makes the files beside it alike.
  closeSync(openSync(file, 'a', 0o600))
  const writer = openSqlite(file, passing ? 'passing' : 'lasting')
  const reader = openSqlite(file, 'read-only')
  const log = passing ? undefined : new WriteAheadLog(file, writer)
  const write = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writer }) })
  const read = new Kysely<Tables>({ dialect: new SqliteDialect({ database: readingBeside(writer, reader) }) })
  return {
    dialect: sqliteDialect,
    read,
    write,
    settled: async (commit) => log?.settled(commit),
    async close() {
      await log?.close()
      await read.destroy()
      await write.destroy()
      if (passing) rmSync(passing, { recursive: true, force: true })
    },
  }
}

function openPostgres(url: string): Database {
  const make = () => new ReadingClient({ connectionString: url, keepAlive: true, pipeline: true })
  const pool = new pg.Pool({ connectionString: url, max: WRITING_CONNECTIONS })
  // A connection that breaks is replaced at the next use; the statement that hits a broken one reports it. The pool
  // hears of idle ones alone: one that breaks between two statements of a transaction would end the server.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const shared = new SharedConnections(make, READING_CONNECTIONS)
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: shared }) })
  const write = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    dialect: postgresDialect,
    read,
    write,
    // All its commits last.
    settled: async () => {},
    async close() {
      await read.destroy()
      await write.destroy()
    },
  }
}

/** Statements that PostgreSQL keeps planned for each connection; nobody can make it keep more by asking in new ways. */
const PLANNED_STATEMENTS = 300
/** The plan is of a table that has other columns now, or a pooler between us gave us another connection. */
const PLAN_GONE = new Set(['0A000', '26000'])

let planned = new Map<string, string>()
let plannings = 0

/**
 * Plans what is asked again and again once for each connection: that takes as long as finding the answer. Only for
 * reading, since a statement whose plan is gone is asked once more, which a transaction would not survive.
 */
class ReadingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own has nine signatures; Kysely uses the first here
  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== 'string' || !Array.isArray(values) || done) return super.query(text, values, done)
    const name = planName(text)
    if (name === undefined) return super.query(text, values)
    return super.query({ name, text, values }).catch((error: { code?: string }) => {
      if (!PLAN_GONE.has(error.code ?? '')) throw error
      planned = new Map()
      return super.query(text, values)
    })
  }
}

function planName(text: string): string | undefined {
  let name = planned.get(text)
  if (name === undefined && planned.size < PLANNED_STATEMENTS) {
    name = `plan_${++plannings}`
    planned.set(text, name)
  }
  return name
}
