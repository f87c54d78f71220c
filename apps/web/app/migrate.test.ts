import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type KyselyPlugin, type PluginTransformQueryArgs, type PluginTransformResultArgs, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from './database.server.ts'
import { insertPerson } from './people/new-person.server.ts'
import { openAuth } from './session/auth.server.ts'

const postgres = process.env.TEST_POSTGRES_URL
const site = { secret: randomBytes(32).toString('hex'), publicUrl: 'http://localhost:3000' }
const opening = join(import.meta.dirname, '../src/testing/open-product.ts')

/** Web apps that start at the same moment on one database. */
const AT_ONCE = 4
/** The columns of an earlier version; more are added, and a retired one still counts. */
const LEAST_VERSION = 80

const places: [string, () => Promise<string>][] = [
  ['SQLite', async () => `sqlite:${join(aFolder(), 'new', 'web.sqlite')}`],
]
if (postgres) places.push(['PostgreSQL', aDatabase])

describe.each(places)('an empty database on %s', (_, place) => {
  it('[APP-39] is migrated by one of several web apps that start at once, and the others wait', async () => {
    const url = await place()
    const programs = Array.from({ length: AT_ONCE }, () => spawn(process.execPath, [opening, url]))
    const all = await Promise.all(
      programs.map(async ({ stdout, stderr }) => {
        const errors = text(stderr)
        return (await text(stdout)) || errors
      }),
    )
    // All of them have the same push keys.
    expect(all[0]).toMatch(/^opened with \S{40,}/)
    expect(all).toEqual(Array(AT_ONCE).fill(all[0]))
  })

  it('is also migrated by several connections of one program', async () => {
    const url = await place()
    const opened = Array.from({ length: AT_ONCE }, () => open(url))
    await Promise.all(opened.map((database) => openAuth(database, site)))
  })

  it('[APP-39] is complete or empty when a start is interrupted, and the next one continues', async () => {
    const url = await place()
    const database = open(url)
    const interrupted = { ...database, kysely: database.kysely.withPlugin(new EndsAfter(20)) }
    await expect(openAuth(interrupted, site)).rejects.toThrow('the power went')
    expect(await tablesOf(database)).toEqual([])
    await openAuth(database, site)
    expect(await tablesOf(database)).toContain('organization')
  })

  it('is left alone by an older web app once a newer one has migrated it', async () => {
    const database = open(await place())
    await openAuth(database, site)
    await openAuth(database, site)
    await sql`update product_version set version = version + 1`.execute(database.kysely)
    await expect(openAuth(database, site)).rejects.toThrow(
      /^WEB_DATABASE_URL is a database of version \d+, and this web app knows \d+\. Start a newer one\.$/,
    )
  })

  it('has the keys of names written as they are folded now, also those that an earlier version wrote', async () => {
    const database = open(await place())
    await openAuth(database, site)
    const { kysely } = database
    await kysely.transaction().execute(async (transaction) => {
      for (let n = 0; n < 501; n++) {
        const person = { givenName: 'Łukasz', familyName: 'शर्मा', email: `${n}@x.example` }
        await insertPerson(transaction, person, 'hash', new Date(0))
      }
    })
    await kysely.updateTable('user').set({ nameKey: 'शरमा' }).execute()
    await sql`update product_version set version = version - 1`.execute(kysely)
    await openAuth(database, site)
    const keys = await kysely.selectFrom('user').select('nameKey').distinct().execute()
    expect(keys).toEqual([{ nameKey: 'शर्मा lukasz' }])
  })

  it("is left alone when it is a chat server's", async () => {
    const database = open(await place())
    for (const name of ['schema_version', 'apps', 'channels', 'users'])
      await sql`create table ${sql.table(name)} (id text)`.execute(database.kysely)
    const before = await tablesOf(database)
    await expect(openAuth(database, site)).rejects.toThrow(
      /^WEB_DATABASE_URL is the database of a chat server; [^\n]+$/,
    )
    expect(await tablesOf(database)).toEqual(before)
  })
})

it('the version of the database never goes down', async () => {
  const database = open('sqlite::memory:')
  await openAuth(database, site)
  const { rows } = await sql<{ version: number }>`select version from product_version`.execute(database.kysely)
  expect(rows[0]?.version).toBeGreaterThanOrEqual(LEAST_VERSION)
})

/** Runs this many statements, and fails all later ones. */
class EndsAfter implements KyselyPlugin {
  #left: number
  constructor(statements: number) {
    this.#left = statements
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    if (this.#left-- === 0) throw new Error('the power went')
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result
  }
}

function open(url: string): Database {
  const database = openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

async function tablesOf({ kysely }: Database): Promise<string[]> {
  return (await kysely.introspection.getTables()).map(({ name }) => name).sort()
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function aDatabase(): Promise<string> {
  const name = `web_${randomBytes(8).toString('hex')}`
  const client = new pg.Client(postgres)
  await client.connect()
  await client.query(`create database ${name}`)
  onTestFinished(async () => {
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  })
  const url = new URL(postgres!)
  url.pathname = `/${name}`
  return url.href
}
