/** A file without references is purged after a month; a referenced one stays. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { type Fixture, onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { beginFileRetention } from './file-retention.ts'
import { aForm, aPicture, uploads } from './testing/some-files.ts'

const DAY_MS = 24 * 3_600_000

interface Scene {
  ada: TestUser
  bo: TestUser
  appServer: AppServer
  room: string
}

const idOf = (url: string) => new URL(url).pathname.split('/')[2]!

/** The places that can reference a file, and how each reference is removed for good. */
const places: Record<string, (scene: Scene, file: string) => Promise<() => Promise<unknown>>> = {
  async 'a message that is deleted for good'({ ada, appServer, room }, file) {
    const { id } = await ada.sends(room, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    return () => appServer.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
  },
  async 'what a message said before it was edited'({ ada, appServer, room }, file) {
    const { id } = await ada.sends(room, `see ${file}`)
    await ada.does('POST', `/messages/${id}`, { body: { message: { text: 'never mind' } } })
    return () => appServer.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
  },
  async 'a field of a message'({ ada, appServer, room }, file) {
    const { id } = await ada.sends(room, 'x', { deep: { down: [file] } })
    return () => appServer.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
  },
  async 'a message that was forwarded, of which the first is deleted'({ ada, bo, appServer, room }, file) {
    const attachments = [{ type: 'file', asset_url: file }]
    const first = await ada.sends(room, 'x', { attachments })
    const second = await bo.sends(room, 'x', { attachments })
    await appServer.does('DELETE', `/messages/${first.id}`, { query: { hard: 'true' } })
    return () => appServer.does('DELETE', `/messages/${second.id}`, { query: { hard: 'true' } })
  },
  async 'a draft'({ bo, room }, file) {
    await bo.does('POST', `${path(room)}/draft`, { body: { message: { text: file } } })
    return () => bo.does('DELETE', `${path(room)}/draft`)
  },
  async 'a picture of somebody, who takes another'({ appServer }, file) {
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image: file } }] } })
    return () => appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image: '/other.png' } }] } })
  },
  async 'somebody who is deleted for good'({ appServer }, file) {
    await appServer.does('POST', '/users', { body: { users: { cy: { id: 'cy', where: { it: file } } } } })
    return () =>
      appServer.does('POST', '/users/delete', {
        body: { user_ids: ['cy'], user: 'hard', messages: 'hard', conversations: 'hard' },
      })
  },
  async 'the picture of a channel'({ appServer, room }, file) {
    await appServer.does('PATCH', path(room), { body: { set: { image: file } } })
    return () => appServer.does('PATCH', path(room), { body: { unset: ['image'] } })
  },
  async 'a channel that is deleted'({ ada, bo, appServer }, file) {
    const other = await appServer.opens([ada, bo])
    await ada.sends(other, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    return () => appServer.does('POST', '/channels/delete', { body: { cids: [other], hard_delete: true } })
  },
  async 'a channel that is emptied'({ ada, bo, appServer }, file) {
    const other = await appServer.opens([ada, bo])
    await ada.sends(other, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    return () => appServer.does('POST', `${path(other)}/truncate`, { body: { hard_delete: true } })
  },
  async 'a reaction'({ ada, room }, file) {
    const { id } = await ada.sends(room, 'x')
    await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'like', why: file } } })
    return () => ada.does('DELETE', `/messages/${id}/reaction/like`)
  },
  async 'a poll'({ ada }, file) {
    const { poll } = await ada.does('POST', '/polls', { body: { name: 'Tea?', options: [{ text: file }] } })
    return () => ada.does('DELETE', `/polls/${poll.id}`)
  },
  async 'the settings of a member'({ appServer, room }, file) {
    await appServer.does('PATCH', `${path(room)}/member/bo`, { body: { set: { note: file } } })
    return () => appServer.does('PATCH', `${path(room)}/member/bo`, { body: { unset: ['note'] } })
  },
}

