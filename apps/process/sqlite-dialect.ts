import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'

/** How long a statement waits for another program that has locked the file, in milliseconds. */
const PATIENCE_MS = 5_000
const LONGEST_PAUSE_MS = 20

/** Primary result codes of SQLite, without their extended part. */
const SQLITE_BUSY = 5
const SQLITE_PROTOCOL = 15
/** A transaction that read before others wrote can never write, however long it waits. */
const SQLITE_BUSY_SNAPSHOT = 517

/**
 * SQLite for a file that other programs open as well: a backup, a `vacuum`, an operator's shell. A transaction takes
 * the write lock when it begins, since a later upgrade is refused at once. A locked statement is retried from the event
 * loop: SQLite's own waiting would block the whole program.
 *
 * @throws the error that `stillLocked` makes of SQLite's — the lock is still held after five seconds
 */
export class SharedFileDialect extends SqliteDialect {
  #patience: Patience
  #database: SqliteDatabase

  /**
   * @param database    a connection with a `busy_timeout` of 0
   * @param stillLocked makes the program's error for a lock that stays
   */
  constructor(database: SqliteDatabase, stillLocked: (cause: unknown) => unknown, patienceMs = PATIENCE_MS) {
    super({ database })
    this.#database = database
    this.#patience = { patienceMs, stillLocked }
  }

  override createDriver() {
    return new SharedFileDriver(this.#database, this.#patience)
  }
}

interface Patience {
  patienceMs: number
  stillLocked: (cause: unknown) => unknown
}

class SharedFileDriver extends SqliteDriver {
  #connection: SharedFileConnection

  constructor(database: SqliteDatabase, patience: Patience) {
    super({ database })
    this.#connection = new SharedFileConnection(database, patience)
  }

  override async acquireConnection() {
    return this.#connection
  }

  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class SharedFileConnection implements DatabaseConnection {
  #database: SqliteDatabase
  #patience: Patience

  constructor(database: SqliteDatabase, patience: Patience) {
    this.#database = database
    this.#patience = patience
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    for (let waitedMs = 0, pauseMs = 1; ; waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        const statement = this.#database.prepare(sql)
        if (statement.reader) return { rows: statement.all(parameters) as Row[] }
        const { changes, lastInsertRowid } = statement.run(parameters)
        return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
      } catch (error) {
        if (!isLocked(error)) throw error
        if (waitedMs >= this.#patience.patienceMs) throw this.#patience.stillLocked(error)
        await pause(pauseMs)
      }
    }
  }

  // biome-ignore lint/correctness/useYield: nobody reads row by row
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Rows of SQLite are not streamed.')
  }
}

function isLocked(error: unknown): boolean {
  const { errcode } = error as { errcode?: unknown }
  if (typeof errcode !== 'number' || errcode === SQLITE_BUSY_SNAPSHOT) return false
  return (errcode & 0xff) === SQLITE_BUSY || (errcode & 0xff) === SQLITE_PROTOCOL
}
