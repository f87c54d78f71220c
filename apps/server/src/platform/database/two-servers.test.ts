import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startNats } from '../../../../../scripts/services/nats.ts'
import { freshDatabase } from '../../testing/fixture.ts'
import { Program, patience } from '../../testing/program.ts'
import { openDatabase } from './database.ts'

function aFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-two-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('on one file of SQLite', () => {
  it('[SET-7] a second server is refused, naming DATABASE_URL; one that waits for the first to end starts', async () => {
    const folder = aFolder()
    const env = { DATABASE_URL: `sqlite:${join(folder, 'chat.sqlite')}`, DATA_DIR: folder }
    const first = new Program(env)
    await first.prints('listening')
    await new Program({ ...env, START_WAIT_SECONDS: '0' }).isRefused(/^Another server .*DATABASE_URL/m)

    const second = new Program(env)
    await second.prints('Another server uses the file of DATABASE_URL. Waiting')
    await first.ends('SIGTERM')
    await second.prints('listening')
  }, 60_000)

  it('[SET-7] a server that was killed does not block the next one', async () => {
    const folder = aFolder()
    const env = { DATABASE_URL: `sqlite:${join(folder, 'chat.sqlite')}`, DATA_DIR: folder, START_WAIT_SECONDS: '0' }
    for (let start = 0; start < 3; start++) {
      const program = new Program(env)
      await program.prints('listening')
      await program.ends('SIGKILL')
    }
  }, 60_000)
})

describe('on one PostgreSQL', () => {
  async function aDatabase(pooled = false) {
    const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
    onTestFinished(drop)
    const way = new URL(pooled ? process.env.TEST_PGBOUNCER_URL! : url)
    way.pathname = new URL(url).pathname
    return { DATABASE_URL: way.href, DATA_DIR: aFolder() }
  }

  for (const pooled of [false, true])
    it(`[SET-7] without a bus there is one server at a time${pooled ? ', also behind a pooler' : ''}`, async () => {
      const env = await aDatabase(pooled)
      const first = new Program(env)
      await first.prints('listening')
      const bus = { BUS_URL: process.env.TEST_NATS_URL! }
      await new Program({ ...env, START_WAIT_SECONDS: '0' }).isRefused(/^Another server .*BUS_URL/m)
      await new Program({ ...env, ...bus, START_WAIT_SECONDS: '0' }).isRefused(/without a BUS_URL/)

      const second = new Program(env)
      await second.prints('Waiting for up to 30 s')
      await first.ends('SIGTERM')
      await second.prints('listening')
      // What it leaves behind is worth nothing after some seconds.
      await second.ends('SIGKILL')
      await new Program(env).prints('listening')
    }, 90_000)

  it('[SET-7] with one bus there are several, and one with another bus is refused, or without one', async () => {
    const env = await aDatabase()
    const bus = { BUS_URL: process.env.TEST_NATS_URL! }
    // They know the bus by different names.
    const first = new Program({ ...env, ...bus })
    const second = new Program({ ...env, BUS_URL: process.env.TEST_NATS_URL!.split(',').reverse()[0]! })
    await Promise.all([first.prints('listening'), second.prints('listening')])

    const other = await startNats({ nodes: 1 })
    onTestFinished(() => other.stop())
    await new Program({ ...env, BUS_URL: other.url, START_WAIT_SECONDS: '1' }).isRefused(/another bus\. .*BUS_URL/)
    await new Program({ ...env, START_WAIT_SECONDS: '0' }).isRefused(/Set the same BUS_URL/)

    await second.ends('SIGKILL')
    await new Program({ ...env, ...bus }).prints('listening')
  }, 90_000)

  it('[SET-7] a server that stood still while another one took its place ends', async () => {
    const env = await aDatabase()
    const first = new Program(env)
    await first.prints('listening')
    first.signal('SIGSTOP')
    const second = new Program(env)
    await second.prints('listening')
    first.signal('SIGCONT')
    await first.isRefused(/^Another server uses the database of DATABASE_URL/m)
    assert.equal(second.code, undefined)
  }, 90_000)

  it('[SET-7] a server whose database was away for long goes on', async () => {
    const env = await aDatabase()
    const first = new Program(env)
    await first.prints('listening')
    const database = await openDatabase(env.DATABASE_URL)
    onTestFinished(() => database.close())
    const lease = sql<{ until: number }>`select until from server_nodes`
    await sql`update server_nodes set until = 1`.execute(database.write)
    await expect.poll(async () => (await lease.execute(database.write)).rows[0]!.until > 1, patience).toBe(true)
    assert.equal(first.code, undefined)
  }, 60_000)
})
