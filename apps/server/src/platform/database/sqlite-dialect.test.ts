import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { SharedFileDialect } from '../../../../process/sqlite-dialect.ts'
import { aFile, besideOthers, LOCKS } from '../../../../process/testing/shared-file.ts'
import { startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { AppServer } from '../../testing/test-user.ts'
import { ChatError } from '../chat-error.ts'
import { systemClock } from '../clock.ts'
import { readSettings } from '../settings.ts'
import { openDatabase, stillLocked } from './database.ts'
import { openSqlite } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'

/** What other programs do to the file. */
const upkeep = [
  'analyze',
  'vacuum',
  'reindex',
  'create index if not exists theirs on keys (value); drop index theirs',
  'pragma wal_checkpoint(truncate)',
  'pragma wal_checkpoint(restart)',
  'select count(*) from messages; pragma quick_check',
]

it('[HTTP-30] other programs may read, write and tidy up the file: no call fails, and nothing is lost', async () => {
  const file = aFile('chat.sqlite')
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${file}`, DATA_DIR: join(file, '..'), FFMPEG: 'off' }
  const clock = new FakeClock()
  const node = await startServer({ ...readSettings(env), port: 0 }, clock)
  onTestFinished(() => node.stop())
  const app = await foundApp(node.server.database, { key: 'tea', secret: 'a secret that is long' }, 0)
  const appServer = new AppServer(node.url, app, clock)
  await appServer.createUsers('ada', 'bo')
  const [ada, bo] = [appServer.user('ada', node.url), appServer.user('bo', node.url)]
  const room = await appServer.opens([ada, bo])

  const sent: string[] = []
  const insert = "insert into keys (name, value) values ('theirs $turn', '')"
  await besideOthers(file, { upkeep, turns: 8, insert }, async () => {
    const texts = [`${sent.length}`, `${sent.length + 1}`]
    const messages = await Promise.all([ada.sends(room, texts[0]!), bo.sends(room, texts[1]!)])
    await Promise.all([
      ada.does('POST', `/messages/${messages[1]!.id}/reaction`, { body: { reaction: { type: 'like' } } }),
      bo.opensChannel(room),
      appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { said: sent.length } }] } }),
    ])
    sent.push(...texts)
  })

  const { rows } = await sql<{ text: string }>`select text from messages order by ordinal`.execute(
    node.server.database.read,
  )
  assert.deepEqual(new Set(rows.map(({ text }) => text)), new Set(sent))
  const theirs = await sql<{ n: number }>`select count(*) as n from keys where name like 'theirs%'`.execute(
    node.server.database.read,
  )
  assert.equal(theirs.rows[0]!.n, LOCKS)
}, 120_000)

it('[HTTP-30] a lock that stays is waited for beside everything else, and then each call is refused with 23', async () => {
  const file = aFile('chat.sqlite')
  await (await openDatabase(`sqlite:${file}`)).close()
  const other = new DatabaseSync(file)
  other.exec('begin immediate')
  const database = await openDatabase(`sqlite:${aFile('chat.sqlite')}`)
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
  // Readers are not blocked.
  assert.deepEqual((await sql`select 1 as one from keys`.execute(write)).rows, [])

  other.exec('commit')
  await writes('late')
  other.close()
})
