import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { freshDatabase } from '../../testing/fixture.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { readSettings } from '../settings.ts'
import { healthOf } from './health.ts'

it('a node reports unhealthy while its database is unreachable, and that it is alive', async () => {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const way = await aWayTo(url)
  const clock = new FakeClock()
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: way.url }
  const node = await startServer({ ...readSettings(env), port: 0 }, clock)
  onTestFinished(() => node.stop())
  const asks = async (path: string) => {
    const answer = await fetch(node.url + path)
    return [answer.status, await answer.json()]
  }
  const well = [200, { status: 'ok' }]
  const unwell = [503, { status: 'the database does not answer' }]
  assert.deepEqual(await asks('/health'), well)

  // A result from one second ago is reused.
  clock.advance(1_000)
  way.fallsSilent()
  let isAnswered = false
  const answers = Promise.all([asks('/health'), asks('/health')]).finally(() => {
    isAnswered = true
  })
  await eventually(() => {
    clock.advance(2_000)
    return isAnswered
  }, 'it is not waited for any longer')
  assert.deepEqual(await answers, [unwell, unwell])
  assert.deepEqual(await asks('/alive'), well)

  clock.advance(1_000)
  way.isCut()
  assert.deepEqual(await asks('/health'), unwell)
  way.isBack()
  await eventually(async () => {
    clock.advance(1_000)
    return (await asks('/health'))[0] === 200
  }, 'it is well again')
})

/** Checks the database health once the cached result has expired. */
function troubleOf(database: Database) {
  const clock = new FakeClock()
  const health = healthOf(database, clock)
  return () => {
    clock.advance(1_000)
    return health.trouble()
  }
}

const mayMount = process.platform === 'linux' && process.getuid?.() === 0

it.skipIf(!mayMount)('a node with a full disk is unhealthy, and recovers when there is space', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'parley-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  })
  const database = await openDatabase(`sqlite:${join(disk, 'chat.sqlite')}`)
  onTestFinished(() => database.close())
  const trouble = troubleOf(database)
  assert.equal(await trouble(), undefined)
  assert.throws(() => writeFileSync(join(disk, 'movie'), Buffer.alloc(17_000_000)), { code: 'ENOSPC' })
  assert.equal(await trouble(), 'the disk of the database is full')
  rmSync(join(disk, 'movie'))
  assert.equal(await trouble(), undefined)
})

it('a database file that is full, read-only or locked is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-health-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'chat.sqlite')
  const database = await openDatabase(`sqlite:${file}`)
  onTestFinished(() => database.close())
  const trouble = troubleOf(database)
  await sql`pragma query_only = on`.execute(database.write)
  assert.equal(await trouble(), 'the database is read-only')
  await sql`pragma query_only = off`.execute(database.write)
  assert.equal(await trouble(), undefined)

  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  assert.equal(await trouble(), 'the database is locked by another program')
  other.exec('commit')
  other.close()
})

it('a read-only PostgreSQL is reported, and checked once a second', async () => {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  const trouble = troubleOf(database)
  assert.equal(await trouble(), undefined)
  const name = sql.id(new URL(url).pathname.slice(1))
  await sql`alter database ${name} set default_transaction_read_only = on`.execute(database.write)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database.read)
  await eventually(async () => (await trouble()) === 'the database is read-only', 'it is told')

  const health = healthOf(database, new FakeClock())
  const answers = [health.trouble(), health.trouble()]
  assert.equal(answers[0], answers[1])
  await answers[0]
})

/** A proxy to a database that a test can cut, or that drops all data. */
async function aWayTo(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let isOpen = true
  const way = createServer((near) => {
    if (!isOpen) return near.destroy()
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((listening) => way.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void way.close())
  url.hostname = '127.0.0.1'
  url.port = String((way.address() as AddressInfo).port)
  return {
    url: url.href,
    fallsSilent() {
      for (const socket of sockets) socket.unpipe().pause()
    },
    isCut() {
      isOpen = false
      for (const socket of sockets) socket.destroy()
    },
    isBack() {
      isOpen = true
    },
  }
}
