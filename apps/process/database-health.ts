import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A database that does not answer for this long counts as unavailable; clients of the health check usually wait longer.
 */
const PATIENCE_MS = 2_000
/** The database is checked at most this often, however often the health check is called. */
const FRESH_MS = 1_000
/** With less disk space than this SQLite is about to fail, even if a small write still fits. */
const ROOM_BYTES = 1_048_576

const SQLITE_READONLY = 8
const SQLITE_FULL = 13

const SILENT = 'the database does not answer'
const LOCKED = 'the database is locked by another program'
const READ_ONLY = 'the database is read-only'
const FULL = 'the disk of the database is full'
const UNWRITABLE = 'the database cannot be written'
/** Why the database cannot be used, in a few words for its operator. */
export type DatabaseTrouble = typeof SILENT | typeof LOCKED | typeof READ_ONLY | typeof FULL | typeof UNWRITABLE

export interface ProbedDatabase {
  kind: 'sqlite' | 'postgres'
  /** The SQLite file; undefined in memory and for PostgreSQL. */
  file: string | undefined
  /** Reads and writes a row: reads may succeed where writes fail. */
  write(): Promise<unknown>
  /** Whether it failed because another program holds a lock. */
  isLocked(error: unknown): boolean
}

/** Clock and timer, in milliseconds. */
export interface HealthTimes {
  elapsed(): number
  /** Resolves after this time, or when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>
}

const systemTimes: HealthTimes = {
  elapsed: () => performance.now(),
  wait: (ms, signal) => pause(ms, undefined, { signal, ref: false }),
}

/** Checks that a database is writable by writing a row. */
export class DatabaseHealth {
  #database: ProbedDatabase
  #times: HealthTimes
  #asked: { at: number; answer: Promise<DatabaseTrouble | undefined> } | undefined
  constructor(database: ProbedDatabase, times: HealthTimes = systemTimes) {
    this.#database = database
    this.#times = times
  }

  /**
   * Undefined when the database works. Returns a result of the last second again, for any number of callers. Resolves
   * within two seconds, and never throws.
   */
  trouble(): Promise<DatabaseTrouble | undefined> {
    const now = this.#times.elapsed()
    if (!this.#asked || now - this.#asked.at >= FRESH_MS) this.#asked = { at: now, answer: this.#ask() }
    return this.#asked.answer
  }

  async #ask(): Promise<DatabaseTrouble | undefined> {
    const { kind } = this.#database
    const late = new AbortController()
    const silence = this.#times.wait(PATIENCE_MS, late.signal).then(() => (kind === 'sqlite' ? LOCKED : SILENT))
    silence.catch(() => {})
    const probed = this.#probe().catch((error) => this.#troubleIn(error))
    return Promise.race([probed, silence]).finally(() => late.abort())
  }

  async #probe(): Promise<DatabaseTrouble | undefined> {
    const { file, write } = this.#database
    if (file !== undefined) {
      const { bavail, bsize } = await statfs(dirname(file))
      if (bavail * bsize < ROOM_BYTES) return FULL
    }
    await write()
    return undefined
  }

  /** Classifies an error with which SQLite or PostgreSQL refuses a write. */
  #troubleIn(error: unknown): DatabaseTrouble {
    if (this.#database.isLocked(error)) return LOCKED
    const { code, errcode } = error as { code?: string; errcode?: number }
    if (code === '53100' || errcode === SQLITE_FULL) return FULL
    if (code === '25006' || (errcode ?? 0) % 256 === SQLITE_READONLY) return READ_ONLY
    return errcode === undefined ? SILENT : UNWRITABLE
  }
}
