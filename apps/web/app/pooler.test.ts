import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { it, onTestFinished } from 'vitest'
import { now } from '../../../scripts/machine-time.ts'
import { castMember, demoPassword } from '../src/demo/people.ts'
import { seedDemo } from '../src/demo/seed.ts'
import { openProduct } from '../src/product.ts'
import { readSettings } from '../src/settings.ts'
import { openDatabase } from './database.server.ts'
import { databaseHealth } from './database-health.server.ts'
import { signIn } from './session/sign-in.server.ts'

const pooler = process.env.TEST_PGBOUNCER_URL

it.skipIf(!pooler)('several nodes behind PgBouncer in transaction mode', async () => {
  const name = `web_${randomBytes(8).toString('hex')}`
  await onPostgres(`create database ${name}`)
  onTestFinished(() => onPostgres(`drop database ${name} with (force)`))
  const url = new URL(pooler!)
  url.pathname = `/${name}`
  const env = { WEB_DATABASE_URL: url.href, SESSION_SECRET: randomBytes(32).toString('hex'), WEB_PORT: '0' }
  // They start at once on an empty database, and all fill it.
  const nodes = await Promise.all([env, env, env].map((each) => openProduct(readSettings(each))))
  onTestFinished(async () => {
    for (const { database } of nodes) await database.close()
  })
  const seeds = nodes.map((node) => seedDemo({ ...node, chat: undefined }, now()))
  assert.deepEqual(await Promise.all(seeds), [true, true, true])

  const signIns = Array.from({ length: 4 }, (_, n) =>
    signIn(nodes[n % 2]!, { email: castMember('ada').email, password: demoPassword, address: `10.0.0.${n}` }),
  )
  for (const answer of await Promise.all(signIns)) assert.equal(answer.type, 'success')
  for (const { database } of nodes) assert.equal(await databaseHealth(database), undefined)

  // More transactions than sessions, each with two queries and a write.
  const both = [openDatabase(url.href), openDatabase(url.href)]
  await sql`create table note (word text)`.execute(both[0]!.kysely)
  const writes = Array.from({ length: 40 }, (_, n) =>
    both[n % 2]!.kysely.transaction().execute(async (transaction) => {
      const session = sql<{ pid: number }>`select pg_backend_pid() as pid`
      const { rows } = await session.execute(transaction)
      await sql`insert into note values (${`word ${n}`})`.execute(transaction)
      assert.deepEqual((await session.execute(transaction)).rows, rows)
    }),
  )
  await Promise.all(writes)
  const { rows } = await sql<{ words: number }>`select count(*)::int as words from note`.execute(both[0]!.kysely)
  assert.deepEqual(rows, [{ words: 40 }])
  for (const database of both) await database.close()
})

async function onPostgres(statement: string): Promise<void> {
  const client = new pg.Client(process.env.TEST_POSTGRES_URL)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
