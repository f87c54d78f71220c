import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('[CHN-18] [MEM-31] a deleted channel is gone for watchers and other members', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    await bo.watches(room)
    await cleo.connects()
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Hi', user_id: 'ada' } } })
    await bo.receives('message.new')
    assert.equal((await cleo.receives('notification.message_new')).total_unread_count, 1)

    const { channel } = await appServer.does('DELETE', path(room))
    assert.ok(channel.deleted_at)
    assert.equal((await bo.receives('channel.deleted')).channel.deleted_at, channel.deleted_at)
    const notice = await cleo.receives('notification.channel_deleted')
    assert.deepEqual([notice.channel.cid, notice.total_unread_count], [room, 0])
    await bo.isRefused(16, 'POST', `${path(room)}/message`, { body: { message: { text: 'Anybody?' } } })
    const body = { filter_conditions: { members: { $in: ['bo'] } } }
    assert.deepEqual((await bo.does('POST', '/channels', { body })).channels, [])
  })

  it('[CHN-20] [CHN-39] truncating empties the channel and leaves nothing unread', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    await bo.watches(room)
    await cleo.connects()
    await ada.sends(room, 'Old')
    await cleo.receives('notification.message_new')

    const { channel, message } = await appServer.does('POST', `${path(room)}/truncate`, {
      body: { message: { text: 'Cleaned', user_id: 'ada' }, user_id: 'ada' },
    })
    assert.ok(channel.truncated_at)
    assert.deepEqual([channel.truncated_by.id, message?.type], ['ada', 'system'])
    const told = await bo.receives('channel.truncated')
    assert.deepEqual([told.channel.truncated_at, told.total_unread_count], [undefined, 0])
    assert.deepEqual([told.channel.truncated_by.id, told.message], ['ada', message])
    const notice = await cleo.receives('notification.channel_truncated')
    assert.deepEqual([notice.total_unread_count, notice.message.text], [0, 'Cleaned'])
    assert.equal((await bo.receives('message.new', (event) => event.message.type === 'system')).message.text, 'Cleaned')
    const state = await cleo.opensChannel(room)
    assert.deepEqual(
      state.messages.map((shown) => shown.text),
      ['Cleaned'],
    )
    assert.equal(state.channel.truncated_by?.id, 'ada')
    assert.equal(await cleo.unread(room), 0)
    await ada.sends(room, 'New')
    assert.equal(await cleo.unread(room), 1)
    const again = { message: { id: message.id, text: 'Once more' }, user_id: 'ada' }
    await appServer.isRefused(4, 'POST', `${path(room)}/truncate`, { body: again })
    assert.equal(await cleo.unread(room), 1)
  })

  it('truncating for some members changes nothing for the others', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    for (const testUser of [ada, bo]) await testUser.watches(room)
    await cleo.connects()
    await ada.sends(room, 'Old')
    await cleo.receives('notification.message_new')

    const truncate = (body: object) => appServer.does('POST', `${path(room)}/truncate`, { body })
    const { channel } = await truncate({ member_ids: ['cleo', 'ada', 'nobody'] })
    assert.equal(channel.truncated_at, undefined)
    assert.equal((await ada.receives('channel.truncated')).total_unread_count, 0)
    assert.equal((await cleo.receives('notification.channel_truncated')).total_unread_count, 0)
    await ada.sends(room, 'New')
    await bo.receives('message.new', (event) => event.message.text === 'New')
    assert.ok(!(await bo.receivedTypes()).includes('channel.truncated'))
    const sees = async (testUser: TestUser) => (await testUser.opensChannel(room)).messages.map(({ text }) => text)
    assert.deepEqual(await Promise.all([ada, bo, cleo].map(sees)), [['New'], ['Old', 'New'], ['New']])
    assert.deepEqual(await Promise.all([bo, cleo].map((testUser) => testUser.unread(room))), [2, 1])
    await appServer.isRefused(4, 'POST', `${path(room)}/truncate`, { body: { member_ids: ['bo'], hard_delete: true } })
  })

  it('truncating for some members publishes to each the start of their history', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo])
    const { created_at } = await ada.sends(room, 'Old')
    fixture.clock.advance(1_000)
    await appServer.does('POST', path(room), { body: { add_members: ['cleo'], hide_history: true } })
    for (const testUser of [bo, cleo]) await testUser.watches(room)

    const body = { member_ids: ['bo', 'cleo'], truncated_at: created_at }
    await appServer.does('POST', `${path(room)}/truncate`, { body })

    for (const testUser of [bo, cleo]) {
      const told = (await testUser.receives('channel.truncated')).channel.hide_messages_before
      assert.equal(told, (await testUser.opensChannel(room)).hide_messages_before)
    }
    await appServer.does('POST', `${path(room)}/truncate`, { body: {} })
    const { truncated_at } = (await bo.opensChannel(room)).channel
    await appServer.does('POST', `${path(room)}/truncate`, { body })
    await bo.receives('channel.truncated', ({ channel }) => channel.truncated_at === truncated_at)
  })

  it('[CHN-49] watchers receive their capabilities when the channel is frozen or slowed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    await appServer.does('PATCH', path(room), { body: { set: { frozen: true } } })
    const frozen = await bo.receives('capabilities.changed')
    assert.equal(frozen.own_capabilities?.includes('send-message'), false)
    await appServer.does('PATCH', path(room), { body: { set: { frozen: false, cooldown: 5 } } })
    const slow = await bo.receives('capabilities.changed')
    assert.deepEqual(slow.own_capabilities, (await bo.opensChannel(room)).channel.own_capabilities)
    assert.ok(slow.own_capabilities?.includes('slow-mode'))
    await appServer.does('PATCH', path(room), { body: { set: { name: 'Tea' } } })
    await bo.receives('channel.updated', (event) => event.channel.name === 'Tea')
    assert.equal((await bo.receivedTypes()).includes('capabilities.changed'), false)
  })
})

