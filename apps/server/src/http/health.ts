import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { ChatError } from '../chat-error.ts'
import { type Clock, inTime } from '../clock.ts'
import type { Database } from '../database/database.ts'

/** A database that says nothing for so long is taken for away; those who ask us wait no shorter, as a rule. */
const PATIENCE_MS = 2_000
/** However often somebody asks, the database is asked no more often than this. */
const FRESH_MS = 1_000
/** With less room than this on its disk SQLite is about to fail, whatever small thing still fits. */
const ROOM_BYTES = 1_048_576

const SQLITE_READONLY = 8
const SQLITE_FULL = 13

const SILENT = 'the database does not answer'
const LOCKED = 'the database is locked by another program'
const READ_ONLY = 'the database is read-only'
const FULL = 'the disk of the database is full'
const UNWRITABLE = 'the database cannot be written'
/** Why calls cannot be answered, in a few words for whoever operates the database. */
export type Trouble = typeof SILENT | typeof LOCKED | typeof READ_ONLY | typeof FULL | typeof UNWRITABLE

/** Whether calls can be answered at all, for whoever decides where calls are sent. */
export class Health {
  #database: Database
  #clock: Clock
  #asked: { at: number; answer: Promise<Trouble | undefined> } | undefined
  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** Undefined when all is well. What was found within the last second is said again, however many want to know. */
  trouble(): Promise<Trouble | undefined> {
    const now = this.#clock.elapsed()
    if (!this.#asked || now - this.#asked.at >= FRESH_MS) this.#asked = { at: now, answer: this.#ask() }
    return this.#asked.answer
  }

  async #ask(): Promise<Trouble | undefined> {
    const outcome = await inTime(this.#clock, PATIENCE_MS, this.#probe().catch(troubleIn))
    if ('now' in outcome) return outcome.now
    return this.#database.dialect.name === 'sqlite' ? LOCKED : SILENT
  }

  /** Reading may go well where nothing can be written, so a row is. */
  async #probe(): Promise<Trouble | undefined> {
    const { file, read, write } = this.#database
    if (file !== undefined) {
      const { bavail, bsize } = await statfs(dirname(file))
      if (bavail * bsize < ROOM_BYTES) return FULL
    }
    await sql`select 1`.execute(read)
    await sql`insert into keys (name, value) values ('health', ${String(this.#clock.now())})
      on conflict (name) do update set value = excluded.value`.execute(write)
    return undefined
  }
}

/** What SQLite and PostgreSQL answer when they do not write. */
function troubleIn(error: unknown): Trouble {
  if (error instanceof ChatError) return LOCKED
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (code === '53100' || errcode === SQLITE_FULL) return FULL
  if (code === '25006' || (errcode ?? 0) % 256 === SQLITE_READONLY) return READ_ONLY
  return errcode === undefined ? SILENT : UNWRITABLE
}
