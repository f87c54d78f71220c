import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { it, onTestFinished } from 'vitest'
import { SharedFileDialect } from '../../process/sqlite-dialect.ts'
import { aFile, besideOthers, LOCKS } from '../../process/testing/shared-file.ts'
import { openDatabase, stillLocked } from './database.server.ts'

/** What other programs do to the file. */
const upkeep = ['analyze', 'vacuum', 'pragma wal_checkpoint(truncate)', 'pragma wal_checkpoint(restart)']

it('other programs may read, write and vacuum the file: nothing fails, and nothing is lost', async () => {
  const file = aFile('web.sqlite')
  const database = openDatabase(`sqlite:${file}`)
  onTestFinished(() => database.close())
  const { kysely } = database
  await sql`create table note (id integer primary key, word text not null)`.execute(kysely)

  let written = 0
  const insert = "insert into note (word) values ('theirs')"
  await besideOthers(file, { upkeep, turns: 15, insert }, async () => {
    await sql`insert into note (word) values ('ours')`.execute(kysely)
    // It reads before it writes, as a check before a change does.
    await kysely.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ known: number }>`select count(*) as known from note`.execute(transaction)
      await sql`insert into note (word) values (${`ours, after ${rows[0]!.known}`})`.execute(transaction)
    })
    written += 2
    await new Promise((resolve) => setImmediate(resolve))
  })

  const { rows } = await sql<{ theirs: number; ours: number }>`select sum(word = 'theirs') as theirs,
    sum(word <> 'theirs') as ours from note`.execute(kysely)
  assert.deepEqual({ ...rows[0] }, { theirs: LOCKS, ours: written })
}, 60_000)

it("waiting for a program's lock blocks nothing else, and ends with a 503", async () => {
  const file = aFile('web.sqlite')
  const other = new DatabaseSync(file)
  other.exec('pragma journal_mode = wal; create table note (word text); begin immediate')
  const own = new DatabaseSync(file, { timeout: 0 })
  const prepare = (text: string) => {
    const statement = own.prepare(text)
    const reader = statement.columns().length > 0
    return { reader, all: () => statement.all(), run: () => statement.run(), iterate: () => statement.iterate() }
  }
  const dialect = new SharedFileDialect({ close: () => own.close(), prepare }, stillLocked, 100)
  const kysely = new Kysely<object>({ dialect })
  onTestFinished(() => kysely.destroy())

  let turns = 0
  const counting = setInterval(() => {
    turns += 1
  }, 1)
  for (const write of [
    sql`insert into note values ('ours')`.execute(kysely),
    kysely.transaction().execute(async () => assert.fail('It has begun.')),
  ])
    await assert.rejects(write, (answer) => answer instanceof Response && answer.status === 503)
  clearInterval(counting)
  assert.ok(turns > 2, 'the program stood still')

  other.exec('commit')
  await sql`insert into note values ('ours')`.execute(kysely)
  other.close()
})

it('a program that is killed with the lock blocks no other', async () => {
  const file = aFile('web.sqlite')
  const database = openDatabase(`sqlite:${file}`)
  onTestFinished(() => database.close())
  await sql`create table note (word text)`.execute(database.kysely)
  const holds = `const { DatabaseSync } = require('node:sqlite')
    const database = new DatabaseSync(process.argv[1])
    database.exec("begin immediate; insert into note values ('half')")
    console.log('held')
    setInterval(() => {}, 1000)`
  const other = spawn(process.execPath, ['-e', holds, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(other.stdout, 'data')

  const written = sql`insert into note values ('ours')`.execute(database.kysely)
  other.kill('SIGKILL')
  await written
  const { rows } = await sql<{ word: string }>`select word from note`.execute(database.kysely)
  assert.deepEqual(
    rows.map(({ word }) => word),
    ['ours'],
  )
})
