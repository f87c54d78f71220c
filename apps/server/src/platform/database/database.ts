import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Kysely, type LogEvent, PostgresDialect } from 'kysely'
import pg from 'pg'
import { lockFile } from '../../../../process/file-lock.ts'
import { SettingError } from '../../../../process/settings.ts'
import { SharedFileDialect } from '../../../../process/sqlite-dialect.ts'
import { ChatError } from '../chat-error.ts'
import { type Dialect, makerOf, openSqlite, postgresDialect, readingBeside, sqliteDialect } from './dialect.ts'
import { migrate } from './migrations.ts'
import { type Asker, QueryAdmission } from './query-admission.ts'
import { admissionDialect } from './query-driver.ts'
import { QueryProcess } from './query-process.ts'
import { QUERY_TIMEOUT_MS, queryTooSlow } from './query-timeout.ts'
import { SharedConnections } from './shared-connections.ts'
import { setPlannerStatistics } from './sqlite-planner.ts'
import type { Tables } from './tables.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

/** Connections a node has to PostgreSQL at most, unless a setting overrides it. */
export const POOL_SIZE = 13
/** Those of them that write. The group commit uses one. */
const WRITING_CONNECTIONS = 2
/** Those for queries whose cost callers decide; so many run at a time. */
const QUERY_CONNECTIONS = 3
/** A read of the server's own making may take so many times as long as a query of a caller's. */
const READ_TIMES = 5
/** A statement that PostgreSQL ended in time. */
const CANCELED = '57014'

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
  /** Where SQLite keeps it; undefined for PostgreSQL. */
  file: string | undefined
  /**
   * For queries that a caller's filter or order shapes: they run beside the event loop, some at a time, in their
   * caller's turn, and no longer than the deadline. Their statements throw ChatError RequestTimeoutError (23) or
   * RateLimitError (9).
   */
  queriesOf(asker: Asker): Kysely<Tables>
  /** Calls back with the values of every statement that `write` has run, for checks on all stored data. */
  onWritten(listener: (values: readonly unknown[]) => void): void
  /**
   * Called after each commit. Resolves when the commit survives a loss of power, if it must; rejects when that is
   * unknown.
   */
  settled(commit: { lasting: boolean }): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** How long a query that its caller wrote may run. */
  queryTimeoutMs?: number
  /** Connections to PostgreSQL at most, from 4 on. */
  databasePoolSize?: number
  /** How long another server that has the file is waited for, since it may be about to end. */
  startWaitMs?: number
  /** Called once, with a sentence, if the start has to wait. */
  waiting?(why: string): void
  /** Called before the database is migrated. */
  first?(database: Database): Promise<void>
}

/**
 * Opens and migrates the database.
 *
 * @param url `sqlite:<path>`, `sqlite::memory:` or `postgres://…`
 * @throws SettingError — another server has the file
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const { queryTimeoutMs = QUERY_TIMEOUT_MS, databasePoolSize = POOL_SIZE } = options
  const database = url.startsWith('sqlite:')
    ? await openSqliteFile(url.slice('sqlite:'.length), queryTimeoutMs, options)
    : await openPostgres(url, databasePoolSize, queryTimeoutMs)
  try {
    await options.first?.(database)
    await migrate(database.write, database.dialect)
    if (database.dialect === sqliteDialect) await setPlannerStatistics(database.write)
  } catch (cause) {
    await database.close()
    throw cause
  }
  return database
}

/** Passes the written statements' values to listeners. */
class Written {
  #listener: ((values: readonly unknown[]) => void) | undefined
  readonly log = ({ level, query }: LogEvent) => {
    if (level === 'query') this.#listener?.(query.parameters)
  }

  listen(listener: (values: readonly unknown[]) => void) {
    this.#listener = listener
  }
}

async function openSqliteFile(
  path: string,
  queryTimeoutMs: number,
  { startWaitMs = 0, waiting = () => {} }: DatabaseOptions,
): Promise<Database> {
  // Two connections cannot share a database in memory, so that one is a temporary file that is never synced.
  const passing = path === ':memory:' ? mkdtempSync(join(tmpdir(), 'parley-')) : undefined
  const file = passing ? join(passing, 'chat.sqlite') : path
  mkdirSync(dirname(file), { recursive: true })
  // Two servers would answer from their own caches, and would not publish each other's events.
  const lock = await lockFile(file, startWaitMs, () =>
    waiting(`Another server uses the file of DATABASE_URL. Waiting for up to ${startWaitMs / 1000} s for it to end.`),
  )
  if (!lock)
    throw new SettingError('Another server uses the file of DATABASE_URL. Stop that one, or give each its own.')
  // It is made for its owner alone, and SQLite makes the files beside it alike.
  closeSync(openSync(file, 'a', 0o600))
  const writer = openSqlite(file, passing ? 'passing' : 'lasting')
  const reader = openSqlite(file, 'read-only')
  const log = passing ? undefined : new WriteAheadLog(file, writer)
  const written = new Written()
  const write = new Kysely<Tables>({ dialect: new SharedFileDialect(writer, stillLocked), log: written.log })
  const read = new Kysely<Tables>({ dialect: new SharedFileDialect(readingBeside(writer, reader), stillLocked) })
  const admission = new QueryAdmission(1)
  const queries = new QueryProcess(file, queryTimeoutMs)
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const { columns, rows } = await queries.run({ sql, parameters })
    return rows.map(makerOf(columns))
  }
  return {
    dialect: sqliteDialect,
    read,
    write,
    file,
    onWritten: (listener) => written.listen(listener),
    queriesOf: (asker) => new Kysely({ dialect: admissionDialect('sqlite', admission, asker, query) }),
    settled: async (commit) => log?.settled(commit),
    async close() {
      queries.close()
      await log?.close()
      await read.destroy()
      await write.destroy()
      lock.release()
      if (passing) rmSync(passing, { recursive: true, force: true })
    },
  }
}

