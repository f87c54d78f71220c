import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { freshDatabase } from '../../testing/fixture.ts'
import { systemClock } from '../clock.ts'
import { openDatabase } from './database.ts'
import { GroupCommit } from './group-commit.ts'

async function aDatabase() {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

it('a database that goes away between two statements of a transaction ends that transaction, and nothing else', async () => {
  const database = await aDatabase()
  const broken = database.write.transaction().execute(async (db) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    await sql`select pg_terminate_backend(${rows[0]!.pid}, 10000)`.execute(database.read)
    // It ends while nothing is asked of it: by this answer the end has been read as well.
    await sql`select 1`.execute(database.read)
    await sql`select 1`.execute(db)
  })
  await assert.rejects(broken, /connection|terminat/i)

  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database.write)
  assert.deepEqual(rows, [{ one: 1 }])
})

it('a commit without an answer is not retried, for it may have happened, and is reported', async () => {
  const database = await aDatabase()
  // The connection ends while the transaction is committed.
  await sql`create table last_words (word text)`.execute(database.write)
  await sql`create function ends() returns trigger language plpgsql as
    'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'`.execute(database.write)
  await sql`create constraint trigger at_the_end after insert on last_words deferrable initially deferred
    for each row execute function ends()`.execute(database.write)

  const outcomes: string[] = []
  const commit = new GroupCommit(database, systemClock, {
    committed: () => void outcomes.push('committed'),
    unsure: () => void outcomes.push('unsure'),
  })
  let tries = 0
  const sends = (word: string) =>
    commit.write('app', [], async ({ db }) => {
      tries += 1
      await sql`insert into last_words values (${word})`.execute(db)
    })
  const answers = await Promise.allSettled([sends('one'), sends('two')])
  assert.deepEqual([answers.map(({ status }) => status), tries, outcomes], [['rejected', 'rejected'], 2, ['unsure']])

  await commit.write('app', [], async () => {})
  assert.deepEqual(outcomes, ['unsure', 'committed'])
})
