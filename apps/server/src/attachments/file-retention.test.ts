/** What nothing names any more is erased after a month, and what anything still names is not. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { type AppServer, type Person, path } from '../testing/person.ts'
import { onEveryStorage, onEveryTransport, type Stage } from '../testing/stage.ts'
import { beginFileRetention } from './file-retention.ts'
import { aForm, aPicture, uploads } from './testing/some-files.ts'

const DAY_MS = 24 * 3_600_000

interface Scene {
  ada: Person
  bo: Person
  company: AppServer
  room: string
}

const idOf = (url: string) => new URL(url).pathname.split('/')[2]!

/** Where a file can be named, and how that goes away for good. */
const places: Record<string, (scene: Scene, file: string) => Promise<() => Promise<unknown>>> = {
  async 'a message that is deleted for good'({ ada, company, room }, file) {
    const { id } = await ada.says(room, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    return () => company.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
  },
  async 'what a message said before it was edited'({ ada, company, room }, file) {
    const { id } = await ada.says(room, `see ${file}`)
    await ada.does('POST', `/messages/${id}`, { body: { message: { text: 'never mind' } } })
    return () => company.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
  },
  async 'a field of a message'({ ada, company, room }, file) {
    const { id } = await ada.says(room, 'x', { deep: { down: [file] } })
    return () => company.does('DELETE', `/messages/${id}`, { query: { hard: 'true' } })
  },
  async 'a message that was forwarded, of which the first is deleted'({ ada, bo, company, room }, file) {
    const attachments = [{ type: 'file', asset_url: file }]
    const first = await ada.says(room, 'x', { attachments })
    const second = await bo.says(room, 'x', { attachments })
    await company.does('DELETE', `/messages/${first.id}`, { query: { hard: 'true' } })
    return () => company.does('DELETE', `/messages/${second.id}`, { query: { hard: 'true' } })
  },
  async 'a draft'({ bo, room }, file) {
    await bo.does('POST', `${path(room)}/draft`, { body: { message: { text: file } } })
    return () => bo.does('DELETE', `${path(room)}/draft`)
  },
  async 'a picture of somebody, who takes another'({ company }, file) {
    await company.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image: file } }] } })
    return () => company.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { image: '/other.png' } }] } })
  },
  async 'somebody who is deleted for good'({ company }, file) {
    await company.does('POST', '/users', { body: { users: { cy: { id: 'cy', where: { it: file } } } } })
    return () =>
      company.does('POST', '/users/delete', {
        body: { user_ids: ['cy'], user: 'hard', messages: 'hard', conversations: 'hard' },
      })
  },
  async 'the picture of a channel'({ company, room }, file) {
    await company.does('PATCH', path(room), { body: { set: { image: file } } })
    return () => company.does('PATCH', path(room), { body: { unset: ['image'] } })
  },
  async 'a channel that is deleted'({ ada, bo, company }, file) {
    const other = await company.opens([ada, bo])
    await ada.says(other, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    return () => company.does('POST', '/channels/delete', { body: { cids: [other], hard_delete: true } })
  },
  async 'a channel that is emptied'({ ada, bo, company }, file) {
    const other = await company.opens([ada, bo])
    await ada.says(other, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    return () => company.does('POST', `${path(other)}/truncate`, { body: { hard_delete: true } })
  },
  async 'a reaction'({ ada, room }, file) {
    const { id } = await ada.says(room, 'x')
    await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'like', why: file } } })
    return () => ada.does('DELETE', `/messages/${id}/reaction/like`)
  },
  async 'a poll'({ ada }, file) {
    const { poll } = await ada.does('POST', '/polls', { body: { name: 'Tea?', options: [{ text: file }] } })
    return () => ada.does('DELETE', `/polls/${poll.id}`)
  },
  async 'the settings of a member'({ company, room }, file) {
    await company.does('PATCH', `${path(room)}/member/bo`, { body: { set: { note: file } } })
    return () => company.does('PATCH', `${path(room)}/member/bo`, { body: { unset: ['note'] } })
  },
}

