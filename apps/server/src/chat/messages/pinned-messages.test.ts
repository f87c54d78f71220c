import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const pin = (testUser: TestUser, id: string, fields: object = {}) =>
  testUser.does('PUT', `/messages/${id}`, { body: { set: { pinned: true, ...fields } } })

async function pins(testUser: TestUser, room: string, payload: object = {}): Promise<string[]> {
  const query = { payload: JSON.stringify(payload) }
  const { messages } = await testUser.does('GET', `${path(room)}/pinned_messages`, { query })
  return messages.map((message: Message) => message.text)
}

onEveryStorage((fixture) => {
  it('[PIN-1] [PIN-2] [PIN-3] [PIN-7] pins are listed newest first, ten at a time, until they are removed', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const sent: Message[] = []
    for (let i = 0; i < 12; i++) sent.push(await ada.sends(room, `note ${i}`))
    await ada.sends(room, 'not pinned')
    for (const { id } of sent.toReversed()) await pin(ada, id)
    const names = sent.map((message) => message.text)

    assert.deepEqual(await pins(ada, room), names.slice(0, 10))
    assert.deepEqual(await pins(ada, room, { limit: 12 }), names)
    const oldestFirst = { sort: [{ field: 'pinned_at', direction: 1 }], limit: 2 }
    assert.deepEqual(await pins(ada, room, oldestFirst), ['note 11', 'note 10'])

    await ada.does('PUT', `/messages/${sent[0]!.id}`, { body: { set: { pinned: false } } })
    assert.deepEqual(await pins(ada, room, { limit: 1 }), ['note 1'])
  })

  it('[PIN-3] pages start at a message or at a pinning time', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const sent: Message[] = []
    for (let i = 0; i < 5; i++) {
      const message = await ada.sends(room, String(i))
      sent.push((await pin(ada, message.id)).message)
    }
    const [, , middle] = sent
    const page = (payload: object) => pins(ada, room, payload)

    assert.deepEqual(await page({ id_lt: middle!.id }), ['1', '0'])
    assert.deepEqual(await page({ id_lte: middle!.id, limit: 2 }), ['2', '1'])
    assert.deepEqual(await page({ id_gt: middle!.id }), ['4', '3'])
    assert.deepEqual(await page({ id_gt: middle!.id, limit: 1 }), ['3'])
    assert.deepEqual(await page({ pinned_at_after_or_equal: middle!.pinned_at }), ['4', '3', '2'])
    assert.deepEqual(await page({ pinned_at_before: middle!.pinned_at }), ['1', '0'])
    assert.deepEqual(await page({ id_around: middle!.id, limit: 3 }), ['3', '2', '1'])
    assert.deepEqual(await page({ pinned_at_around: sent[4]!.pinned_at, limit: 3 }), ['4', '3', '2'])
    const refused = (code: number, payload: object) =>
      ada.isRefused(code, 'GET', `${path(room)}/pinned_messages`, { query: { payload: JSON.stringify(payload) } })
    await refused(4, { id_lt: middle!.id, id_gt: middle!.id })
    await refused(4, { pinned_at_before: 'yesterday' })
    await refused(16, { id_lt: 'nobody' })
    await refused(4, { limit: 301 })
  })

  it('[PIN-8] a page is next to its start pin in either sort order, and a limit of 0 returns none', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const said: Message[] = []
    for (let i = 0; i < 7; i++) said.push(await ada.sends(room, String(i)))
    // Pins in another order than they were sent.
    for (const i of [6, 5, 4, 3, 2, 1, 0]) said[i] = (await pin(ada, said[i]!.id)).message
    const [middle, at] = [said[3]!.id, said[3]!.pinned_at]
    const asked = (direction: 1 | -1) => ({ sort: [{ field: 'pinned_at', direction }], limit: 2 })
    for (const [position, newestFirst] of [
      [{ id_lt: middle }, ['4', '5']],
      [{ id_gt: middle }, ['1', '2']],
      [{ id_lte: middle }, ['3', '4']],
      [{ id_gte: middle }, ['2', '3']],
      [{ pinned_at_before: at }, ['4', '5']],
      [{ pinned_at_after: at }, ['1', '2']],
      [{ id_around: middle }, ['3', '4']],
      [{ pinned_at_around: at }, ['3', '4']],
    ] as const) {
      assert.deepEqual(await pins(ada, room, { ...position, limit: 2 }), newestFirst)
      assert.deepEqual(await pins(ada, room, { ...position, ...asked(-1) }), newestFirst)
      assert.deepEqual(await pins(ada, room, { ...position, ...asked(1) }), newestFirst.toReversed())
      assert.deepEqual(await pins(ada, room, { ...position, limit: 0 }), [])
    }
    assert.deepEqual(
      await pins(ada, room, { id_gt: middle, sort: [{ field: 'created_at', direction: 1 }], limit: 2 }),
      ['0', '1'],
    )
    assert.deepEqual(await pins(ada, room, { limit: 0 }), [])
    await ada.isRefused(4, 'GET', `${path(room)}/pinned_messages`, { query: { payload: '{"limit":-1}' } })
    await ada.isRefused(16, 'GET', `${path(room)}/pinned_messages`, {
      query: { payload: JSON.stringify({ id_around: 'nobody', limit: 0 }) },
    })
  })

  it('[PIN-3] a page of pins around a message that it could not include is refused', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const [brief, gone, kept] = [
      await ada.sends(room, 'brief'),
      await ada.sends(room, 'gone'),
      await ada.sends(room, 'kept'),
    ]
    await pin(ada, brief.id, { pin_expires: new Date(fixture.clock.now() + 60_000).toISOString() })
    for (const { id } of [gone, kept]) await pin(ada, id)
    await ada.does('DELETE', `/messages/${gone.id}`)
    fixture.clock.advance(61_000)

    for (const { id } of [brief, gone])
      await ada.isRefused(16, 'GET', `${path(room)}/pinned_messages`, {
        query: { payload: JSON.stringify({ id_around: id }) },
      })
    assert.deepEqual(await pins(ada, room, { id_around: kept.id }), ['kept'])
  })

  it('[PIN-7] a user who may not pin cannot touch a message by setting its pin to the present value', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada], {}, 'livestream')
    const { id, updated_at } = await ada.sends(room, 'On the air')
    fixture.clock.advance(1000)
    for (const set of [{ pinned: false }, { pinned_at: updated_at }, { pin_expires: null }])
      await bo.isRefused(17, 'PUT', `/messages/${id}`, { body: { set } })
    assert.equal((await ada.opensChannel(room)).messages[0]!.updated_at, updated_at)
  })

  it('[PIN-3] pins can be filtered by message fields and by who pinned them', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const tea = await ada.sends(room, 'Tea at five', { mentioned_users: ['bo'], topic: 'tea' })
    const cake = await bo.sends(room, 'Cake', { attachments: [{ type: 'image', image_url: 'cake.png' }] })
    await pin(bo, tea.id)
    await pin(ada, cake.id)
    const found = (filter: object) => pins(ada, room, { filter })

    assert.deepEqual(await found({ 'pinned_by.id': 'bo' }), ['Tea at five'])
    assert.deepEqual(await found({ 'user.id': { $in: ['bo'] } }), ['Cake'])
    assert.deepEqual(await found({ text: { $q: 'tea' } }), ['Tea at five'])
    assert.deepEqual(await found({ topic: 'tea' }), ['Tea at five'])
    assert.deepEqual(await found({ attachments: { $exists: true } }), ['Cake'])
    assert.deepEqual(await found({ 'attachments.type': 'image' }), ['Cake'])
    assert.deepEqual(await found({ 'mentioned_users.id': { $contains: 'bo' } }), ['Tea at five'])
    assert.deepEqual(await found({ pinned_at: { $gt: '2100-01-01T00:00:00Z' } }), [])
    await ada.isRefused(4, 'GET', `${path(room)}/pinned_messages`, { query: { payload: '{"filter":{"text":1}}' } })
  })

  it('[PIN-5] a pin expires, and a deleted message is not listed', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const [brief, gone] = [await ada.sends(room, 'brief'), await ada.sends(room, 'gone')]
    await pin(ada, brief.id, { pin_expires: new Date(fixture.clock.now() + 60_000).toISOString() })
    await pin(ada, gone.id)
    await ada.does('DELETE', `/messages/${gone.id}`)
    assert.deepEqual(await pins(ada, room), ['brief'])

    fixture.clock.advance(61_000)

    assert.deepEqual(await pins(ada, room), [])
    assert.equal((await ada.does('GET', `/messages/${brief.id}`)).message.pinned_at, null)
  })

  it('a message a member deleted for themselves is not a pin for them', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const text of ['ours', 'yours']) await pin(ada, (await ada.sends(room, text)).id)
    const shown = async (testUser: TestUser) =>
      (await testUser.opensChannel(room)).pinned_messages.map(({ text }) => text)
    const { id } = (await bo.opensChannel(room)).pinned_messages[1]!

    await bo.does('DELETE', `/messages/${id}`, { query: { delete_for_me: 'true' } })

    assert.deepEqual([await shown(bo), await pins(bo, room)], [['ours'], ['ours']])
    assert.deepEqual(
      [await shown(ada), await pins(ada, room)],
      [
        ['ours', 'yours'],
        ['yours', 'ours'],
      ],
    )
  })

  it('a user who may not read the channel, or its history, sees no pins', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'ours')
    await pin(ada, id)

    await bo.isRefused(17, 'GET', `${path(room)}/pinned_messages`)
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    assert.deepEqual(await pins(bo, room), [])
    assert.deepEqual(await pins(ada, room), ['ours'])
    const shown = async (testUser: TestUser) =>
      (await testUser.opensChannel(room)).pinned_messages.map(({ text }) => text)
    assert.deepEqual([await shown(bo), await shown(ada)], [[], ['ours']])

    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', shadow: true, user_id: 'ada' } })
    await pin(bo, (await bo.sends(room, 'Buy!')).id)
    assert.deepEqual([await shown(bo), await shown(ada)], [['Buy!'], ['ours']])
    assert.deepEqual([await pins(bo, room), await pins(ada, room)], [['Buy!'], ['ours']])
  })
})
