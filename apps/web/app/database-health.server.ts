import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.server.ts'

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
/** Why the database cannot be used, in a few words for whoever operates it. */
export type DatabaseTrouble = typeof SILENT | typeof LOCKED | typeof READ_ONLY | typeof FULL | typeof UNWRITABLE

const asked = new WeakMap<Database, { at: number; answer: Promise<DatabaseTrouble | undefined> }>()

/**
 * Whether the database can be written at this moment, found out by writing a row; undefined when all is well. Cheap to
 * ask: what was found within the last second is said again. It answers within two seconds, and never throws.
 */
export function databaseHealth(database: Database): Promise<DatabaseTrouble | undefined> {
  const now = performance.now()
  const known = asked.get(database)
  if (known && now - known.at < FRESH_MS) return known.answer
  const late = new AbortController()
  const answer = Promise.race<DatabaseTrouble | undefined>([
    probe(database).catch(troubleIn),
    pause(PATIENCE_MS, database.type === 'sqlite' ? LOCKED : SILENT, { signal: late.signal, ref: false }),
  ]).finally(() => late.abort())
  asked.set(database, { at: now, answer })
  return answer
}

async function probe({ kysely, file }: Database): Promise<DatabaseTrouble | undefined> {
  if (file !== undefined) {
    const { bavail, bsize } = await statfs(dirname(file))
    if (bavail * bsize < ROOM_BYTES) return FULL
  }
  await sql`insert into "healthProbe" ("id", "at") values ('probe', ${Date.now()})
    on conflict ("id") do update set "at" = excluded."at"`.execute(kysely)
  return undefined
}

/** What SQLite and PostgreSQL answer when they do not write. */
function troubleIn(error: unknown): DatabaseTrouble {
  if (error instanceof Response) return LOCKED
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (code === '53100' || errcode === SQLITE_FULL) return FULL
  if (code === '25006' || (errcode ?? 0) % 256 === SQLITE_READONLY) return READ_ONLY
  return errcode === undefined ? SILENT : UNWRITABLE
}
