import assert from 'node:assert/strict'
import type { Draft } from '@parley/protocol/drafts'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const writes = async (testUser: TestUser, room: string, message: object): Promise<Draft> =>
  (await testUser.does('POST', `${path(room)}/draft`, { body: { message } })).draft
const draftIn = async (testUser: TestUser, room: string, query = {}): Promise<Draft> =>
  (await testUser.does('GET', `${path(room)}/draft`, { query })).draft
const found = async (testUser: TestUser, body: object = {}): Promise<Draft[]> =>
  (await testUser.does('POST', '/drafts/query', { body })).drafts

onEveryStorage((fixture) => {
  it('a draft is saved once per channel and thread, and other users do not see it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await bo.sends(room, 'Lunch?')
    await writes(ada, room, { text: 'He' })

    const draft = await writes(ada, room, {
      id: 'mine',
      text: 'Hello @Bo',
      mentioned_users: ['bo', 'nobody'],
      attachments: [{ type: 'image', image_url: 'tea.png' }],
      quoted_message_id: lunch.id,
      mood: 'calm',
    })
    const reply = await writes(ada, room, { text: 'Pho', parent_id: lunch.id, show_in_channel: true })

    const { message } = draft
    assert.deepEqual([message.id, message.text, (message as { mood?: string }).mood], ['mine', 'Hello @Bo', 'calm'])
    assert.deepEqual(
      message.mentioned_users.map(({ name }) => name),
      ['Bo'],
    )
    assert.deepEqual([draft.channel_cid, draft.channel?.cid, draft.quoted_message?.text], [room, room, 'Lunch?'])
    assert.deepEqual([reply.parent_id, reply.parent_message?.text], [lunch.id, 'Lunch?'])
    assert.deepEqual((await draftIn(ada, room)).message, message)
    assert.equal((await draftIn(ada, room, { parent_id: lunch.id })).message.text, 'Pho')
    await bo.isRefused(16, 'GET', `${path(room)}/draft`)

    const state = await ada.opensChannel(room)
    assert.deepEqual([state.draft?.message.text, state.messages[0]!.draft?.message.text], ['Hello @Bo', 'Pho'])
    const others = await bo.opensChannel(room)
    assert.deepEqual([others.draft, others.messages[0]!.draft], [undefined, undefined])
    await bo.sends(room, 'Fine', { parent_id: lunch.id })
    await ada.sends(room, 'Me too', { parent_id: lunch.id })
    await writes(ada, room, { text: 'Again', parent_id: lunch.id })
    const { thread } = await ada.does('GET', `/threads/${lunch.id}`)
    assert.deepEqual([thread.draft.message.text, thread.parent_message.draft.message.text], ['Again', 'Again'])
  })

  it('a draft is removed when it is deleted or its message is sent, and the author’s devices are notified', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await bo.sends(room, 'Lunch?')
    const tablet = ada.device()
    await tablet.connects()
    await bo.connects()
    const kept = async () => (await found(ada)).map((draft) => draft.message.text)

    await writes(ada, room, { text: 'Hello' })
    await writes(ada, room, { text: 'Pho', parent_id: lunch.id })
    assert.equal((await tablet.receives('draft.updated')).draft.message.text, 'Hello')

    await ada.sends(room, 'Hello')
    const sent = await tablet.receives('draft.deleted')
    assert.deepEqual([sent.cid, sent.draft.message.text, sent.draft.parent_id], [room, 'Hello', undefined])
    assert.equal(`${sent.channel_type}:${sent.channel_id}`, room)
    assert.deepEqual(await kept(), ['Pho'])
    await bo.sends(room, 'Pho', { parent_id: lunch.id })
    assert.deepEqual(await kept(), ['Pho'])
    await ada.sends(room, 'Pho', { parent_id: lunch.id })
    assert.equal((await tablet.receives('draft.deleted')).parent_id, lunch.id)

    await writes(ada, room, { text: 'Hm' })
    await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message: { text: '' } } })
    assert.deepEqual(await kept(), ['Hm'])
    await ada.does('DELETE', `${path(room)}/draft`)
    await tablet.receives('draft.deleted')
    await ada.isRefused(16, 'DELETE', `${path(room)}/draft`)
    await ada.isRefused(16, 'GET', `${path(room)}/draft`)
    assert.ok(!(await bo.receivedTypes()).some((type) => type.startsWith('draft')))
  })

  it('drafts can be queried by channel and thread, newest first, in pages', async () => {
    const { ada, cy, appServer } = await fixture.createApp('ada', 'cy')
    const [one, two] = [await appServer.opens([cy, ada]), await appServer.opens([ada])]
    const lunch = await ada.sends(one, 'Lunch?')
    for (const [room, message] of [
      [one, { text: 'first' }],
      [two, { text: 'second' }],
      [one, { text: 'third', parent_id: lunch.id }],
    ] as const) {
      await writes(ada, room, message)
      fixture.clock.advance(1_000)
    }
    const texts = async (body: object) => (await found(ada, body)).map((draft) => draft.message.text)

    assert.deepEqual(await texts({}), ['third', 'second', 'first'])
    assert.deepEqual(await texts({ sort: [{ field: 'created_at', direction: 1 }], limit: 1 }), ['first'])
    assert.deepEqual(await texts({ filter: { channel_cid: one } }), ['third', 'first'])
    assert.deepEqual(await texts({ filter: { parent_id: { $exists: true } } }), ['third'])
    const { next } = await ada.does('POST', '/drafts/query', { body: { limit: 2 } })
    assert.deepEqual(await texts({ limit: 2, next }), ['first'])
    await appServer.does('POST', path(one), { body: { remove_members: ['ada'] } })
    const [alone] = await found(ada, { filter: { parent_id: lunch.id } })
    assert.deepEqual([alone?.message.text, alone?.channel, alone?.parent_message], ['third', undefined, undefined])
    await ada.isRefused(4, 'POST', '/drafts/query', { body: { limit: 101 } })
    await ada.isRefused(4, 'POST', '/drafts/query', { body: { filter: { mood: 'calm' } } })
  })

  it('the app’s server gets a draft with its channel, also one that its author may not read any more', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([bo, ada])
    const lunch = await bo.sends(room, 'Lunch?')
    const message = { text: 'Pho', parent_id: lunch.id, user_id: 'ada' }
    const made = (await appServer.does('POST', `${path(room)}/draft`, { body: { message } })).draft
    assert.deepEqual([made.channel.cid, made.parent_message.text], [room, 'Lunch?'])
    await appServer.does('POST', path(room), { body: { remove_members: ['ada'] } })
    const query = { user_id: 'ada', parent_id: lunch.id }
    const { draft } = await appServer.does('GET', `${path(room)}/draft`, { query })
    const { drafts } = await appServer.does('POST', '/drafts/query', { body: { user_id: 'ada' } })
    for (const each of [draft, drafts[0]])
      assert.deepEqual([each.channel?.cid, each.parent_message?.text], [room, 'Lunch?'])
    const [own] = await found(ada)
    assert.deepEqual([own?.message.text, own?.channel, own?.parent_message], ['Pho', undefined, undefined])
  })

  it('a draft that could never be sent is refused', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const other = await appServer.opens([ada])
    const lunch = await ada.sends(room, 'Lunch?')
    const reply = await ada.sends(room, 'Pho', { parent_id: lunch.id })
    const refused = (testUser: TestUser, code: number, cid: string, message: object) =>
      testUser.isRefused(code, 'POST', `${path(cid)}/draft`, { body: { message } })

    await refused(bo, 17, room, { text: 'Hello' })
    await refused(ada, 20, room, { text: 'x'.repeat(5_001) })
    await refused(ada, 22, room, { text: 'x', notes: 'y'.repeat(6_000) })
    await refused(ada, 16, other, { text: 'x', parent_id: lunch.id })
    await refused(ada, 21, room, { text: 'x', parent_id: reply.id })
    assert.deepEqual(await found(ada), [])
  })
})
