/** Queries that their callers wrote: as long as they run, everything else goes on. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, it } from 'vitest'
import { freshDatabase } from '../../testing/fixture.ts'
import { ChatError } from '../chat-error.ts'
import { type Database, openDatabase } from './database.ts'

const asker = { name: 'eve', isServer: false }
/** A query of no useful length, which no filter can cause. */
const endless = {
  sqlite: sql`with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n`,
  postgres: sql`select pg_sleep(600)`,
}

const folder = mkdtempSync(join(tmpdir(), 'parley-'))
const dropping: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const drop of dropping) await drop()
  rmSync(folder, { recursive: true, force: true })
})

const places = {
  sqlite: async () => `sqlite:${join(folder, `${randomBytes(4).toString('hex')}.sqlite`)}`,
  postgres: async () => {
    const { url, drop } = await freshDatabase(randomBytes(4).toString('hex'))
    dropping.push(drop)
    return url
  },
}

async function opened(kind: keyof typeof places): Promise<Database> {
  const database = await openDatabase(await places[kind](), { queryTimeoutMs: 200 })
  dropping.unshift(() => database.close())
  return database
}

describe.each(['sqlite', 'postgres'] as const)('a query on %s', (kind) => {
  it('[LIM-7] that runs past its deadline ends with code 23, and the next one is answered', async () => {
    const database = await opened(kind)
    const queries = database.queriesOf(asker)
    for (let round = 0; round < 2; round++) {
      await assert.rejects(endless[kind].execute(queries), (error) => {
        assert.ok(error instanceof ChatError)
        assert.equal(error.code, 23)
        assert.match(error.message, /longer than 200 ms/)
        return true
      })
      assert.deepEqual((await sql`select 1 as one`.execute(queries)).rows, [{ one: 1 }])
    }
  })

  it('[LIM-7] blocks no other call: the server reads, writes and counts its turns meanwhile', async () => {
    const database = await opened(kind)
    let isOver = false
    const slow = endless[kind].execute(database.queriesOf(asker)).catch(() => {
      isOver = true
    })
    let turns = 0
    while (!isOver) {
      await database.read.selectFrom('apps').select('id').execute()
      await sql`update schema_version set version = version`.execute(database.write)
      turns += 1
      await new Promise(setImmediate)
    }
    await slow
    assert.ok(turns > 10, `${turns} turns`)
  })

  it('sees what was committed a moment before, has its values as every read has them, and changes nothing', async () => {
    const database = await opened(kind)
    await database.write
      .insertInto('apps')
      .values({ id: 'a', key: 'k', secret: 's', name: 'Ä🙂', created_at: 1_790_000_000_000_123, settings_json: '{}' })
      .execute()
    const seen = await database.queriesOf(asker).selectFrom('apps').selectAll().execute()
    assert.deepEqual(seen, await database.read.selectFrom('apps').selectAll().execute())
    await assert.rejects(sql`delete from apps`.execute(database.queriesOf(asker)), /read-?only/i)
    await assert.rejects(sql`select 1 from nowhere`.execute(database.queriesOf(asker)), /nowhere/)
    assert.equal((await database.read.selectFrom('apps').select('id').execute()).length, 1)
  })
})

it('[LIM-7] a read of the server’s own making on PostgreSQL ends as well, five times as late', async () => {
  const database = await opened('postgres')
  await assert.rejects(endless.postgres.execute(database.read), (error) => {
    assert.ok(error instanceof ChatError)
    assert.equal(error.code, 23)
    assert.match(error.message, /longer than 1000 ms/)
    return true
  })
  assert.deepEqual((await sql`select 1 as one`.execute(database.read)).rows, [{ one: 1 }])
})
