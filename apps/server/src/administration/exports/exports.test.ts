import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { type AppServer, path } from '../../testing/test-user.ts'
import { imports, until } from '../imports/testing/importing.ts'

/** Waits until a task ends, with or without an error. */
async function result(appServer: AppServer, id: string, address = '/tasks') {
  const over = async () => ['completed', 'failed'].includes((await appServer.does('GET', `${address}/${id}`)).status)
  await until(over, 'the task is over')
  return appServer.does('GET', `${address}/${id}`)
}

/** What an export is called, by its version and format [administration.md 10.4]. */
const nameOf = ({ version = 'v1', format = 'json' }: { version?: string; format?: string }) =>
  format === 'csv' ? 'messages.csv' : version === 'v2' ? 'channels.jsonl' : 'channels.json'

async function exportOf(appServer: AppServer, channels: object[], options: object = {}): Promise<string> {
  const { task_id } = await appServer.does('POST', '/export_channels', { body: { channels, ...options } })
  const { status, result: made, error } = await result(appServer, task_id, '/export_channels')
  assert.equal(status, 'completed', JSON.stringify(error))
  assert.match(new URL(made.url).pathname, new RegExp(`/files/[^/]+/${nameOf(options)}$`))
  return (await fetch(made.url)).text()
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

onEveryStorage((fixture) => {
  it('[IMP-1] [IMP-2] [IMP-8] channels are exported as one list, and the file is downloaded without a token', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { name: 'Tea', mood: 'calm' })
    const [type, id] = room.split(':') as [string, string]
    const hello = await ada.sends(room, 'Hello', { colour: 'red' })
    await bo.sends(room, 'In the thread', { parent_id: hello.id })
    await bo.does('POST', `/messages/${hello.id}/reaction`, { body: { reaction: { type: 'love' } } })

    const [{ channel, messages }] = JSON.parse(await exportOf(appServer, [{ type, id }]))
    assert.deepEqual([channel.cid, channel.name, channel.mood], [room, 'Tea', 'calm'])
    const { message: shown } = await appServer.does('GET', `/messages/${hello.id}`)
    assert.deepEqual(messages[0].reaction_counts, { love: 1 })
    assert.deepEqual([messages[0].text, messages[0].colour, messages[0].created_at], ['Hello', 'red', shown.created_at])
    assert.deepEqual([messages.length, messages[1].parent_id], [2, hello.id])
  })

  it('[IMP-2] an export of lines has users, channels, members, messages and reactions in this order', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { name: 'Tea' })
    const gone = await ada.sends(room, 'Not meant so')
    await ada.does('DELETE', `/messages/${gone.id}`)
    const said = await ada.sends(room, 'Hello', { quoted_message_id: gone.id, mentioned_users: ['bo'] })
    await bo.does('POST', `/messages/${said.id}/reaction`, { body: { reaction: { type: 'clap', score: 3, why: 'x' } } })
    const lines = linesOf(await exportOf(appServer, [{ cid: room }], { version: 'v2', export_users: true }))
    assert.deepEqual(
      lines.map(({ type, data }) => [type, data.id ?? data.user_id]),
      [
        ...[
          ['user', 'ada'],
          ['user', 'bo'],
        ].sort(),
        ['channel', room.split(':')[1]],
        ...[
          ['member', 'ada'],
          ['member', 'bo'],
        ],
        ...[
          ['message', gone.id],
          ['message', said.id],
        ],
        ['reaction', 'bo'],
      ],
    )
    const [deleted, message] = lines.filter(({ type }) => type === 'message').map(({ data }) => data)
    assert.deepEqual([deleted.type, deleted.text], ['deleted', 'Not meant so'])
    assert.deepEqual([message.mentioned_users_ids, message.quoted_message_id], [['bo'], gone.id])
    const [reaction] = lines.filter(({ type }) => type === 'reaction').map(({ data }) => data)
    assert.deepEqual([reaction.type, reaction.score, reaction.why], ['clap', 3, 'x'])

    const without = linesOf(
      await exportOf(appServer, [{ cid: room }], { version: 'v2', clear_deleted_message_text: true }),
    )
    assert.deepEqual(
      without.map(({ type }) => type).filter((type) => type === 'user'),
      [],
    )
    assert.equal(without.find(({ data }) => data.id === gone.id).data.text, '')
  })

  it('[IMP-2] only messages between two times are exported, and only the wanted fields', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const said = []
    for (const text of ['one', 'two', 'three, "four"']) {
      fixture.clock.advance(1_000)
      said.push(await ada.sends(room, text, { mood: 'calm' }))
    }
    const between = { cid: room, messages_since: said[1]!.created_at, messages_until: said[1]!.created_at }
    const v2 = { version: 'v2', include_fields: ['text'] }
    const [, , message, ...none] = linesOf(await exportOf(appServer, [between], v2))
    const [type, id] = room.split(':')
    assert.deepEqual(message.data, {
      ...{ text: 'two', id: said[1]!.id, type: 'regular', user: 'ada', channel_type: type, channel_id: id },
    })
    assert.deepEqual(none, [])
    const table = await exportOf(appServer, [{ cid: room }], {
      version: 'v2',
      format: 'csv',
      include_fields: ['user', 'text'],
    })
    assert.equal(table, 'user,text\r\nada,one\r\nada,two\r\nada,"three, ""four"""\r\n')
    const tabular = { version: 'v2', format: 'csv' }
    const whole = await exportOf(appServer, [{ cid: room }], tabular)
    assert.match(whole, /,custom\r\n/)
    await ada.sends(room, '=HYPERLINK("http://x.example")', { cost: -5 })
    const last = (await exportOf(appServer, [{ cid: room }], { ...tabular, include_fields: ['text', 'cost'] }))
      .split('\r\n')
      .at(-2)
    assert.equal(last, `"'=HYPERLINK(""http://x.example"")",-5`)
    assert.match(whole, /"\{""mood"":""calm""\}"\r\n/)
  })

  it('[IMP-2] messages with the timestamp 0 are exported', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const [channel_type, channel_id] = room.split(':')
    const said = { id: 'first', type: 'regular', user: 'ada', channel_type, channel_id }
    await imports(appServer, [['message', { ...said, created_at: '1970-01-01T00:00:00Z' }]])
    const lines = linesOf(await exportOf(appServer, [{ cid: room }], { version: 'v2' }))
    assert.deepEqual(
      lines.flatMap(({ type, data }) => (type === 'message' ? data.id : [])),
      ['first'],
    )
  })

  it('[IMP-2] truncated or deleted messages are exported on request', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'Before')
    await appServer.does('POST', `/channels/${room.replace(':', '/')}/truncate`, { body: {} })
    await ada.sends(room, 'After')
    const texts = async (options: object) => {
      const [{ messages }] = JSON.parse(await exportOf(appServer, [{ cid: room }], options))
      return messages.map(({ text }: { text: string }) => text)
    }
    assert.deepEqual(await texts({}), ['After'])
    assert.deepEqual(await texts({ include_truncated_messages: true }), ['Before', 'After'])
    await appServer.does('DELETE', `/channels/${room.replace(':', '/')}`)
    await appServer.isRefused(16, 'POST', '/export_channels', { body: { channels: [{ cid: room }] } })
    assert.deepEqual(await texts({ include_soft_deleted_channels: true }), ['After'])
  })

  it('[CHN-56] a channel is soft deleted unless hard is requested, and only then is its content erased', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    for (const [query, held] of [
      [{}, ['Tea', 'Hello']],
      [{ hard_delete: 'false' }, ['Tea', 'Hello']],
      [{ hard_delete: 'true' }, [undefined]],
    ] as const) {
      const room = await appServer.opens([ada], { name: 'Tea' })
      await ada.sends(room, 'Hello')
      await appServer.does('DELETE', `/channels/${room.replace(':', '/')}`, { query })
      const kept = async () => {
        const options = { include_soft_deleted_channels: true }
        const [{ channel, messages }] = JSON.parse(await exportOf(appServer, [{ cid: room }], options))
        return [channel.name, ...messages.map(({ text }: { text: string }) => text)]
      }
      await until(async () => (await kept()).join() === held.join(), `${JSON.stringify(query)} keeps ${held}`)
    }
  })

  it('[USR-10] conversations of two are deleted with a user, soft or hard as requested', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    for (const [gone, conversations, held] of [
      [bo, 'soft', ['Tea', 'Hello']],
      [cy, 'hard', [undefined]],
    ] as const) {
      const pair = await appServer.opens([gone, ada], { name: 'Tea' })
      await ada.sends(pair, 'Hello')
      const body = { user_ids: [gone.id], user: 'soft', messages: 'soft', conversations }
      const { task_id } = await appServer.does('POST', '/users/delete', { body })
      assert.equal((await result(appServer, task_id)).status, 'completed')
      const options = { include_soft_deleted_channels: true }
      const kept = async () => {
        const [{ channel, messages }] = JSON.parse(await exportOf(appServer, [{ cid: pair }], options))
        return [channel.name, ...messages.map(({ text }: { text: string }) => text)]
      }
      await appServer.isRefused(16, 'POST', '/export_channels', { body: { channels: [{ cid: pair }] } })
      await until(async () => (await kept()).join() === held.join(), `${conversations} keeps ${held}`)
    }
  })

  it('[IMP-3] users are exported with all their data', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.does('POST', '/users/block', { body: { blocked_user_id: 'bo' } })
    await ada.does('POST', '/moderation/mute', { body: { target_id: 'bo' } })
    await ada.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    const push_preferences = { chat_level: 'mentions', disabled_until: '2199-01-01T00:00:00Z' }
    await ada.does('POST', '/push_preferences', { body: { preferences: [push_preferences] } })
    await appServer.does('POST', '/push_providers', { body: { push_provider: { type: 'apn', name: 'main' } } })
    await ada.does('POST', '/devices', { body: { id: 'phone', push_provider: 'apn', push_provider_name: 'main' } })
    const hello = await bo.sends(room, 'Hello')
    await ada.sends(room, 'Hi', { quoted_message_id: hello.id })
    await ada.does('POST', `/messages/${hello.id}/reaction`, { body: { reaction: { type: 'love' } } })
    const left = await appServer.opens([ada, bo])
    await ada.sends(left, 'Bye')
    await appServer.does('DELETE', path(left))
    const { task_id } = await appServer.does('POST', '/export/users', { body: { user_ids: ['ada', 'ada'] } })
    const { result: made } = await result(appServer, task_id)
    assert.match(new URL(made.url).pathname, /\/files\/[^/]+\/users\.jsonl$/)
    const lines = linesOf(await (await fetch(made.url)).text())
    assert.deepEqual(
      lines.map(({ type }) => type),
      ['user', 'device', 'member', 'message', 'message', 'reaction'],
    )
    const [user, device, member] = lines.map(({ data }) => data)
    const said = lines.flatMap(({ type, data }) => (type === 'message' ? data.text : []))
    const reaction = lines.at(-1)!.data
    assert.deepEqual([user.id, user.name, user.blocked_user_ids], ['ada', 'Ada', ['bo']])
    assert.deepEqual([user.user_mutes, user.channel_mutes, user.push_preferences], [['bo'], [room], push_preferences])
    assert.deepEqual(
      lines.flatMap(({ data }) => data.quoted_message_id ?? []),
      [hello.id],
    )
    assert.deepEqual([device.id, device.push_provider_type], ['phone', 'apn'])
    assert.deepEqual([member.user_id, said.sort(), reaction.message_id], ['ada', ['Bye', 'Hi'], hello.id])
    await appServer.isRefused(16, 'POST', '/export/users', { body: { user_ids: ['nobody'] } })
  })

  it('an export written by two nodes has the file of one of them, complete', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'Hello')
    const { server } = fixture.nodes[0]!
    const { storage } = server.files
    // The first has written its file, and is taken for dead before it can record that.
    const isKept = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    const [keep, remove] = [storage.keep.bind(storage), storage.remove.bind(storage)]
    const kept: string[] = []
    const removed: string[] = []
    storage.keep = async (name, ...file) => {
      kept.push(name)
      if (kept.length === 1) {
        isKept.resolve()
        await mayGoOn.promise
      }
      return keep(name, ...file)
    }
    storage.remove = async (names) => {
      await remove(names)
      if (kept.length === 2) removed.push(...names)
    }
    const { task_id } = await appServer.does('POST', '/export_channels', { body: { channels: [{ cid: room }] } })
    await isKept.promise
    await ada.sends(room, 'And more')
    await server.tasks.relieve()
    const { result: made } = await result(appServer, task_id)
    const whole = await (await fetch(made.url)).text()
    assert.match(whole, /And more/)
    mayGoOn.resolve()
    await until(async () => removed.includes(kept[0]!), 'nothing is left of the first one')
    for (const name of ['keep', 'remove']) Reflect.deleteProperty(storage, name)
    assert.equal(await (await fetch(made.url)).text(), whole)
  })

  it('after a user is erased no export contains their data', async () => {
    const { bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, elsewhere] = [await appServer.opens([bo]), await appServer.opens([bo])]
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'I was here', user_id: 'ada' } } })
    const made = async (at: string, body: object) => {
      const { task_id } = await appServer.does('POST', at, { body })
      return (await result(appServer, task_id)).result.url as string
    }
    const users = (...user_ids: string[]) => made('/export/users', { user_ids })
    const channel = (cid: string) => made('/export_channels', { channels: [{ cid }] })
    const telling = [await users('bo', 'ada'), await channel(room)]
    const others = [await users('bo'), await channel(elsewhere)]
    const statuses = (urls: string[]) => Promise.all(urls.map(async (url) => (await fetch(url)).status))
    assert.deepEqual(await statuses([...telling, ...others]), [200, 200, 200, 200])

    const erased = { user_ids: ['ada'], user: 'hard', messages: 'hard', conversations: 'hard' }
    const { task_id } = await appServer.does('POST', '/users/delete', { body: erased })
    assert.equal((await result(appServer, task_id)).status, 'completed')
    assert.deepEqual(
      [await statuses(telling), await statuses(others)],
      [
        [404, 404],
        [200, 200],
      ],
    )
  })

  it('an export is kept if an erased user is not in it, and deleted if they were, even as a former member', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'cleopatra')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', path(room), { body: { add_members: ['cleopatra'] } })
    const body = { channels: [{ cid: room }], export_users: true, version: 'v2' }
    const { task_id } = await appServer.does('POST', '/export_channels', { body })
    const { url } = (await result(appServer, task_id)).result
    await appServer.does('POST', path(room), { body: { remove_members: ['cleopatra'] } })
    for (const [id, status] of [
      ['cleo', 200],
      ['cleopatra', 404],
    ] as const) {
      const erased = { user_ids: [id], user: 'hard', messages: 'hard', conversations: 'hard' }
      await result(appServer, (await appServer.does('POST', '/users/delete', { body: erased })).task_id)
      assert.equal((await fetch(url)).status, status, id)
    }
  })

  it('an export running while a user in it is erased is cancelled, and leaves nothing', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'I was here')
    const { storage } = fixture.nodes[0]!.server.files
    const erases = async (user: string) => {
      const erased = { user_ids: [user], user: 'hard', messages: 'hard', conversations: 'hard' }
      const { task_id } = await appServer.does('POST', '/users/delete', { body: erased })
      assert.equal((await result(appServer, task_id)).status, 'completed')
    }
    const exported = async (at: string, body: object) => {
      const { task_id } = await appServer.does('POST', at, { body })
      return { task_id, ...(await result(appServer, task_id)) }
    }
    const kept: string[] = []
    const notes = (name: string) => kept.push(name) > 0
    justBefore(storage, 'keep', () => erases('cleo'), notes)
    const telling = await exported('/export/users', { user_ids: ['bo', 'cleo'] })
    assert.deepEqual(
      [telling.status, telling.error.description],
      ['failed', 'somebody this export tells of was erased'],
    )
    justBefore(storage, 'keep', () => erases('ada'), notes)
    assert.equal((await exported('/export_channels', { channels: [{ cid: room }] })).status, 'failed')
    const isGone = (name: string) =>
      storage.read(name).then(
        (stream) => !stream.destroy(),
        () => true,
      )
    assert.equal(kept.length, 2)
    for (const name of kept) await until(() => isGone(name), 'nothing is left of the file')
    assert.equal((await exported('/export/users', { user_ids: ['bo'] })).status, 'completed')
  })

  it('an export whose file takes long to store is made once', async () => {
    const { appServer } = await fixture.createApp('ada')
    const { storage } = fixture.nodes[0]!.server.files
    const isKept = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    justBefore(storage, 'keep', () => {
      isKept.resolve()
      return mayGoOn.promise
    })
    const { task_id } = await appServer.does('POST', '/export/users', { body: { user_ids: ['ada'] } })
    await isKept.promise
    const task = () => appServer.does('GET', `/tasks/${task_id}`)
    for (const _ of [1, 2, 3, 4]) {
      fixture.clock.advance(20_000)
      const now = fixture.clock.now() - 1_000
      await until(async () => Date.parse((await task()).updated_at) > now, 'a sign of life')
    }
    assert.equal((await task()).status, 'running')
    mayGoOn.resolve()
    assert.equal((await result(appServer, task_id)).status, 'completed')
  })

  it('[IMP-7] [IMP-8] only the app’s server can export, at most 25 channels at once', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const [type, id] = room.split(':')
    const at = '/export_channels'
    const refused = (code: number, body: object) => appServer.isRefused(code, 'POST', at, { body })
    await ada.isRefused(17, 'POST', at, { body: { channels: [{ type, id }] } })
    await ada.isRefused(17, 'POST', '/export/users', { body: { user_ids: ['ada'] } })
    await refused(4, { channels: [] })
    await refused(4, { channels: Array(26).fill({ type, id }) })
    await refused(4, { channels: [{ type: '', id }] })
    await refused(4, { channels: [{ type, id: '' }] })
    await refused(4, { channels: [{ type, id, messages_since: 'yesterday' }] })
    await refused(4, { channels: [{ type, id }], format: 'csv' })
    await refused(4, { channels: [{ type, id }], format: 'csv', version: 'v2', export_users: true })
    await refused(16, { channels: [{ type, id: 'nowhere' }] })
    await refused(16, { channels: [{ type: 'nothing', id }] })
    await appServer.isRefused(4, 'POST', '/export/users', { body: { user_ids: Array(26).fill('ada') } })

    const { task_id } = await appServer.does('POST', at, { body: { channels: Array(25).fill({ type, id }) } })
    assert.equal((await result(appServer, task_id)).status, 'completed')
    await ada.isRefused(17, 'GET', `${at}/${task_id}`)
    const { appServer: other } = await fixture.createApp()
    for (const address of [`${at}/${task_id}`, `/tasks/${task_id}`]) await other.isRefused(16, 'GET', address)
  })

  it('the address of an export is valid for a day and renewable, and the file is purged after sixty days', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { task_id } = await appServer.does('POST', '/export_channels', { body: { channels: [{ cid: room }] } })
    const { result: first } = await result(appServer, task_id)
    const statusOf = async (url: string) => (await fetch(url)).status
    assert.equal(await statusOf(first.url), 200)
    fixture.clock.advance(24 * 3_600_000)
    assert.equal(await statusOf(first.url), 200)
    fixture.clock.advance(3 * 3_600_000)
    assert.equal(await statusOf(first.url), 403)
    fixture.clock.advance(58 * 86_400_000)
    const { url } = (await appServer.does('GET', `/export_channels/${task_id}`)).result
    assert.equal(await statusOf(url), 200)
    fixture.clock.advance(2 * 86_400_000)
    const gone = async () => (await appServer.call('GET', `/tasks/${task_id}`)).status === 404
    await until(gone, 'the task is forgotten')
    await until(async () => (await statusOf(url)) !== 200, 'the file is gone')
  })
})
