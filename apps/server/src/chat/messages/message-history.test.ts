import assert from 'node:assert/strict'
import type { MessageVersion } from '@parley/protocol/messages'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { rowsUntil } from '../../testing/statements.ts'
import { type AppServer, path } from '../../testing/test-user.ts'

const history = (appServer: AppServer, filter: object, options: object = {}) =>
  appServer.does('POST', '/messages/history', { body: { filter, ...options } })

async function versions(appServer: AppServer, filter: object, options: object = {}) {
  const { message_history } = await history(appServer, filter, options)
  return message_history.map(({ text, message_updated_by_id }: MessageVersion) => [text, message_updated_by_id])
}

onEveryStorage((fixture) => {
  it('returns each version before an edit with its writer and time, newest first', async () => {
    const { ada, mod, appServer } = await fixture.createApp('ada', 'mod')
    const room = await appServer.opens([ada, mod])
    const first = await ada.sends(room, 'Helo', { mood: 'calm', attachments: [{ type: 'file', title: 'Plan' }] })
    await appServer.does('PUT', `/messages/${first.id}`, { body: { set: { text: 'Hello' }, user_id: 'mod' } })
    const { message: second } = await ada.does('POST', `/messages/${first.id}`, { body: { message: { text: 'Bye' } } })
    await ada.does('PUT', `/messages/${first.id}`, { body: { set: { mood: 'sad' } } })

    const { message_history } = await history(appServer, { message_id: first.id })
    const [third, hello, helo] = message_history
    assert.deepEqual(await versions(appServer, { message_id: first.id }), [
      ['Bye', 'ada'],
      ['Hello', 'mod'],
      ['Helo', 'ada'],
    ])
    assert.equal(third.message_updated_at, second.updated_at)
    assert.deepEqual(third.attachments, [])
    assert.equal(third.mood, undefined)
    assert.notEqual(hello.message_updated_at, first.created_at)
    assert.deepEqual(helo, {
      message_id: first.id,
      message_updated_by_id: 'ada',
      message_updated_at: first.created_at,
      text: 'Helo',
      attachments: [{ type: 'file', title: 'Plan' }],
      is_deleted: false,
      mood: 'calm',
    })
  })

  it('stores no version of a message that was only sent, pinned or edited to the same content', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Hello', { mood: { a: 1, b: [2] } })
    await ada.does('PUT', `/messages/${id}`, { body: { set: { pinned: true } } })
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Hello' } } })
    await ada.does('PUT', `/messages/${id}`, { body: { set: { mood: { b: [2], a: 1 } } } })
    assert.deepEqual(await versions(appServer, { message_id: id }), [])
  })

  it('is not read by an edit, however long it is', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')
    const edit = (text: string) => ada.does('PUT', `/messages/${id}`, { body: { set: { text } } })
    await edit('Hello 0')
    const rows = await rowsUntil(() => edit('Hello 1'))
    for (let i = 2; i < 12; i++) await edit(`Hello ${i}`)
    assert.equal(await rowsUntil(() => edit('Hello 12')), rows)
  })

  it('can be queried by message, writer and time, in pages', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const sent = [await ada.sends(room, 'a0'), await bo.sends(room, 'b0')]
    for (let i = 1; i <= 3; i++)
      for (const [at, testUser] of [ada, bo].entries())
        await testUser.does('PUT', `/messages/${sent[at]!.id}`, { body: { set: { text: `${testUser.id[0]}${i}` } } })
    const found = async (filter: object, options: object = {}) =>
      (await versions(appServer, filter, options)).map(([text]: string[]) => text)
    const both = { message_id: { $in: sent.map(({ id }) => id) } }

    assert.deepEqual(await found(both), ['b2', 'a2', 'b1', 'a1', 'b0', 'a0'])
    assert.deepEqual(await found({ user_id: 'bo' }), ['b2', 'b1', 'b0'])
    assert.deepEqual(await found({ message_updated_by_id: 'bo', message_id: sent[0]!.id }), [])
    assert.deepEqual(await found({ created_at: { $lte: sent[1]!.created_at } }), ['b0', 'a0'])
    assert.deepEqual(await found(both, { sort: [{ field: 'message_updated_at', direction: 1 }], limit: 2 }), [
      'a0',
      'b0',
    ])
    const first = await history(appServer, both, { limit: 4 })
    assert.deepEqual(await found(both, { limit: 4, next: first.next }), ['b0', 'a0'])
    assert.equal((await history(appServer, both, { limit: 4, next: first.next })).next, undefined)
    assert.deepEqual(await found({ message_id: 'elsewhere' }), [])
    const byWriter = { sort: [{ field: 'user_id', direction: -1 }] }
    assert.deepEqual(await found(both, byWriter), ['b0', 'b1', 'b2', 'a0', 'a1', 'a2'])
  })

  it('marks versions of a deleted message, and is erased with the message', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const edited = async (text: string, parent_id?: string) => {
      const { id } = await ada.sends(room, text, parent_id === undefined ? {} : { parent_id })
      await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'else' } } })
      return id
    }
    const one = await edited('one')
    await ada.does('DELETE', `/messages/${one}`)
    const [version] = (await history(appServer, { message_id: one })).message_history
    assert.deepEqual([version.text, version.is_deleted], ['one', true])

    const two = await edited('two')
    const reply = await edited('reply', two)
    const three = await edited('three')
    const all = { message_id: { $in: [one, two, reply, three] } }
    assert.equal((await versions(appServer, all)).length, 4)
    await ada.does('DELETE', `/messages/${two}`, { query: { hard: 'true' } })
    assert.deepEqual(
      (await versions(appServer, all)).map(([text]: string[]) => text),
      ['three', 'one'],
    )
    await appServer.does('POST', `${path(room)}/truncate`, { body: { hard_delete: true } })
    await eventually(async () => (await versions(appServer, all)).length === 0, 'the versions are gone')
  })

  it('is only for the app’s server, and needs a filter', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await ada.isRefused(17, 'POST', '/messages/history', { body: { filter: { message_id: 'x' } } })
    for (const body of [{}, { filter: {} }, { filter: { text: 'x' } }, { filter: { message_id: 'x' }, limit: 101 }])
      await appServer.isRefused(4, 'POST', '/messages/history', { body })
  })
})
