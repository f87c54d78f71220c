import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Kysely, PostgresDialect, SqliteDialect } from 'kysely'
import pg from 'pg'
import { type Dialect, openSqlite, postgresDialect, sqliteDialect } from './dialect.ts'
import { migrate } from './migrations.ts'
import type { Tables } from './tables.ts'

/** Connections a node keeps to PostgreSQL. The group commit uses one of them. */
const POSTGRES_CONNECTIONS = 10

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.JSONB, (text) => text)

/**
 * An open database. `read` sees only what is committed; `write` is for the group commit alone.
 * On SQLite they are two connections to one file, so that a reader never waits inside a transaction.
 */
export interface Database {
  dialect: Dialect
  read: Kysely<Tables>
  write: Kysely<Tables>
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
  const connect = (readOnly: boolean) =>
    new Kysely<Tables>({
      dialect: new SqliteDialect({ database: async () => openSqlite(file, { readOnly, sync: !passing }) }),
    })
  const write = connect(false)
  const read = connect(true)
  return {
    dialect: sqliteDialect,
    read,
    write,
    async close() {
      await read.destroy()
      await write.destroy()
      if (passing) rmSync(passing, { recursive: true, force: true })
    },
  }
}

function openPostgres(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, max: POSTGRES_CONNECTIONS })
  // An idle connection that breaks is replaced at the next use; the query that hits a broken one reports it.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { dialect: postgresDialect, read: db, write: db, close: () => db.destroy() }
}
