import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { openDatabase } from './database.server.ts'

const postgres = process.env.TEST_POSTGRES_URL

it.skipIf(!postgres)('a PostgreSQL that closes connections fails their queries, and nothing else', async () => {
  const [database, outside] = [openDatabase(postgres!), openDatabase(postgres!)]
  onTestFinished(async () => {
    await Promise.all([database.close(), outside.close()])
  })
  const ends = (pid: number) => sql`select pg_terminate_backend(${pid}, 10000)`.execute(outside.kysely)
  const whose = sql<{ pid: number }>`select pg_backend_pid() as pid`

  const broken = database.kysely.transaction().execute(async (transaction) => {
    await ends((await whose.execute(transaction)).rows[0]!.pid)
    // By this response the close of the idle connection has been read, too.
    await whose.execute(outside.kysely)
    await whose.execute(transaction)
  })
  await assert.rejects(broken, /connection|terminat/i)

  await ends((await whose.execute(database.kysely)).rows[0]!.pid)
  await whose.execute(outside.kysely)
  await whose.execute(database.kysely)
})

it('sessions and passwords are unreadable for other users of the machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  const file = join(folder, 'new', 'web.sqlite')
  const database = openDatabase(`sqlite:${file}`)
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  await sql`create table secret (word text)`.execute(database.kysely)

  const modes = globSync(`${file}*`).map((part) => [part.slice(file.length), (statSync(part).mode & 0o777).toString(8)])
  assert.deepEqual(Object.fromEntries(modes), { '': '600', '-shm': '600', '-wal': '600' })
})
