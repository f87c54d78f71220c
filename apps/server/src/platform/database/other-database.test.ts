import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, it, onTestFinished } from 'vitest'
import { openingDatabase } from '../../../../process/database-problem.ts'
import { SettingError } from '../../../../process/settings.ts'
import { freshDatabase } from '../../testing/fixture.ts'
import { openDatabase } from './database.ts'

const ofWebApp = ['user', 'session', 'organization', 'member', 'invitation']

async function refusalOf(url: string): Promise<string> {
  const opened = openingDatabase('DATABASE_URL', url, () => openDatabase(url))
  const error: unknown = await opened.then(
    (database) => database.close(),
    (thrown) => thrown,
  )
  assert.ok(error instanceof SettingError, `${url} was opened, or broke: ${String(error)}`)
  assert.match(error.message, /^DATABASE_URL [^\n]+$/)
  assert.doesNotMatch(error.message, /hunter2/)
  return error.message
}

describe('a database that cannot be the server’s is named in one line', () => {
  function aFolder() {
    const folder = mkdtempSync(join(tmpdir(), 'parley-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  it('one on SQLite that the web app has filled, and it is left as it is', async () => {
    const file = join(aFolder(), 'web.sqlite')
    const other = new DatabaseSync(file)
    onTestFinished(() => other.close())
    for (const name of ofWebApp) other.exec(`create table "${name}" (id text)`)
    assert.match(await refusalOf(`sqlite:${file}`), /is the database of a web app/)
    const tables = other.prepare(`select name from sqlite_master where type = 'table' order by 1`).all()
    assert.deepEqual(tables.map(({ name }) => name).sort(), ofWebApp.toSorted())
  })

  it('one on PostgreSQL that the web app has filled, and it is left as it is', async () => {
    const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
    onTestFinished(drop)
    const client = new pg.Client(url)
    await client.connect()
    onTestFinished(() => client.end())
    for (const name of ofWebApp) await client.query(`create table "${name}" (id text)`)
    assert.match(await refusalOf(url), /is the database of a web app/)
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
    assert.deepEqual(rows.map(({ tablename }) => tablename).sort(), ofWebApp.toSorted())
  })

  it('a file that is no database, a folder, and a place that cannot be written', async () => {
    const folder = aFolder()
    const file = join(folder, 'notes.txt')
    writeFileSync(file, 'Buy tea, and biscuits. '.repeat(100))
    assert.match(await refusalOf(`sqlite:${file}`), /no SQLite database/)
    assert.match(await refusalOf(`sqlite:${folder}`), /EISDIR/)
    assert.match(await refusalOf(`sqlite:${file}/chat.sqlite`), /EEXIST|ENOTDIR/)
    assert.match(await refusalOf('sqlite:/dev/null/chat.sqlite'), /EEXIST|ENOTDIR/)
  })

  it('one on PostgreSQL that is not there, or does not answer', async () => {
    const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
    onTestFinished(drop)
    const other = new URL(url)
    other.password = 'hunter2'
    other.pathname = '/nowhere'
    assert.match(await refusalOf(other.href), /there is no database "nowhere"/)
    other.port = '1'
    assert.match(await refusalOf(other.href), /no database answers at 127.0.0.1:1 \(ECONNREFUSED\)/)
    other.hostname = 'localhost'
    assert.match(await refusalOf(other.href), /no database answers at localhost:1 \(ECONNREFUSED\)/)
    other.hostname = 'database.invalid'
    assert.match(await refusalOf(other.href), /no database answers at database.invalid/)
  })
})
