import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { Kysely, sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { SharedFileDialect } from '../../../process/sqlite-dialect.ts'
import { startServer } from '../app.ts'
import { foundApp } from '../apps/found-app.ts'
import { ChatError } from '../chat-error.ts'
import { systemClock } from '../clock.ts'
import { readSettings } from '../settings.ts'
import { AppServer } from '../testing/person.ts'
import { StoryClock } from '../testing/story-clock.ts'
import { openDatabase, stillLocked } from './database.ts'
import { openSqlite } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'

const run = promisify(execFile)

/** What other programs do to the file, each again and again; besides, one holds the lock for some milliseconds. */
const upkeep = [
  'analyze',
  'vacuum',
  'reindex',
  'create index if not exists theirs on keys (value); drop index theirs',
  'pragma wal_checkpoint(truncate)',
  'pragma wal_checkpoint(restart)',
  'select count(*) from messages; pragma quick_check',
]
const TURNS = 8
const locks = `
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(process.argv[1], { timeout: 10000 })
  const still = new Int32Array(new SharedArrayBuffer(4))
  for (let turn = 0; turn < 60; turn++) {
    database.exec("begin immediate; insert into keys (name, value) values ('theirs " + turn + "', '')")
    Atomics.wait(still, 0, 0, 1 + turn % 15)
    database.exec('commit')
  }`

function aFile() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'chat.sqlite')
}

it('[HTTP-30] other programs may read, write and tidy up the file: no call fails, and nothing is lost', async () => {
  const file = aFile()
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${file}`, DATA_DIR: join(file, '..'), FFMPEG: 'off' }
  const clock = new StoryClock()
  const node = await startServer({ ...readSettings(env), port: 0 }, clock)
  onTestFinished(() => node.stop())
  const app = await foundApp(node.server.database, { key: 'tea', secret: 'a secret that is long' }, 0)
  const company = new AppServer(node.url, app, clock)
  await company.hires('ada', 'bo')
  const [ada, bo] = [company.person('ada', node.url), company.person('bo', node.url)]
  const room = await company.opens([ada, bo])

  let isOver = false
  const others = [
    ...upkeep.map(async (statement) => {
      for (let turn = 0; turn < TURNS; turn++) await run('sqlite3', ['-cmd', '.timeout 10000', file, statement])
    }),
    run(process.execPath, ['-e', locks, file]),
  ]
  const meanwhile = Promise.all(others).finally(() => {
    isOver = true
  })
  const said: string[] = []
  while (!isOver) {
    const texts = [`${said.length}`, `${said.length + 1}`]
    const messages = await Promise.all([ada.says(room, texts[0]!), bo.says(room, texts[1]!)])
    await Promise.all([
      ada.does('POST', `/messages/${messages[1]!.id}/reaction`, { body: { reaction: { type: 'like' } } }),
      bo.opensChannel(room),
      company.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { said: said.length } }] } }),
    ])
    said.push(...texts)
  }
  await meanwhile

  const { rows } = await sql<{ text: string }>`select text from messages order by ordinal`.execute(
    node.server.database.read,
  )
  assert.deepEqual(new Set(rows.map(({ text }) => text)), new Set(said))
  const theirs = await sql<{ n: number }>`select count(*) as n from keys where name like 'theirs%'`.execute(
    node.server.database.read,
  )
  assert.equal(theirs.rows[0]!.n, 60)
}, 120_000)

it('[HTTP-30] a lock that stays is waited for beside everything else, and then each call is refused with 23', async () => {
  const file = aFile()
  await (await openDatabase(`sqlite:${file}`)).close()
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  const database = await openDatabase(`sqlite:${aFile()}`)
  onTestFinished(() => database.close())
  const write = new Kysely<never>({ dialect: new SharedFileDialect(openSqlite(file, 'lasting'), stillLocked, 100) })
  onTestFinished(() => write.destroy())
  const commit = new GroupCommit({ ...database, write: write as never }, systemClock, {
    committed() {},
    unsure: assert.fail,
  })
  const writes = (name: string) =>
    commit.write('app', [], ({ db }) => db.insertInto('keys').values({ name, value: '' }).execute())

  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => writes(`key ${n}`)))
  clearInterval(counting)
  assert.ok(turns > 2, 'the program stood still')
  for (const outcome of outcomes) {
    const { reason } = outcome as PromiseRejectedResult
    assert.ok(reason instanceof ChatError && reason.code === 23, String(reason))
  }
  // Who reads is not held up.
  assert.deepEqual((await sql`select 1 as one from keys`.execute(write)).rows, [])

  other.exec('commit')
  await writes('late')
  other.close()
})
