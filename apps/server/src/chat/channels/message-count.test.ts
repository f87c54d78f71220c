import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  const count = async (testUser: TestUser, room: string) => (await testUser.opensChannel(room)).channel.message_count

  it('a channel shows its message count, and so does every event that changes it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], {}, 'team')
    await bo.watches(room)
    const hears = async (type: string, matches?: (event: ReceivedEvent) => boolean) => {
      const told = await bo.receives(type, matches)
      assert.equal(told.channel_message_count ?? told.channel.message_count, await count(ada, room))
      return count(ada, room)
    }
    assert.equal(await count(ada, room), 0)

    const first = await ada.sends(room, 'One')
    assert.equal(await hears('message.new'), 1)
    await ada.sends(room, 'Quietly', { silent: true })
    assert.equal(await hears('message.new'), 2)
    await bo.sends(room, 'In the thread', { parent_id: first.id })
    assert.equal(await hears('message.new'), 2)
    const shown = await bo.sends(room, 'For all', { parent_id: first.id, show_in_channel: true })
    assert.equal(await hears('message.new'), 3)
    await bo.does('PUT', `/messages/${shown.id}`, { body: { set: { show_in_channel: false } } })
    assert.equal(await hears('message.updated', (event) => event.message.id === shown.id), 2)
    await bo.does('PUT', `/messages/${shown.id}`, { body: { set: { show_in_channel: true } } })
    assert.equal(await hears('message.updated', (event) => event.message.show_in_channel), 3)

    await ada.does('DELETE', `/messages/${first.id}`)
    assert.equal(await hears('message.deleted'), 2)
    await appServer.does('POST', `/messages/${first.id}/undelete`, { body: { user_id: 'ada' } })
    assert.equal(await hears('message.undeleted'), 3)
    await appServer.does('DELETE', `/messages/${first.id}`, { query: { hard: 'true' } })
    assert.equal(await hears('message.deleted', (event) => event.message_id === shown.id), 1)

    const last = await ada.sends(room, 'Two')
    await hears('message.new', (event) => event.message_id === last.id)
    await appServer.does('POST', `${path(room)}/truncate`, { body: { truncated_at: last.created_at } })
    assert.equal(await hears('channel.truncated'), 1)
    await appServer.does('POST', `${path(room)}/truncate`, { body: { message: { text: 'Anew', user_id: 'ada' } } })
    assert.equal(await hears('channel.truncated'), 1)
    await bo.sends(room, 'Three')
    assert.equal(await hears('message.new', (event) => event.user.id === 'bo'), 2)
    await appServer.does('POST', '/users/delete', {
      body: { user_ids: ['bo'], user: 'soft', messages: 'soft' },
    })
    await eventually(async () => (await count(ada, room)) === 1, 'what bo said counts no more')
  })

  it('messages are not counted where the channel disables it', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.watches(room)
    await ada.sends(room, 'One')
    assert.equal('channel_message_count' in (await ada.receives('message.new')), false)
    assert.equal(await count(ada, room), undefined)
    await appServer.does('PATCH', path(room), { body: { set: { config_overrides: { count_messages: true } } } })
    assert.equal(await count(ada, room), 1)
  })
})
