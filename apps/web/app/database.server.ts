import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Kysely, PostgresDialect, type SqliteDatabase } from 'kysely'
import pg from 'pg'
import { SharedFileDialect } from '../../process/sqlite-dialect.ts'

/**
 * The product's own tables. The sign-in library creates and migrates them (`getMigrations`); the chat server has its
 * own database, and the two only meet over HTTP.
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
  /** Family and given name without case and accents, for sorting and searching. */
  nameKey: string
  /** Two letters, or null while none is chosen. */
  language: string | null
  theme: string
  /** The setting from before memberships had their own; see `moveChatAccess`. */
  chatAccess: boolean
  /** When their chat ended, until the chat server knows. */
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
  /**
   * Whether this membership gives chat access, as the organization's managers have set it; null: see `moveChatAccess`.
   */
  chatAccess: boolean | null
  createdAt: Date
}

export interface InvitationRow {
  /** Derived from the secret in the link, which is stored nowhere. */
  id: string
  organizationId: string
  /** In lower case. */
  email: string
  role: string | null
  /** `pending` or `accepted`; a revoked one is deleted. */
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
  /** The subscription ends with this session. */
  sessionId: string
  /** The push service's URL for this browser. */
  endpoint: string
  /** The browser's keys, in base64url: push services cannot read a message. */
  p256dh: string
  auth: string
  /** The browser's language, for users who have chosen none. */
  language: string
}

/** A user who has deleted their account, until the chat server knows. */
export interface DepartureRow {
  /** The user's id. */
  id: string
  at: Date
}

export interface RateLimitRow {
  /** Derived from the limit's name and the key it counts for. */
  id: string
  /** In milliseconds; from then on the full limit is available again. */
  spentUntil: number
}

export interface Database {
  kysely: Kysely<Tables>
  type: 'sqlite' | 'postgres'
  /** The path of the SQLite file; undefined for PostgreSQL and for an in-memory database. */
  file: string | undefined
  close(): Promise<void>
}

/** The default number of connections to PostgreSQL. */
export const POOL_SIZE = 10
/** How long opening waits for another program that locks the file; afterwards see `SharedFileDialect`. */
const OPENING_MS = 5_000

/**
 * Opens `sqlite:<file>`, `sqlite::memory:` or `postgres://…`. Missing folders of the file are created.
 *
 * @param poolSize the most connections to PostgreSQL
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

/** The response while another program locks the file. */
export function stillLocked(): Response {
  return new Response('The database is locked by another program. Try again in a moment.', {
    status: 503,
    statusText: 'Service Unavailable',
    headers: { 'Retry-After': '5', 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

/**
 * A connection that breaks, idle or between two statements of a transaction, is replaced at the next use; the statement
 * on a broken one throws, and nothing else stops.
 */
function openPool(connectionString: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString, max })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Node's SQLite, in the shape that Kysely expects. */
function openSqlite(file: string): SqliteDatabase {
  if (file !== ':memory:') {
    mkdirSync(dirname(file), { recursive: true })
    // The file is readable by its owner only, and SQLite creates the files beside it alike.
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

/**
 * SQLite has no times and no booleans: times are ISO 8601 text and flags 0 or 1, as the sign-in library stores them.
 */
function toSqlite(value: unknown): SQLInputValue {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}
