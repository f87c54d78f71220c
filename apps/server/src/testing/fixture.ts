/**
 * The fixture of server tests: a real server on a real database. Each test gets an app of its own, so that tests share
 * a server without meeting.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { type RunningServer, type Surroundings, startServer } from '../app.ts'
import { foundApp } from '../chat/apps/found-app.ts'
import { openDatabase } from '../platform/database/database.ts'
import { readSettings } from '../platform/settings.ts'
import { FakeClock } from './fake-clock.ts'
import { demandOneAtATime } from './one-at-a-time.ts'
import { AppServer, type TestUser } from './test-user.ts'

const databaseFolder = join(import.meta.dirname, '../platform/database')
/** Any number that no other program locks there. */
const TEMPLATE_LOCK = 7_315_227

export interface Fixture {
  readonly clock: FakeClock
  /** The running nodes; one, unless the fixture is a cluster. */
  readonly nodes: readonly RunningServer[]
  /** A new app with its server side and people, who exist but are not connected. */
  createApp<Name extends string>(...names: Name[]): Promise<TestApp<Name>>
}

export type TestApp<Name extends string> = { [N in Name]: TestUser } & { appServer: AppServer }

interface Place {
  name: string
  nodes: number
  database: (id: string) => Promise<{ url: string; drop: () => Promise<void> }>
}

const sqlite: Place = {
  name: 'SQLite',
  nodes: 1,
  database: async () => ({ url: 'sqlite::memory:', drop: async () => {} }),
}
const postgres: Place = { name: 'PostgreSQL', nodes: 1, database: migratedDatabase }
/** By way of PgBouncer, which gives each transaction whatever session is free; empty, so that they migrate there. */
const pooled: Place = { name: 'two nodes behind PgBouncer', nodes: 2, database: pooledDatabase }
const cluster: Place = { name: 'two nodes on PostgreSQL and NATS', nodes: 2, database: migratedDatabase }

/**
 * Runs the same tests on SQLite and on PostgreSQL.
 *
 * @param env settings the tests need
 * @param around replacements of external services
 */
export function onEveryStorage(
  define: (fixture: Fixture) => void,
  env: Record<string, string> = {},
  around: Surroundings = {},
) {
  for (const place of [sqlite, postgres]) describe(`on ${place.name}`, () => define(open(place, env, around)))
}

/** Runs tests on SQLite, on PostgreSQL, and across two nodes; test users are spread over the nodes in turn. */
export function onEveryTransport(
  define: (fixture: Fixture) => void,
  env: Record<string, string> = {},
  around: Surroundings = {},
) {
  for (const place of [sqlite, postgres, cluster]) describe(`on ${place.name}`, () => define(open(place, env, around)))
}

/** Runs tests on SQLite alone: for behaviour that is the same on every database. */
export function onSqlite(define: (fixture: Fixture) => void) {
  describe(`on ${sqlite.name}`, () => define(open(sqlite)))
}

/** Runs tests across two nodes. */
export function onTwoNodes(
  define: (fixture: Fixture) => void,
  env: Record<string, string> = {},
  around: Surroundings = {},
) {
  describe(`on ${cluster.name}`, () => define(open(cluster, env, around)))
}

/** Runs tests across two nodes that reach PostgreSQL through a pooler. */
export function behindPooler(define: (fixture: Fixture) => void, env: Record<string, string> = {}) {
  describe(`on ${pooled.name}`, () => define(open(pooled, env)))
}

/** Runs a test that compares the two databases. */
export function onBothStorages(
  define: (onSqlite: Fixture, onPostgres: Fixture) => void,
  env: Record<string, string> = {},
) {
  describe('on SQLite and PostgreSQL', () => define(open(sqlite, env), open(postgres, env)))
}

function open(place: Place, settings: Record<string, string> = {}, around: Surroundings = {}): Fixture {
  const clock = new FakeClock()
  const nodes: RunningServer[] = []
  let drop = async () => {}
  let folder = ''

  beforeAll(async () => {
    const database = await place.database(randomBytes(6).toString('hex'))
    drop = database.drop
    folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
    for (let i = 0; i < place.nodes; i++) {
      const env = {
        PORT: '0',
        LOG_LEVEL: 'error',
        DATABASE_URL: database.url,
        DATA_DIR: folder,
        // Tests fetch no external pages, unless that is their subject.
        LINK_PREVIEWS: 'off',
        FFMPEG: 'off',
        ...(place.nodes > 1 && { BUS_URL: needed('TEST_NATS_URL'), FILES_SHARED: 'on' }),
        ...settings,
      }
      const node = await startServer({ ...readSettings(env), port: 0 }, clock, around)
      demandOneAtATime(node.server.database)
      nodes.push(node)
    }
  })
  afterAll(async () => {
    for (const node of nodes) await node.stop()
    await drop()
    await rm(folder, { recursive: true, force: true })
  })

  return {
    clock,
    nodes,
    async createApp<Name extends string>(...names: Name[]) {
      const named = { key: randomBytes(6).toString('hex'), secret: randomBytes(16).toString('hex') }
      const app = await foundApp(nodes[0]!.server.database, named, 0)
      const appServer = new AppServer(nodes[0]!.url, app, clock)
      if (names.length > 0) await appServer.createUsers(...names)
      const people = names.map((name, i) => [name, appServer.user(name, nodes[i % nodes.length]!.url)] as const)
      return { appServer, ...Object.fromEntries(people) } as TestApp<Name>
    },
  }
}

/** An empty database on the test PostgreSQL. */
export async function freshDatabase(id: string) {
  const name = `chat_${id}`
  await query(`create database ${name}`)
  return { url: urlOf(name), drop: () => query(`drop database ${name} with (force)`) }
}

/** An empty database on the test PostgreSQL, as PgBouncer gives it. */
async function pooledDatabase(id: string) {
  const { url, drop } = await freshDatabase(id)
  const way = new URL(needed('TEST_PGBOUNCER_URL'))
  way.pathname = new URL(url).pathname
  return { url: way.href, drop }
}

/** A database on the test PostgreSQL with everything in it but rows. */
async function migratedDatabase(id: string) {
  template ??= makeTemplate()
  const name = `chat_${id}`
  await query(`create database ${name} template ${await template}`)
  return { url: urlOf(name), drop: () => query(`drop database ${name} with (force)`) }
}

/** Copying takes a fraction of the time that all steps since the first version do. */
let template: Promise<string> | undefined

/** Serves all workers and all later runs that know the same steps. @returns its name */
async function makeTemplate() {
  const steps = createHash('sha256')
  for (const file of ['migrations.ts', 'dialect.ts']) steps.update(await readFile(join(databaseFolder, file)))
  const name = `chat_template_${steps.digest('hex').slice(0, 12)}`
  const client = new pg.Client({ connectionString: needed('TEST_POSTGRES_URL') })
  await client.connect()
  try {
    // Another worker may want the same; the lock ends with the connection.
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      await client.query(`create database ${name}`)
      await (await openDatabase(urlOf(name))).close()
    }
  } finally {
    await client.end()
  }
  return name
}

function urlOf(name: string) {
  const url = new URL(needed('TEST_POSTGRES_URL'))
  url.pathname = `/${name}`
  return url.href
}

async function query(text: string) {
  const client = new pg.Client({ connectionString: needed('TEST_POSTGRES_URL') })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

function needed(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set; run the tests with npm test.`)
  return value
}
