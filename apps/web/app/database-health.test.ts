import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from './database.server.ts'
import { databaseHealth } from './database-health.server.ts'
import { openAuth } from './session/auth.server.ts'

const postgres = process.env.TEST_POSTGRES_URL
/** Only root can mount a disk; other users test the small database alone. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0

async function aDatabase(url: string) {
  const database = openDatabase(url)
  onTestFinished(() => database.close())
  await openAuth(database, { secret: randomBytes(32).toString('hex'), publicUrl: 'http://localhost:3000' })
  return database
}

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-health-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A disk of this size, unmounted after the test. */
function aDisk(size: string) {
  const folder = aFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return folder
}

async function onPostgres<Row>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

it('a writable database is healthy, and is checked once for concurrent callers', async () => {
  const database = await aDatabase(`sqlite:${join(aFolder(), 'web.sqlite')}`)
  const answers = [databaseHealth(database), databaseHealth(database)]
  assert.equal(answers[0], answers[1])
  assert.deepEqual(await Promise.all(answers), [undefined, undefined])
})

it.skipIf(!mayMount)('a full disk is reported, and is healthy again when there is space', async () => {
  const disk = aDisk('8m')
  const database = await aDatabase(`sqlite:${join(disk, 'web.sqlite')}`)
  assert.equal(await databaseHealth(database), undefined)
  assert.throws(() => writeFileSync(join(disk, 'movie'), Buffer.alloc(9_000_000)), { code: 'ENOSPC' })
  await expect.poll(() => databaseHealth(database), { timeout: 10_000 }).toBe('the disk of the database is full')
  rmSync(join(disk, 'movie'))
  await expect.poll(() => databaseHealth(database), { timeout: 10_000 }).toBe(undefined)
})

it('a file that became read-only is reported', async () => {
  const database = await aDatabase(`sqlite:${join(aFolder(), 'web.sqlite')}`)
  await sql`pragma query_only = on`.execute(database.kysely)
  assert.equal(await databaseHealth(database), 'the database is read-only')
})

it('a file that another program has locked is reported', async () => {
  const file = join(aFolder(), 'web.sqlite')
  const database = await aDatabase(`sqlite:${file}`)
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  assert.equal(await databaseHealth(database), 'the database is locked by another program')
  other.exec('commit')
  other.close()
  await expect.poll(() => databaseHealth(database), { timeout: 10_000 }).toBe(undefined)
})

it.skipIf(!postgres)('a PostgreSQL that became read-only, or is gone, is reported', async () => {
  const name = `web_${randomBytes(8).toString('hex')}`
  await onPostgres(postgres!, `create database ${name}`)
  const url = new URL(postgres!)
  url.pathname = `/${name}`
  const database = openDatabase(url.href)
  await openAuth(database, { secret: randomBytes(32).toString('hex'), publicUrl: 'http://localhost:3000' })
  assert.equal(await databaseHealth(database), undefined)

  const ends = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
  await onPostgres(postgres!, `alter database ${name} set default_transaction_read_only = on`, ends)
  await expect.poll(() => databaseHealth(database), { timeout: 10_000 }).toBe('the database is read-only')

  await onPostgres(postgres!, `alter database ${name} with allow_connections false`, ends)
  await expect.poll(() => databaseHealth(database), { timeout: 10_000 }).toBe('the database does not answer')
  await database.close()
  await onPostgres(postgres!, `drop database ${name}`)
})