/** Lets some days go by, and everybody look through what there is. */
async function days(stage: Stage, count: number) {
  stage.clock.advance(count * DAY_MS)
  for (const { server } of stage.nodes) await beginFileRetention(server)
  const { read } = stage.nodes[0]!.server.database
  await eventually(async () => {
    const open = await read.selectFrom('tasks').select('kind').where('status', 'in', ['waiting', 'running']).execute()
    return open.length === 0
  }, 'everything was looked through')
}

async function keptIds(stage: Stage): Promise<Set<string>> {
  const folder = stage.nodes[0]!.server.settings.filesUrl.slice('file:'.length)
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  return new Set(files.filter((file) => file.isFile()).map(({ name }) => name.split('.')[0]!))
}

onEveryStorage((stage) => {
  it('[ATT-26] a file stays as long as anything names it, and a month longer', { timeout: 120_000 }, async () => {
    const { ada, bo, company } = await stage.company('ada', 'bo')
    const room = await company.opens([ada, bo])
    const named: { where: string; id: string; goes: () => Promise<unknown> }[] = []
    for (const [where, put] of Object.entries(places)) {
      const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from(where)))
      named.push({ where, id: idOf(file), goes: await put({ ada, bo, company, room }, file) })
    }
    const never = await uploads(ada, room, 'image', aForm('a.png', 'image/png', await aPicture(40, 30)))
    await fetch(never.thumb_url!)

    await days(stage, 29)
    assert.ok((await keptIds(stage)).has(idOf(never.file)), 'what was never sent stays for a month')
    await days(stage, 2)
    assert.ok(!(await keptIds(stage)).has(idOf(never.file)), 'and no longer, with what was made of it')
    await days(stage, 10)
    for (const { where, id } of named) assert.ok((await keptIds(stage)).has(id), where)

    for (const { goes } of named) await goes()
    await days(stage, 1)
    await days(stage, 28)
    for (const { where, id } of named) assert.ok((await keptIds(stage)).has(id), `${where}, a month later`)
    await days(stage, 3)
    const kept = await keptIds(stage)
    for (const { where, id } of named) assert.ok(!kept.has(id), where)
    const { read } = stage.nodes[0]!.server.database
    const rows = await read.selectFrom('files').select('id').where('app', '=', ada.app.id).execute()
    assert.deepEqual(rows, [])
  })

  it('[ATT-26] what is named while everything is looked through stays, wherever that was already', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    await days(stage, 20)
    await ada.says(room, 'x', { attachments: [{ type: 'file', asset_url: file }] })
    const { read } = stage.nodes[0]!.server.database
    const { named_at } = await read
      .selectFrom('files')
      .select('named_at')
      .where('id', '=', idOf(file))
      .executeTakeFirstOrThrow()
    assert.ok(named_at! > stage.clock.micros() - 60_000_000, 'the message says so by itself')
    await days(stage, 11)
    assert.ok((await keptIds(stage)).has(idOf(file)))
  })

  it('[ATT-26] another app’s words keep no file, and exports go by their own time', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    const other = await stage.company('eve')
    const theirs = await other.company.opens([other.eve])
    const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    await days(stage, 1)
    await days(stage, 31)
    assert.ok(!(await keptIds(stage)).has(idOf(file)))
    await other.eve.says(theirs, file)
    await days(stage, 1)
  })
})

onEveryTransport((stage) => {
  it('[ATT-26] of several nodes one looks through an app, once a day', async () => {
    const { ada, company } = await stage.company('ada')
    const room = await company.opens([ada])
    await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
    const { server } = stage.nodes[0]!
    const looks = async () => {
      await Promise.all(stage.nodes.map((node) => beginFileRetention(node.server)))
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
    stage.clock.advance(DAY_MS)
    assert.equal(await looks(), 2)
  })
})

onEveryStorage(
  (stage) => {
    it('[ATT-26] an operator can keep all files', async () => {
      const { ada, company } = await stage.company('ada')
      const room = await company.opens([ada])
      const { file } = await uploads(ada, room, 'file', aForm('a.txt', 'text/plain', Buffer.from('a')))
      await days(stage, 100)
      assert.ok((await keptIds(stage)).has(idOf(file)))
    })
  },
  { FILE_RETENTION_DAYS: '0' },
)