/** Advances the clock by some days, and runs retention on every node. */
async function days(fixture: Fixture, count: number) {
  fixture.clock.advance(count * DAY_MS)
  for (const { server } of fixture.nodes) await beginFileRetention(server)
  const { read } = fixture.nodes[0]!.server.database
  await eventually(async () => {
    const open = await read.selectFrom('tasks').select('kind').where('status', 'in', ['waiting', 'running']).execute()
    return open.length === 0
  }, 'everything was looked through')
}

async function keptIds(fixture: Fixture): Promise<Set<string>> {
  const folder = fixture.nodes[0]!.server.settings.filesUrl.slice('file:'.length)
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return new Set(files.filter((file) => file.isFile()).map(({ name }) => name.split('.')[0]!))
}

onEveryStorage((fixture) => {
  it('[ATT-26] a file stays as long as it is referenced, and a month longer', { timeout: 120_000 }, async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const named: { where: string; id: string; goes: () => Promise<unknown> }[] = []
    for (const [where, put] of Object.entries(places)) {
      const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from(where)))
      named.push({ where, id: idOf(file), goes: await put({ ada, bo, appServer, room }, file) })
    }
    const never = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(40, 30)))
    await fetch(never.thumb_url!)

    await days(fixture, 29)
    assert.ok((await keptIds(fixture)).has(idOf(never.file)), 'what was never sent stays for a month')
    await days(fixture, 2)
    assert.ok(!(await keptIds(fixture)).has(idOf(never.file)), 'and no longer, with what was made of it')
    await days(fixture, 10)
    for (const { where, id } of named) assert.ok((await keptIds(fixture)).has(id), where)

    for (const { goes } of named) await goes()
    await days(fixture, 1)
    await days(fixture, 28)
    for (const { where, id } of named) assert.ok((await keptIds(fixture)).has(id), `${where}, a month later`)
    await days(fixture, 3)
    const kept = await keptIds(fixture)
    for (const { where, id } of named) assert.ok(!kept.has(id), where)
    const { read } = fixture.nodes[0]!.server.database
    const rows = await read.selectFrom('files').select('id').where('app', '=', ada.app.id).execute()
    assert.deepEqual(rows, [])
  })

  it('[ATT-26] a file referenced during the scan stays, whether the table was scanned already or not', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    await days(fixture, 20)
    await ada.sends(room, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    const { read } = fixture.nodes[0]!.server.database
    const { named_at } = await read
      .selectFrom('files')
      .select('named_at')
      .where('id', '=', idOf(file))
      .executeTakeFirstOrThrow()
    assert.ok(named_at! > fixture.clock.micros() - 60_000_000, 'the message says so by itself')
    await days(fixture, 11)
    assert.ok((await keptIds(fixture)).has(idOf(file)))
  })

  it('[ATT-26] another app’s texts keep no file, and exports expire by their own time', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const other = await fixture.createApp('eve')
    const theirs = await other.appServer.opens([other.eve])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    await days(fixture, 1)
    await days(fixture, 31)
    assert.ok(!(await keptIds(fixture)).has(idOf(file)))
    await other.eve.sends(theirs, file)
    await days(fixture, 1)
  })
})

onEveryTransport((fixture) => {
  it('[ATT-26] only one of several nodes scans an app, once a day', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    const { server } = fixture.nodes[0]!
    const looks = async () => {
      await Promise.all(fixture.nodes.map((node) => beginFileRetention(node.server)))
      const rows = await server.database.read
        .selectFrom('tasks')
        .select('id')
        .where('app', '=', ada.app.id)
        .where('kind', '=', 'erase_unnamed_files')
        .execute()
      return rows.length
    }
    assert.equal(await looks(), 1)
    assert.equal(await looks(), 1)
    fixture.clock.advance(DAY_MS)
    assert.equal(await looks(), 2)
  })
})

onEveryStorage(
  (fixture) => {
    it('[ATT-26] an operator can keep all files', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
      await days(fixture, 100)
      assert.ok((await keptIds(fixture)).has(idOf(file)))
    })
  },
  { FILE_RETENTION_DAYS: '0' },
)
