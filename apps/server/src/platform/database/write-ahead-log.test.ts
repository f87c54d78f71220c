import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { systemClock } from '../clock.ts'
import { type Database, openDatabase } from './database.ts'
import { GroupCommit } from './group-commit.ts'

const PAGE = 4_096

async function aFile(): Promise<{ path: string; database: Database }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'chat.sqlite')
  return { path, database: await openDatabase(`sqlite:${path}`) }
}

const aKey = (name: string, value: string) => ({ name, value })

it('the log stays short however much is written, and all of it is in the file when it is closed', async () => {
  const { path, database } = await aFile()
  const commit = new GroupCommit(database, systemClock, { committed() {}, unsure: assert.fail })
  let longest = 0
  for (let turn = 0; turn < 60; turn++) {
    await commit.write('app', [], async ({ db }) => {
      for (let i = 0; i < 100; i++)
        await db
          .insertInto('keys')
          .values(aKey(`${turn}-${i}`, 'x'.repeat(2 * PAGE)))
          .execute()
    })
    longest = Math.max(longest, statSync(`${path}-wal`).size)
  }
  // 60 × 100 × 2 pages were written; writes wait from 8,000 on, after the one that got there.
  assert.ok(longest < 9_500 * PAGE, `${longest / PAGE} pages`)

  const { kept } = await database.read
    .selectFrom('keys')
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  assert.equal(kept, 6_000)
  await database.close()
  // Beside the database there is the empty file by which others see that a server runs.
  assert.deepEqual(readdirSync(join(path, '..')).sort(), ['chat.sqlite', 'chat.sqlite-lock'])
  const file = new DatabaseSync(path)
  assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  file.close()
})

it('a call is answered, and its event published, only after its write is on the disk', async () => {
  const { database } = await aFile()
  const log: string[] = []
  const disk = Promise.withResolvers<void>()
  const commit = new GroupCommit({ ...database, settled: () => disk.promise }, systemClock, {
    committed: () => void log.push('published'),
    unsure: assert.fail,
  })

  const written = commit.write('app', [], ({ db }) => db.insertInto('keys').values(aKey('one', '1')).execute())
  const answered = written.then(() => log.push('answered'))
  while ((await database.read.selectFrom('keys').select('name').execute()).length === 0)
    await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(log, [])

  disk.resolve()
  await answered
  assert.deepEqual(log, ['published', 'answered'])
  await database.close()
})

it('a disk that fails fails the calls whose writes may be lost, and those after them are tried again', async () => {
  const { database } = await aFile()
  let isBroken = true
  const settled: Database['settled'] = (commit) =>
    isBroken && commit.lasting ? Promise.reject(new Error('no disk')) : database.settled(commit)
  let published = 0
  const committed = () => {
    published += 1
  }
  const commit = new GroupCommit({ ...database, settled }, systemClock, { committed, unsure: assert.fail })
  const write = (name: string) =>
    commit.write('app', [], ({ db }) => db.insertInto('keys').values(aKey(name, '1')).execute())

  await assert.rejects(write('one'), { message: 'no disk' })
  // Writes that may be lost do not wait for the disk.
  await commit.writeAlong('app', ({ db }) => db.insertInto('keys').values(aKey('along', '1')).execute())
  isBroken = false
  await write('two')
  // All that is in the database is published, durable or not.
  assert.equal(published, 3)
  await database.close()
})

it('a disk that is full is what calls fail for, and nothing else', async () => {
  const { database } = await aFile()
  const commit = new GroupCommit(database, systemClock, { committed() {}, unsure: assert.fail })
  const write = (id: string, bytes: number) =>
    commit.write('app', [], ({ db }) =>
      db
        .insertInto('keys')
        .values(aKey(id, 'x'.repeat(bytes)))
        .execute(),
    )
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.write)
  await sql`pragma max_page_count = ${sql.raw(String(rows[0]!.page_count + 10))}`.execute(database.write)

  await write('one', 1_000)
  const outcomes = await Promise.allSettled([write('two', 1_000_000), write('three', 1_000)])
  assert.match(String((outcomes[0] as PromiseRejectedResult).reason), /disk is full/)
  assert.equal(outcomes[1].status, 'fulfilled')
  await database.close()
})
