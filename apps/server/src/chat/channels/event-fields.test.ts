import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type ReceivedEvent } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('message, reaction and member events carry the channel’s custom fields and member count', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const custom = { name: 'Tea', image: 'https://example.com/tea.png', mood: { now: 'calm' } }
    const room = await appServer.opens([ada, bo], { ...custom, filter_tags: ['drinks'] })
    await cleo.connects()
    await bo.connects()
    await ada.watches(room)

    const { id } = await ada.sends(room, 'Hello')
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Hello!' } } })
    await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.does('DELETE', `/messages/${id}/reaction/love`)
    await bo.sends(room, 'Me, too', { parent_id: id })
    await bo.sends(room, 'Look', {})
    for (const event of [
      await ada.receives('message.new'),
      await ada.receives('message.updated'),
      await ada.receives('reaction.new'),
      await ada.receives('reaction.deleted'),
      await ada.receives('notification.thread_message_new'),
      await bo.receives('notification.message_new'),
    ]) {
      assert.deepEqual(event.channel_custom, custom, event.type)
      assert.equal(event.channel_member_count, 2, event.type)
    }
    await ada.does('DELETE', `/messages/${id}`)
    assert.deepEqual((await ada.receives('message.deleted')).channel_custom, custom)

    await ada.does('POST', path(room), { body: { add_members: ['cleo'] } })
    assert.equal((await ada.receives('member.added')).channel_member_count, 3)
    await ada.does('POST', path(room), { body: { remove_members: ['cleo'] } })
    const { channel_member_count, channel_custom } = await ada.receives('member.removed')
    assert.deepEqual([channel_member_count, channel_custom], [2, custom])
  })

  it('a channel without custom fields carries none in events, and carries them from a change on', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.watches(room)
    await ada.sends(room, 'One')
    assert.equal('channel_custom' in (await ada.receives('message.new')), false)
    await ada.does('PATCH', path(room), { body: { set: { mood: 'calm' } } })
    await ada.sends(room, 'Two')
    assert.deepEqual((await ada.receives('message.new')).channel_custom, { mood: 'calm' })
  })

  it('a reaction in a thread carries the thread participants', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    const { id } = await ada.sends(room, 'Hello')
    await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    assert.equal((await ada.receives('reaction.new')).thread_participants, undefined)
    await bo.sends(room, 'Me, too', { parent_id: id })
    await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    const { thread_participants } = await ada.receives('reaction.new')
    assert.deepEqual(
      thread_participants.map(({ id }: { id: string }) => id),
      ['ada', 'bo'],
    )
  })

  it('[MOD-1] a ban event carries the current number of bans, and deleting all messages of a user carries the last message time', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    await ada.watches(room)
    await ada.watches(other)
    await ada.sends(room, 'Hello')
    const { created_at } = await bo.sends(room, 'Spam')
    const bans = (fields: object) =>
      appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', user_id: 'ada', ...fields } })
    await bans({ channel_cid: room, delete_messages: 'soft' })
    assert.equal((await ada.receives('user.banned')).total_bans, 1)
    assert.equal((await ada.receives('user.messages.deleted')).channel_last_message_at, created_at)
    await bans({ channel_cid: other })
    assert.equal((await ada.receives('user.banned')).total_bans, 2)
    await bans({ channel_cid: other, timeout: 5 })
    assert.equal((await ada.receives('user.banned')).total_bans, 2)
  })

  it('a message event carries the watcher count, wherever it was sent and they are connected', async () => {
    const { ada, bo, cleo, dee, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dee')
    const room = await appServer.opens([ada, bo, cleo, dee])
    await cleo.connects()
    await bo.watches(room)
    await dee.watches(room)
    await bo.receives('user.watching.start', ({ user }) => user.id === 'dee')
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Hello', user_id: 'ada' } } })
    for (const testUser of [bo, dee]) assert.equal((await testUser.receives('message.new')).watcher_count, 2)
    const { watcher_count = 2 } = await cleo.receives('notification.message_new')
    assert.equal(watcher_count, 2)
  })

  it('the watcher count is left out, rather than wrong, for recipients whose node does not know it', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    const since = await ada.sends(room, 'Hello')
    await cleo.connects()
    // Of two nodes only the other one has a watcher.
    await bo.watches(room)
    await cleo.sends(room, 'Hello, Ada', { parent_id: since.id })
    await ada.sends(room, 'Tea?', { parent_id: since.id })
    const body = { channel_cids: [room], last_sync_at: since.created_at }
    const { events } = await bo.does('POST', '/sync', { body })
    const counts = events.flatMap(({ type, watcher_count = 1 }: ReceivedEvent) =>
      type === 'message.new' ? [watcher_count] : [],
    )
    assert.deepEqual(counts, [1, 1])
    const { watcher_count = 1 } = await cleo.receives('notification.thread_message_new')
    assert.equal(watcher_count, 1)
    assert.equal((await bo.receives('message.new')).watcher_count, 1)
  })
})

onEveryStorage((fixture) => {
  it('a recipient of a message who does not watch gets the watcher count', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.connects()
    const { id } = await bo.sends(room, 'Hello')
    await ada.sends(room, 'Hello, Bo')
    await ada.sends(room, 'Tea?', { parent_id: id })
    assert.equal((await bo.receives('notification.message_new')).watcher_count, 1)
    assert.equal((await bo.receives('notification.thread_message_new')).watcher_count, 1)
  })

  it('events about a user’s capabilities or read state carry the public channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { name: 'Tea' })
    await bo.watches(room)
    const { id } = await ada.sends(room, 'Hello')
    const told = async (type: string) => {
      const { channel } = await bo.receives(type)
      return [channel.cid, channel.name, 'own_capabilities' in channel]
    }
    const asEverybody = [room, 'Tea', false]

    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: id } })
    assert.deepEqual(await told('notification.mark_unread'), asEverybody)
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    assert.deepEqual(await told('capabilities.changed'), asEverybody)
    for (const frozen of [true, false]) {
      await appServer.does('PATCH', path(room), { body: { set: { frozen }, user_id: 'ada' } })
      assert.deepEqual(await told('capabilities.changed'), asEverybody)
    }
    const ban = { target_user_id: 'bo', channel_cid: room }
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, user_id: 'ada' } })
    assert.deepEqual(await told('capabilities.changed'), asEverybody)
    await appServer.does('DELETE', '/moderation/ban', { query: ban })
    assert.deepEqual(await told('capabilities.changed'), asEverybody)
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'admin' } } } })
    assert.deepEqual(await told('capabilities.changed'), asEverybody)
    await appServer.does('PUT', '/channeltypes/messaging', { body: { quotes: false } })
    assert.deepEqual(await told('capabilities.changed'), asEverybody)
  })

  it('[CHN-22] a connecting user receives their hidden channels, newest messages first', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const [one, two, three] = rooms as [string, string, string]
    for (const room of rooms) {
      await ada.sends(room, 'Hello')
      fixture.clock.advance(1_000)
    }
    const told = async () => {
      const device = bo.device()
      const { me } = await device.connects()
      await device.leaves()
      return me.latest_hidden_channels
    }
    assert.equal(await told(), undefined)
    for (const room of [three, one]) await bo.does('POST', `${path(room)}/hide`, { body: {} })
    assert.deepEqual(await told(), [three, one])
    await ada.sends(two, 'Not hidden')
    await ada.sends(three, 'This brings it back')
    assert.deepEqual(await told(), [one])
    await appServer.does('DELETE', path(one))
    assert.equal(await told(), undefined)
  })
})