/**
 * Statements leave no state in a session (no named prepared statements, settings or session locks, no connection
 * parameters unknown to a pooler), unless we connect to PostgreSQL directly.
 */
async function openPostgres(url: string, poolSize: number, queryTimeoutMs: number): Promise<Database> {
  const querying = poolSize < POOL_SIZE ? 1 : QUERY_CONNECTIONS
  const reading = poolSize - WRITING_CONNECTIONS - querying
  // Every statement needs some deadline. A pooler would reject it as a connection parameter.
  const limits = { statement_timeout: READ_TIMES * queryTimeoutMs }
  const plans = new Plans()
  const make = () => new ReadingClient({ connectionString: url, keepAlive: true, pipeline: true, ...limits }, plans)
  const written = new Written()
  const shared = (await isPooled(url)) ? poolOf(url, reading) : new SharedConnections(make, reading)
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: shared }) })
  const write = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: poolOf(url, WRITING_CONNECTIONS) }),
    log: written.log,
  })
  const queryPool = poolOf(url, querying)
  const admission = new QueryAdmission(querying)
  const query = (text: string, parameters: readonly unknown[]) => inTime(queryPool, text, parameters, queryTimeoutMs)
  return {
    dialect: postgresDialect,
    read,
    write,
    file: undefined,
    onWritten: (listener) => written.listen(listener),
    queriesOf: (asker) => new Kysely({ dialect: admissionDialect('postgres', admission, asker, query) }),
    // All its commits last.
    settled: async () => {},
    async close() {
      await read.destroy()
      await write.destroy()
      await queryPool.end()
    },
  }
}

/** The error of a call while another program locks the file. */
export function stillLocked(cause: unknown): ChatError {
  return new ChatError('RequestTimeoutError', 'the database is locked by another program', { cause })
}

function poolOf(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max, keepAlive: true })
  // A connection that breaks is replaced at the next use; the statement that hits a broken one reports it. The pool
  // reports idle ones only: one that breaks between two statements of a transaction would end the server.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * Whether we reach PostgreSQL through a pooler such as PgBouncer, which may give each transaction to another session.
 * It reports its own process number on connect, and the session reports another.
 */
async function isPooled(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]!.pid !== (client as unknown as { processID: number }).processID
  } finally {
    await client.end()
  }
}

/**
 * One query in a transaction that ends it in time: a pooler in between may give every transaction another connection.
 *
 * @throws ChatError RequestTimeoutError (23)
 */
async function inTime(pool: pg.Pool, text: string, parameters: readonly unknown[], timeoutMs: number) {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(`begin read only; set local statement_timeout = ${timeoutMs}`)
    const { rows } = await client.query(text, [...parameters])
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    if ((error as { code?: string }).code === CANCELED) throw queryTooSlow(timeoutMs, { cause: error })
    throw error
  } finally {
    client.release(broken)
  }
}

/** Statements that PostgreSQL keeps planned for each connection; new query shapes cannot raise this. */
const PLANNED_STATEMENTS = 300
/**
 * The plan is of a table that has other columns now; or a pooler that we took for PostgreSQL gave us another session,
 * which has no such plan, or has it already.
 */
const PLAN_GONE = new Set(['0A000', '26000', '42P05'])
/** Names that no other node gives in a session it had before us. */
const PLAN_NAMES = randomBytes(4).toString('hex')

/** What is planned under which name in the sessions of one database. */
class Plans {
  #names = new Map<string, string>()
  #made = 0

  /** Undefined where PostgreSQL keeps as many as it may. */
  nameOf(text: string): string | undefined {
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < PLANNED_STATEMENTS) {
      name = `plan_${PLAN_NAMES}_${++this.#made}`
      this.#names.set(text, name)
    }
    return name
  }

  forget() {
    this.#names.clear()
  }
}

/**
 * Plans repeated statements once for each connection: planning takes as long as running them. Only for reading, since a
 * statement whose plan is gone is sent again, which a transaction would not survive.
 */
class ReadingClient extends pg.Client {
  #plans: Plans
  #timeoutMs: number
  constructor(config: pg.ClientConfig & { statement_timeout: number }, plans: Plans) {
    super(config)
    this.#plans = plans
    this.#timeoutMs = config.statement_timeout
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own has nine signatures; Kysely uses the first here
  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== 'string' || !Array.isArray(values) || done) return super.query(text, values, done)
    return this.#planned(text, values).catch((error: { code?: string }) => {
      if (error.code !== CANCELED) throw error
      throw queryTooSlow(this.#timeoutMs, { cause: error })
    })
  }

  #planned(text: string, values: unknown[]): Promise<pg.QueryResult> {
    const name = this.#plans.nameOf(text)
    if (name === undefined) return super.query(text, values)
    return super.query({ name, text, values }).catch((error: { code?: string }) => {
      if (!PLAN_GONE.has(error.code ?? '')) throw error
      this.#plans.forget()
      return super.query(text, values)
    })
  }
}
