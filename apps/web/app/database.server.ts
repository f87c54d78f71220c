import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, PostgresDialect, type SqliteDatabase } from 'kysely'
import pg from 'pg'
import { SharedFileDialect } from '../../process/sqlite-dialect.ts'

/**
 * The product's own tables. They are made and migrated by the sign-in library (`getMigrations`); the chat server
 * has a database of its own and the two meet only over HTTP.
 */
export interface Tables {
  user: UserRow
  account: AccountRow
  organization: OrganizationRow
  member: MemberRow
  invitation: InvitationRow
  picture: PictureRow
  session: SessionRow
  pushKey: PushKeyRow
  pushSubscription: PushSubscriptionRow
  departure: DepartureRow
  allowance: RateLimitRow
}

export interface UserRow {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  givenName: string
  familyName: string
  /** Family and given name without case and accents: what lists sort by and searches look in. */
  nameKey: string
  /** Two letters, or null while the person has not chosen one. */
  language: string | null
  theme: string
  /** What people had before each membership had its own; see `moveChatAccess`. */
  chatAccess: boolean
  /** When their chat ended, until the chat server knows of it. */
  chatEndedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface AccountRow {
  id: string
  accountId: string
  providerId: string
  userId: string
  password: string | null
  createdAt: Date
  updatedAt: Date
}

export interface OrganizationRow {
  id: string
  name: string
  slug: string
  logo: string | null
  metadata: string | null
  createdAt: Date
}

export interface MemberRow {
  id: string
  organizationId: string
  userId: string
  role: string
  /** Whether this membership opens chat, as the organization's managers have switched it; null: see `moveChatAccess`. */
  chatAccess: boolean | null
  createdAt: Date
}

export interface InvitationRow {
  /** Made from the secret in the link, which is kept nowhere. */
  id: string
  organizationId: string
  /** In small letters. */
  email: string
  role: string | null
  /** `pending` or `accepted`; what was taken back is gone. */
  status: string
  expiresAt: Date
  inviterId: string
  createdAt: Date
}

export interface PictureRow {
  id: string
  userId: string
  /** A WebP picture, in base64. */
  content: string
}

export interface SessionRow {
  id: string
  userId: string
  expiresAt: Date
}

export interface PushKeyRow {
  id: string
  publicKey: string
  privateKey: string
}

export interface PushSubscriptionRow {
  id: string
  userId: string
  /** It ends with the session it was made in. */
  sessionId: string
  /** Where messages for this browser are brought to. */
  endpoint: string
  /** The browser's keys, in base64url: nobody on the way reads a message. */
  p256dh: string
  auth: string
  /** The one the browser showed, for those who have chosen none. */
  language: string
}

/** Somebody who has deleted their account, until the chat server knows it. */
export interface DepartureRow {
  /** The person's own. */
  id: string
  at: Date
}

export interface RateLimitRow {
  /** Made from what it allows and to whom. */
  id: string
  /** In milliseconds; from then on nothing of it is spent any more. */
  spentUntil: number
}

export interface Database {
  kysely: Kysely<Tables>
  type: 'sqlite' | 'postgres'
  /** Where SQLite keeps it; undefined for PostgreSQL, and for one in memory. */
  file: string | undefined
  close(): Promise<void>
}

/** Connections to PostgreSQL, unless a setting says otherwise. */
export const POOL_SIZE = 10
/** What opening waits for another program that has the file locked; afterwards see `SharedFileDialect`. */
const OPENING_MS = 5_000

/**
 * Opens `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. Folders of the file are made when missing.
 *
 * @param poolSize connections to PostgreSQL at most
 */
export function openDatabase(url: string, poolSize = POOL_SIZE): Database {
  if (!url.startsWith('sqlite:')) {
    const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(url, poolSize) }) })
    return { kysely, type: 'postgres', file: undefined, close: () => kysely.destroy() }
  }
  const path = url.slice('sqlite:'.length)
  const kysely = new Kysely<Tables>({ dialect: new SharedFileDialect(openSqlite(path), stillLocked) })
  return { kysely, type: 'sqlite', file: path === ':memory:' ? undefined : path, close: () => kysely.destroy() }
}

/** What a browser is told where another program keeps the file locked. */
export function stillLocked(): Response {
  return new Response('The database is locked by another program. Try again in a moment.', {
    status: 503,
    statusText: 'Service Unavailable',
    headers: { 'Retry-After': '5', 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

/**
 * A connection that breaks, idle or between two statements of a transaction, is replaced at the next use; the statement
 * that hits a broken one reports it, and nothing else ends.
 */
function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Node's own SQLite, in the shape Kysely expects. */
function openSqlite(file: string): SqliteDatabase {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true })
    // It is made for its owner alone, and SQLite makes the files beside it alike.
    closeSync(openSync(file, 'a', 0o600))
  }
  const database = new DatabaseSync(file, { timeout: OPENING_MS })
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on; pragma busy_timeout = 0',
  )
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...parameters.map(toSqlite)),
        run: (parameters) => statement.run(...parameters.map(toSqlite)),
        iterate: (parameters) => statement.iterate(...parameters.map(toSqlite)) as IterableIterator<unknown>,
      }
    },
  }
}

/** SQLite has no times and no booleans: times are ISO 8601 text and flags 0 or 1, as the sign-in library keeps them. */
function toSqlite(value: unknown): SQLInputValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}
