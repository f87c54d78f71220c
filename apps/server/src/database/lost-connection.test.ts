import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { freshDatabase } from '../testing/stage.ts'
import { openDatabase } from './database.ts'

it('a database that goes away between two statements of a transaction ends that transaction, and nothing else', async () => {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const database = await openDatabase(url)
  onTestFinished(() => database.close())

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
