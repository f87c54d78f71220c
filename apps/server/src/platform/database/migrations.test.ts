import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { openDatabase } from './database.ts'

describe('the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is made at the first start, and opened at the next', async () => {
    const url = `sqlite:${join(folder, 'new', 'chat.sqlite')}`
    const first = await openDatabase(url)
    await first.write
      .insertInto('apps')
      .values({ id: 'a', key: 'a', secret: 's', name: 'a', created_at: 1, settings_json: '{}' })
      .execute()
    await first.close()
    const second = await openDatabase(url)
    assert.equal((await second.read.selectFrom('apps').selectAll().execute()).length, 1)
    await second.close()
  })

  it('is readable by no other user of the machine: it holds the secrets of apps', async () => {
    const file = join(folder, 'own', 'chat.sqlite')
    const database = await openDatabase(`sqlite:${file}`)
    const modes = globSync(`${file}*`).map((part) => [
      part.slice(file.length),
      (statSync(part).mode & 0o777).toString(8),
    ])
    await database.close()
    const beside = ['', '-lock', '-lock-journal', '-shm', '-wal']
    assert.deepEqual(Object.fromEntries(modes), Object.fromEntries(beside.map((part) => [part, '600'])))
  })

  it('is left alone when a newer server wrote it', async () => {
    const url = `sqlite:${join(folder, 'newer', 'chat.sqlite')}`
    const today = await openDatabase(url)
    await sql`update schema_version set version = version + 1`.execute(today.write)
    await today.close()
    await assert.rejects(
      openDatabase(url),
      /^SettingError: DATABASE_URL is a database of version \d+, and this server knows \d+\. Start a newer server\.$/,
    )
  })

  it('finds by new words what an earlier version folded in another way', async () => {
    const url = `sqlite:${join(folder, 'folded', 'chat.sqlite')}`
    const before = await openDatabase(url)
    await sql`insert into users (app, id, role, name, language, invisible, data, created_at, updated_at)
      values ('a', 'one', 'user', 'Łódź Straße', '', 0, '{}', 1, 1)`.execute(before.write)
    await sql`update user_words set word = 'łodz' where word = 'lodz'`.execute(before.write)
    await sql`insert into messages (app, id, cid, user_id, type, text, created_at, updated_at, ordinal, counted, silent,
      show_in_channel, reply_count, deleted_reply_count, data)
      values ('a', 'm', 'messaging:x', 'one', 'regular', 'Straße', 1, 1, 1, 1, 0, 0, 0, 0, '{}')`.execute(before.write)
    await sql`update schema_version set version = version - 1`.execute(before.write)
    await before.close()
    const after = await openDatabase(url)
    const { rows: words } = await sql`select word from user_words order by word`.execute(after.read)
    assert.deepEqual(words, [{ word: 'lodz' }, { word: 'strasse' }])
    const { rows: unindexed } = await sql`select app, id from unindexed_after`.execute(after.read)
    assert.deepEqual(unindexed, [{ app: '', id: '' }])
    await after.close()
  })

  it('reads with a connection that cannot write', async () => {
    const database = await openDatabase('sqlite::memory:')
    await assert.rejects(sql`delete from apps`.execute(database.read), /readonly|query_only|attempt to write/)
    await database.close()
  })
})

onEveryStorage((fixture) => {
  it('is read on while a newer server beside this one gives a table another column', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'before')
    const list = () => ada.does('POST', '/channels', { body: { filter_conditions: { cid: room }, state: true } })
    // On all connections to the database.
    const lists = () => Promise.all(Array.from({ length: 20 }, list))
    const [first] = await lists()
    await sql`alter table channels add column mood text`.execute(fixture.nodes[0]!.server.database.write)
    for (const { channels } of await lists()) assert.deepEqual(channels, first.channels)
  })
})
