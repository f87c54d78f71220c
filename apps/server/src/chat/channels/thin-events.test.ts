import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('above the watcher limit other users’ read and typing events are not published; counts stay exact', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { thin_events_above: 2 } })
    const room = await appServer.opens([ada, bo, cy])
    await ada.watches(room)
    await bo.watches(room)
    const types = (testUser: TestUser) => ['typing.start', 'message.read'].map((type) => testUser.receives(type))
    const acts = async () => {
      await bo.does('POST', `${path(room)}/event`, { body: { event: { type: 'typing.start' } } })
      await bo.reads(room)
    }
    await acts()
    await Promise.all(types(ada))
    await Promise.all(types(bo))

    await cy.watches(room)
    await ada.sends(room, 'Hello')
    assert.equal((await bo.receives('message.new')).total_unread_count, 1)
    await acts()

    await Promise.all(types(bo))
    assert.equal(await bo.unread(room), 0)
    for (const testUser of [ada, cy]) {
      const heard = await testUser.receivedTypes()
      assert.ok(!heard.includes('typing.start') && !heard.includes('message.read'))
    }
  })

  it('a channel can start hidden from its creator', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const opens = (id: string, body: object) => ada.does('POST', `/channels/messaging/${id}/query`, { body })
    const id = `room-${appServer.app.key}`
    const state = await opens(id, { data: { members: ['ada', 'bo'] }, state: true, hide_for_creator: true })
    assert.equal(state.hidden, true)
    assert.equal((await bo.opensChannel(`messaging:${id}`)).hidden, false)
    await bo.sends(`messaging:${id}`, 'Hello')
    assert.equal((await opens(id, { state: true, hide_for_creator: true })).hidden, false)
  })

  it('a type may exclude system messages from `last_message_at`', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const sends = (text: string) =>
      appServer.does('POST', `${path(room)}/message`, { body: { message: { text, type: 'system', user_id: 'ada' } } })
    const last = async () => (await ada.opensChannel(room)).channel.last_message_at
    const { message } = await sends('Ada came')
    assert.equal(await last(), message.created_at)
    await appServer.does('PUT', '/channeltypes/messaging', { body: { skip_last_msg_update_for_system_msgs: true } })
    await sends('Ada sat down')
    assert.equal(await last(), message.created_at)
    const said = await ada.sends(room, 'Hello')
    assert.equal(await last(), said.created_at)
  })
})