onEveryStorage((fixture) => {
  it('[CHN-38] [CHN-54] a message exactly as old as the given time stays, with soft and hard truncation', async () => {
    for (const hard_delete of [false, true]) {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await ada.watches(room)
      const first = await ada.sends(room, 'First')
      await bo.sends(room, 'In the thread', { parent_id: first.id })
      fixture.clock.advance(1000)
      const second = await ada.sends(room, 'Second')

      const body = { truncated_at: second.created_at, hard_delete }
      const { channel } = await appServer.does('POST', `${path(room)}/truncate`, { body })
      assert.equal(channel.truncated_at, second.created_at)
      assert.equal(channel.last_message_at, second.created_at)
      assert.equal((await ada.receives('channel.truncated')).channel.truncated_at, second.created_at)
      assert.deepEqual(
        (await bo.opensChannel(room)).messages.map((message) => message.text),
        ['Second'],
      )
      assert.equal(await bo.unread(room), 0)
      await bo.isRefused(16, 'GET', `/messages/${first.id}`)
      await bo.does('GET', `/messages/${second.id}`)
    }
  })

  it('[CHN-38] [CHN-44] watchers of a channel truncated since then receive the later time', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await ada.watches(room)
    const { created_at } = await ada.sends(room, 'Old')
    fixture.clock.advance(1_000)
    for (const body of [{}, { truncated_at: created_at }])
      await appServer.does('POST', `${path(room)}/truncate`, { body })
    await ada.receives('channel.truncated')
    const { truncated_at } = (await ada.receives('channel.truncated')).channel
    assert.equal(truncated_at, (await ada.opensChannel(room)).channel.truncated_at)
    assert.ok(truncated_at && truncated_at > created_at)
  })

  it('[CHN-38] [CHN-54] a reply shown in the channel since then stays when its parent is erased', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Old')
    fixture.clock.advance(1000)
    const { created_at } = await bo.sends(room, 'Shown', { parent_id: id, show_in_channel: true })
    await appServer.does('POST', `${path(room)}/truncate`, { body: { truncated_at: created_at, hard_delete: true } })
    const isErased = () =>
      ada.sends(room, 'The old id is free', { id }).then(
        () => true,
        () => false,
      )
    await eventually(isErased, 'the old one is erased')
    assert.deepEqual(
      (await bo.opensChannel(room)).messages.map(({ text }) => text),
      ['Shown', 'The old id is free'],
    )
  })

  it('[CHN-38] [READ-24] deleted messages among the remaining ones do not count as unread when those are marked unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const gone = await ada.sends(room, 'Gone')
    fixture.clock.advance(1000)
    const first = await ada.sends(room, 'First')
    const second = await ada.sends(room, 'Second')
    await ada.sends(room, 'Third')
    for (const { id } of [gone, second]) await ada.does('DELETE', `/messages/${id}`)
    await appServer.does('POST', `${path(room)}/truncate`, { body: { truncated_at: first.created_at } })
    assert.equal(await bo.unread(room), 0)
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: first.id } })
    assert.equal(await bo.unread(room), 2)
  })

  it('[CHN-54] the message sent with a truncation is shown after it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'First')
    fixture.clock.advance(1_000)
    const { created_at } = await ada.sends(room, 'Second')
    const body = { truncated_at: created_at, message: { text: 'Tidied up', user_id: 'ada' } }
    await appServer.does('POST', `${path(room)}/truncate`, { body })
    assert.deepEqual(
      (await bo.opensChannel(room)).messages.map((message) => message.text),
      ['Second', 'Tidied up'],
    )
  })

  it('[CHN-39] a message of the app’s server dated before the truncation is refused', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const created_at = new Date(fixture.clock.now()).toISOString()
    fixture.clock.advance(1000)
    await appServer.does('POST', `${path(room)}/truncate`, { body: {} })
    const message = { text: 'Long ago', user_id: 'ada', created_at }
    await appServer.isRefused(4, 'POST', `${path(room)}/message`, { body: { message } })
    assert.equal(await bo.unread(room), 0)
  })

  it('[CHN-56] a deleted channel created again under its id starts empty', async () => {
    for (const hard of ['false', 'true']) {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo], { name: 'Tea', colour: 'green' })
      const said = await ada.sends(room, 'Old')
      await appServer.does('DELETE', `${path(room)}?hard_delete=${hard}`)
      await appServer.does('POST', `${path(room)}/query`, { body: { data: { created_by_id: 'bo', members: ['bo'] } } })
      const state = await bo.opensChannel(room)
      assert.deepEqual([state.messages, state.channel.name, 'colour' in state.channel], [[], undefined, false])
      assert.deepEqual([state.channel.created_by?.id, state.channel.member_count], ['bo', 1])
      await ada.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
      await bo.isRefused(16, 'GET', `/messages/${said.id}`)
      await bo.sends(room, 'New')
      assert.equal((await bo.opensChannel(room)).messages.length, 1)
    }
  })

  it('[CHN-18] [CHN-19] [CHN-56] [PERM-19] the app’s server can hard-delete a soft-deleted channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/channeltypes', { body: { name: 'club' } })
    const erasing = [
      (cid: string) => appServer.does('DELETE', path(cid), { query: { hard_delete: 'true' } }),
      async (cid: string) => {
        const body = { cids: [cid], hard_delete: true }
        assert.deepEqual((await appServer.does('POST', '/channels/delete', { body })).result, {
          [cid]: { status: 'ok' },
        })
      },
    ]
    for (const [i, erase] of erasing.entries()) {
      const cid = `club:tea-${i}`
      const data = { created_by_id: 'ada', members: ['ada', 'bo'], name: 'Tea', colour: 'green' }
      await appServer.does('POST', `${path(cid)}/query`, { body: { data } })
      await ada.sends(cid, 'Old')
      await appServer.does('DELETE', path(cid))
      await appServer.isRefused(16, 'DELETE', path(cid))
      await appServer.isRefused(4, 'DELETE', '/channeltypes/club')
      await ada.isRefused(16, 'DELETE', path(cid), { query: { hard_delete: 'true' } })
      fixture.clock.advance(1_000)
      await erase(cid)

      const { read } = fixture.nodes[0]!.server.database
      const held = () => read.selectFrom('messages').select('id').where('cid', '=', cid).execute()
      await eventually(async () => (await held()).length === 0, 'what it held is gone')
      await appServer.isRefused(16, 'DELETE', path(cid), { query: { hard_delete: 'true' } })
      await appServer.does('POST', `${path(cid)}/query`, { body: { data: { created_by_id: 'bo', members: ['bo'] } } })
      const { channel, messages } = await bo.opensChannel(cid)
      assert.deepEqual([messages, channel.name, 'colour' in channel, channel.member_count], [[], undefined, false, 1])
      await appServer.does('DELETE', path(cid), { query: { hard_delete: 'true' } })
    }
    await appServer.does('DELETE', '/channeltypes/club')
  })

  it('[CHN-56] drafts of a deleted channel are not in the one created again under its id', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const writes = (text: string) => ada.does('POST', `${path(room)}/draft`, { body: { message: { text } } })
    const drafts = async () => (await ada.does('POST', '/drafts/query', { body: {} })).drafts.length
    const held = { message: { id: 'held', text: 'Hm', user_id: 'ada' }, pending: true }
    await writes('Old')
    await appServer.does('POST', `${path(room)}/message`, { body: held })
    await appServer.does('DELETE', path(room))
    fixture.clock.advance(1000)
    const data = { created_by_id: 'ada', members: ['ada', 'bo'] }
    await appServer.does('POST', `${path(room)}/query`, { body: { data } })

    const state = await ada.opensChannel(room)
    assert.deepEqual([state.draft, state.pending_messages, await drafts()], [undefined, undefined, 0])
    await ada.isRefused(16, 'GET', `${path(room)}/draft`)
    await appServer.isRefused(16, 'POST', '/messages/held/commit')
    await appServer.does('POST', `${path(room)}/message`, { body: held })
    fixture.clock.advance(1000)
    await writes('New')
    const again = await ada.opensChannel(room)
    assert.deepEqual([again.draft?.message.text, again.pending_messages?.length, await drafts()], ['New', 1, 1])
  })

  it('[CHN-63] user-owned data of an erased channel is not in the one created again under its id', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
    const room = await appServer.opens([ada, bo, cleo])
    const said = await ada.sends(room, 'Old')
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'cleo', channel_cid: room, user_id: 'ada', reason: 'rude' },
    })
    await bo.connects()
    await bo.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await bo.does('POST', '/push_preferences', { body: { preferences: [{ channel_cid: room, chat_level: 'none' }] } })
    await bo.does('POST', `/messages/${said.id}/reminders`, { body: {} })
    await bo.does('POST', `${path(room)}/draft`, { body: { message: { text: 'Hm' } } })
    await appServer.does('DELETE', path(room), { query: { hard_delete: 'true' } })
    await bo.receives('notification.channel_deleted')
    fixture.clock.advance(1_000)
    const data = { created_by_id: 'ada', members: ['ada', 'bo', 'cleo'] }
    await appServer.does('POST', `${path(room)}/query`, { body: { data } })

    await cleo.sends(room, 'Here I am')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 1)
    assert.equal(await bo.unread(room), 1)
    const { membership, channel, draft } = await bo.opensChannel(room)
    assert.deepEqual([channel.muted ?? false, draft, membership?.banned], [false, undefined, false])
    const phone = bo.device()
    await phone.connects()
    assert.deepEqual(phone.me.channel_mutes, [])
    assert.deepEqual((await bo.does('POST', '/reminders/query', { body: {} })).reminders, [])
    const { read } = fixture.nodes[0]!.server.database
    for (const table of ['bans', 'channel_mutes', 'push_preferences', 'drafts', 'reminders'] as const) {
      const rows = await read.selectFrom(table).select('app').where('cid', '=', room).execute()
      assert.deepEqual(rows, [], table)
    }
  })

  it('[CHN-56] changes to messages of a deleted channel are not published in the one created again under its id', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Secret')
    const pin_expires = new Date(fixture.clock.now() + 5_000).toISOString()
    await ada.does('PUT', `/messages/${id}`, { body: { set: { pinned: true, pin_expires } } })
    await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.sends(room, 'Whisper', { parent_id: id, show_in_channel: true })
    await appServer.does('DELETE', path(room))
    fixture.clock.advance(1_000)
    await appServer.does('POST', `${path(room)}/query`, {
      body: { data: { created_by_id: 'cleo', members: ['cleo'] } },
    })
    await cleo.watches(room)

    const { read } = fixture.nodes[0]!.server.database
    const pinned = () => read.selectFrom('messages').select('pinned_at').where('id', '=', id).executeTakeFirst()
    fixture.clock.advance(5_000)
    await eventually(async () => (await pinned())?.pinned_at === null, 'the pin has ended')
    await appServer.does('POST', '/users/bo/deactivate', { body: { mark_messages_deleted: true } })
    await appServer.does('POST', '/users/bo/reactivate', { body: { restore_messages: true } })
    const whole = { user: 'hard', messages: 'hard', conversations: 'hard' }
    const { task_id } = await appServer.does('POST', '/users/delete', { body: { user_ids: ['bo'], ...whole } })
    const isOver = async () => (await appServer.does('GET', `/tasks/${task_id}`)).status === 'completed'
    await eventually(isOver, 'he is erased')

    const told = (await cleo.received()).filter(({ message }) => message)
    assert.deepEqual(
      told.map(({ type, message }) => `${type} ${message.text}`),
      [],
    )
    assert.equal((await ada.call('GET', `/messages/${id}`)).status, 404)
  })

  it('[CHN-19] several channels are deleted in one call', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const cids = [...rooms, 'messaging:nowhere', '__proto__']
    await bo.isRefused(17, 'POST', '/channels/delete', { body: { cids: rooms } })
    const { result } = await appServer.does('POST', '/channels/delete', { body: { cids } })
    assert.deepEqual(
      cids.map((cid) => result[cid]?.status),
      ['ok', 'ok', 'error', 'error'],
    )
    const body = { filter_conditions: { members: { $in: ['bo'] } } }
    assert.deepEqual((await bo.does('POST', '/channels', { body })).channels, [])
  })

  it('[IMP-7] a user who may delete each of several channels deletes them in one task', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const own = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const others = await appServer.opens([bo, ada])
    const deletes = (cids: readonly string[]) => ({ body: { cids } })
    await ada.isRefused(17, 'POST', '/channels/delete', deletes([own[0]!, others]))
    assert.equal((await bo.opensChannel(own[0]!)).channel.deleted_at, undefined)
    const { task_id, result } = await ada.does('POST', '/channels/delete', deletes(own))
    assert.deepEqual(result, { [own[0]!]: { status: 'ok' }, [own[1]!]: { status: 'ok' } })
    await ada.isRefused(17, 'GET', `/tasks/${task_id}`)
    const task = () => appServer.does('GET', `/tasks/${task_id}`)
    await eventually(async () => (await task()).status === 'completed', 'the task is done')
    assert.deepEqual((await task()).result, result)
    for (const room of own) await bo.isRefused(16, 'POST', `${path(room)}/read`, { body: {} })
    await bo.opensChannel(others)
  })

  it('a user without the right to delete or truncate is refused', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.isRefused(17, 'DELETE', path(room))
    await bo.isRefused(17, 'POST', `${path(room)}/truncate`, { body: {} })
    await appServer.isRefused(4, 'POST', `${path(room)}/truncate`, { body: { truncated_at: '2999-01-01T00:00:00Z' } })
  })
})
