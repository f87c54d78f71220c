import assert from 'node:assert/strict'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { SharedConnections } from './shared-connections.ts'

const MAX = 3

function aDatabase() {
  const connectionString = process.env.TEST_POSTGRES_URL!
  const shared = new SharedConnections(() => new pg.Client({ connectionString, pipeline: true }), MAX)
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: shared }) })
  onTestFinished(() => db.destroy())
  const ask = async <Value>(expression: string) => {
    const { rows } = await sql<{ value: Value }>`select ${sql.raw(expression)} as value`.execute(db)
    return rows[0]!.value
  }
  return { db, ask, whose: () => ask<number>('pg_backend_pid()') }
}

const alike = (length: number, ask: () => Promise<number>) => Promise.all(Array.from({ length }, ask))

it('what is asked in one turn goes over one connection, and each gets its own answer', async () => {
  const { ask, whose } = aDatabase()
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(`${i}`)))
  assert.deepEqual(
    answers,
    Array.from({ length: 12 }, (_, i) => i),
  )
  assert.equal(new Set(await alike(12, whose)).size, 1)
})

it('very much at once goes over all connections, and over no more', async () => {
  const { whose } = aDatabase()
  assert.equal(new Set(await alike(200, whose)).size, MAX)
})

it('a statement that takes long holds up nothing that is asked after it', async () => {
  const { ask } = aDatabase()
  let isDone = false
  const slow = ask('pg_sleep(30)').then(
    () => {},
    () => {
      isDone = true
    },
  )
  await new Promise((resolve) => setImmediate(resolve))
  const pid = () => ask<number>(`(select pid from pg_stat_activity where query like 'select pg_sleep(30)%')`)
  await expect.poll(pid).toBeTypeOf('number')
  assert.equal(isDone, false)
  await ask(`pg_terminate_backend(${await pid()})`)
  await slow
  assert.equal(isDone, true)
})

it('a statement that fails fails alone', async () => {
  const { ask } = aDatabase()
  const [one, wrong, two] = await Promise.allSettled([ask('1'), ask('1 / 0'), ask('2')])
  assert.deepEqual(one, { status: 'fulfilled', value: 1 })
  assert.deepEqual(two, { status: 'fulfilled', value: 2 })
  assert.match(String((wrong as PromiseRejectedResult).reason), /division by zero/)
})

it('a connection that breaks is replaced, and so is one that could not be opened', async () => {
  const { ask, whose } = aDatabase()
  const broken = await whose()
  await assert.rejects(ask(`pg_terminate_backend(${broken}), pg_sleep(30)`))
  // A query sent before the connection's end is noticed fails, too.
  await expect.poll(() => whose().catch(() => broken)).not.toBe(broken)

  let url = 'postgres://nobody@127.0.0.1:1/nothing'
  const shared = new SharedConnections(() => new pg.Client({ connectionString: url, pipeline: true }), 1)
  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool: shared }) })
  await assert.rejects(sql`select 1`.execute(db), /ECONNREFUSED/)
  url = process.env.TEST_POSTGRES_URL!
  assert.equal((await sql`select 1`.execute(db)).rows.length, 1)
  await db.destroy()
})
