import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('[CHN-22] [CHN-41] [CHN-43] [CHN-55] a hidden channel is shown again with the next message that counts', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Before')
    await ada.connects()
    const listed = async () =>
      (await ada.does('POST', '/channels', { body: { filter_conditions: { members: { $in: ['ada'] } } } })).channels
        .length

    await ada.does('POST', `${path(room)}/hide`, { body: {} })
    const hidden = await ada.receives('channel.hidden')
    assert.deepEqual([hidden.channel.cid, hidden.user.id, hidden.clear_history], [room, 'ada', false])
    assert.equal(await listed(), 0)
    await bo.sends(room, 'psst', { silent: true })
    assert.equal(await listed(), 0)

    await bo.sends(room, 'Hello')
    assert.equal((await ada.receives('channel.visible')).channel.cid, room)
    assert.equal(await listed(), 1)
    const { hidden: isHidden, messages } = await ada.opensChannel(room)
    assert.deepEqual([isHidden, messages.map(({ text }) => text)], [false, ['Before', 'psst', 'Hello']])
    await bo.sends(room, 'Again')
    await ada.receives('notification.message_new', (event) => event.message.text === 'Again')
    assert.equal((await ada.receivedTypes()).includes('channel.visible'), false)
  })

  it('[CHN-22] [CHN-23] the app’s server hides and shows a channel for the user it names, and must name one', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Before')
    await ada.connects()
    const does = (place: string, body: object) => appServer.does('POST', `${path(room)}/${place}`, { body })
    await does('hide', { user_id: 'ada', clear_history: true })
    const { user, clear_history } = await ada.receives('channel.hidden')
    assert.deepEqual([user.id, clear_history], ['ada', true])
    const seen = async () => [(await ada.opensChannel(room)).hidden, (await bo.opensChannel(room)).hidden ?? false]
    assert.deepEqual(await seen(), [true, false])
    for (const place of ['hide', 'show']) await appServer.isRefused(4, 'POST', `${path(room)}/${place}`, { body: {} })
    await does('show', { user_id: 'ada' })
    await ada.receives('channel.visible')
    assert.deepEqual(await seen(), [false, false])
    assert.equal((await ada.opensChannel(room)).messages.length, 0)
    // A client hides for itself, whatever user it names.
    await ada.does('POST', `${path(room)}/hide`, { body: { user_id: 'bo' } })
    assert.deepEqual(await seen(), [true, false])
  })

  it('[CHN-23] [CHN-42] clearing history empties the channel for the caller only', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Before')
    await ada.connects()
    await ada.does('POST', `${path(room)}/hide`, { body: { clear_history: true } })
    assert.equal((await ada.receives('channel.hidden')).clear_history, true)
    await ada.does('POST', `${path(room)}/show`, { body: {} })
    await ada.receives('channel.visible')
    assert.deepEqual((await ada.opensChannel(room)).messages, [])
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
  })

  it('[CHN-42] [CHN-60] [READ-18] a cleared history has nothing unread, and later messages count', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Before')
    await ada.connects()
    const unread = async () => (await ada.does('GET', '/unread')).total_unread_count
    const readByAda = async () => (await bo.opensChannel(room)).read.find(({ user }) => user.id === 'ada')?.last_read
    const lastRead = await readByAda()

    await ada.does('POST', `${path(room)}/hide`, { body: {} })
    assert.equal((await ada.receives('channel.hidden')).total_unread_count, 1)
    assert.equal(await unread(), 1)
    await ada.does('POST', `${path(room)}/hide`, { body: { clear_history: true } })
    const { total_unread_count, unread_channels } = await ada.receives('channel.hidden', (event) => event.clear_history)
    assert.deepEqual([total_unread_count, unread_channels, await unread()], [0, 0, 0])
    assert.equal(await readByAda(), lastRead)

    await bo.sends(room, 'After')
    assert.equal((await ada.receives('notification.message_new')).total_unread_count, 1)
    assert.equal(await unread(), 1)
  })
})

onEveryStorage((fixture) => {
  it('[MEM-11] [MEM-17] [MEM-18] [MEM-19] [MEM-20] [MEM-26] members pin and archive for themselves only', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const change = async (set: object) =>
      (await ada.does('PATCH', `${path(room)}/member/ada`, { body: { set } })).channel_member

    const pinned = await change({ pinned: true, mood: 'calm' })
    assert.deepEqual([pinned.pinned, pinned.archived, pinned.mood], [true, false, 'calm'])
    assert.ok(pinned.pinned_at)
    assert.equal((await bo.receives('member.updated')).member.mood, 'calm')
    const archived = await change({ archived: true })
    assert.deepEqual([archived.pinned, archived.archived, archived.pinned_at], [true, true, pinned.pinned_at])
    const unpinned = await change({ pinned: false })
    assert.deepEqual([unpinned.pinned, unpinned.archived, unpinned.pinned_at], [false, true, undefined])
    assert.equal((await change({ archived: false })).archived, false)
    assert.equal((await bo.opensChannel(room)).membership?.pinned, false)

    for (const set of [{ pinned: 'yes' }, { archived: 1 }])
      await ada.isRefused(4, 'PATCH', `${path(room)}/member/ada`, { body: { set } })
    await appServer.isRefused(16, 'PATCH', `${path(room)}/member/nobody`, { body: { set: { pinned: true } } })
    await ada.isRefused(17, 'PATCH', `${path(room)}/member/bo`, { body: { set: { pinned: true } } })
    await ada.isRefused(17, 'PATCH', `${path(room)}/member/ada`, {
      body: { set: { channel_role: 'channel_moderator' } },
    })
    const { channel_member } = await appServer.does('PATCH', `${path(room)}/member/bo`, {
      body: { set: { channel_role: 'channel_moderator' } },
    })
    assert.equal(channel_member.channel_role, 'channel_moderator')
  })

  it('messages a member deleted for themselves are not a settable field', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const body = { set: { deleted_messages: ['one'], mood: 'calm' } }
    const { channel_member } = await ada.does('PATCH', `${path(room)}/member/ada`, { body })
    assert.deepEqual([channel_member.deleted_messages, channel_member.mood], [undefined, 'calm'])
  })

  it('only members hide a channel, and a muted one stays hidden', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.does('POST', `${path(room)}/hide`, { body: {} })
    await ada.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await bo.sends(room, 'Hello')
    assert.equal((await ada.opensChannel(room)).hidden, true)
    await appServer.does('POST', path(room), { body: { remove_members: ['bo'] } })
    await bo.isRefused(17, 'POST', `${path(room)}/hide`, { body: {} })
  })
})
