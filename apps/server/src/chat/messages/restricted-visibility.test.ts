import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelState } from '@parley/protocol/channels'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport, onTwoNodes } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { type AppServer, path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  /** Cleo is an admin; ada posts through the app's server, which may send restricted messages. */
  const aRoom = async () => {
    const { appServer, ...people } = await fixture.createApp('ada', 'bo', 'dan', 'cleo')
    await appServer.does('POST', '/users', { body: { users: { cleo: { id: 'cleo', role: 'admin', name: 'Cleo' } } } })
    const { ada, bo, dan, cleo } = people
    return { appServer, ada, bo, dan, cleo, room: await appServer.opens([ada, bo, dan, cleo]) }
  }
  const whispers = async (appServer: AppServer, room: string, to: readonly TestUser[], fields: object = {}) => {
    const message = { text: 'Psst', user_id: 'ada', restricted_visibility: to.map(({ id }) => id), ...fields }
    return (await appServer.does('POST', `${path(room)}/message`, { body: { message } })).message
  }
  const says = (appServer: AppServer, room: string, user_id: string, text: string) =>
    appServer.does('POST', `${path(room)}/message`, { body: { message: { text, user_id } } })
  const texts = async (testUser: TestUser, room: string) =>
    (await testUser.opensChannel(room)).messages.map(({ text }) => text)
  const receivedOf = async (testUser: TestUser, id: string) =>
    (await testUser.received())
      .filter((event: ReceivedEvent) => JSON.stringify(event).includes(id))
      .map(({ type }) => type)

  it('[READ-24] a user it is not restricted to gets no event, sees no message and counts nothing', async () => {
    const { appServer, ada, bo, dan, cleo, room } = await aRoom()
    const dansPhone = dan.device()
    for (const testUser of [ada, bo, dan, cleo]) await testUser.watches(room)
    await dansPhone.connects()
    const left = new Date(fixture.clock.now()).toISOString()
    fixture.clock.advance(5)

    const secret = await whispers(appServer, room, [bo], { id: 'secret' })

    assert.deepEqual(secret.restricted_visibility, ['bo'])
    for (const testUser of [ada, bo, cleo]) {
      const event = await testUser.receives('message.new')
      assert.equal(event.message.id, 'secret')
      assert.equal(event.total_unread_count, testUser === ada ? 0 : 1)
      assert.deepEqual(await texts(testUser, room), ['Psst'])
      assert.equal((await testUser.does('GET', '/messages/secret')).message.text, 'Psst')
      assert.equal(await testUser.unread(room), testUser === ada ? 0 : 1)
    }
    const open = await ada.sends(room, 'Hello all')
    for (const device of [dan, dansPhone]) {
      const [first] = (await device.received()).filter(({ message }) => message)
      assert.deepEqual([first?.message.id, first?.total_unread_count], [open.id, 1])
    }
    assert.deepEqual(await texts(dan, room), ['Hello all'])
    assert.deepEqual([await dan.unread(room), await bo.unread(room)], [1, 2])
    assert.equal((await dan.does('GET', '/unread')).total_unread_count, 1)
    const fresh = dan.device()
    await fresh.connects()
    assert.equal(fresh.me.total_unread_count, 1)
    await dan.isRefused(16, 'GET', '/messages/secret')
    await dan.isRefused(16, 'POST', '/messages/secret/reaction', { body: { reaction: { type: 'love' } } })
    await dan.isRefused(16, 'POST', `${path(room)}/query`, { body: { state: true, messages: { id_around: 'secret' } } })
    const some = await dan.does('GET', `${path(room)}/messages`, { query: { ids: `secret,${open.id}` } })
    assert.deepEqual(
      some.messages.map(({ id }: { id: string }) => id),
      [open.id],
    )
    const listed = await dan.does('POST', '/channels', { body: { filter_conditions: { cid: room }, state: true } })
    assert.equal(listed.channels[0].messages.length, 1)

    const missed = async (testUser: TestUser) => {
      const body = { channel_cids: [room], last_sync_at: left }
      const { events } = await testUser.does('POST', '/sync', { body })
      return events.flatMap(({ type, message }: ReceivedEvent) => (type === 'message.new' ? [message.text] : []))
    }
    assert.deepEqual(await missed(bo), ['Psst', 'Hello all'])
    assert.deepEqual(await missed(cleo), ['Psst', 'Hello all'])
    assert.deepEqual(await missed(dan), ['Hello all'])
  })

  it('it does not move the channel in the lists of any member, so the order reveals nothing', async () => {
    const { appServer, ada, bo, dan, room } = await aRoom()
    const other = await appServer.opens([ada, bo, dan])
    const { created_at } = await ada.sends(room, 'Hello all')
    await ada.sends(other, 'Later')
    for (const testUser of [bo, dan]) await testUser.watches(room)
    const found = async (testUser: TestUser) => {
      const body = {
        filter_conditions: { cid: { $in: [room, other] } },
        sort: [{ field: 'last_message_at', direction: -1 }],
      }
      const { channels } = await testUser.does('POST', '/channels', { body })
      return channels.map(({ channel }: ChannelState) => [channel.cid, channel.last_message_at])
    }
    const before = await found(dan)
    assert.deepEqual(before[1], [room, created_at])

    await whispers(appServer, room, [bo])
    await whispers(appServer, room, [bo], {
      parent_id: (await bo.receives('message.new')).message.id,
      show_in_channel: true,
    })

    for (const testUser of [bo, dan]) assert.deepEqual(await found(testUser), before)
    assert.equal((await bo.receives('message.new')).channel_last_message_at, created_at)
    assert.equal((await dan.reads(room)).channel_last_message_at, created_at)
    await ada.sends(room, 'To all again')
    assert.equal((await found(dan))[0]![0], room)
  })

  it('only its recipients are notified when they do not watch, and get a hidden channel back', async () => {
    const { appServer, bo, dan, room } = await aRoom()
    for (const testUser of [bo, dan]) {
      await testUser.connects()
      await testUser.does('POST', `${path(room)}/hide`, { body: {} })
      await testUser.receives('channel.hidden')
    }

    await whispers(appServer, room, [bo], { id: 'secret' })

    assert.equal((await bo.receives('notification.message_new')).message.id, 'secret')
    await bo.receives('channel.visible')
    assert.deepEqual(await receivedOf(dan, room), [])
    assert.equal((await dan.opensChannel(room)).hidden, true)
  })

  it('its later events reach only users who see it, and change only their counts', async () => {
    const { appServer, ada, bo, dan, room } = await aRoom()
    await whispers(appServer, room, [bo], { id: 'secret' })
    await whispers(appServer, room, [bo], { id: 'other' })
    for (const testUser of [ada, bo, dan]) await testUser.watches(room)
    assert.equal(bo.me.total_unread_count, 2)

    await bo.does('POST', '/messages/secret/reaction', { body: { reaction: { type: 'love' } } })
    await ada.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' } } })
    await ada.does('DELETE', '/messages/secret')
    await appServer.does('POST', '/messages/secret/undelete', { body: { undeleted_by: 'ada' } })
    await ada.does('DELETE', '/messages/other', { query: { hard: 'true' } })

    await bo.receives('reaction.new')
    assert.equal((await bo.receives('message.updated')).message.text, 'Psst!')
    assert.equal((await bo.receives('message.deleted')).total_unread_count, 1)
    assert.equal((await bo.receives('message.undeleted')).total_unread_count, 2)
    assert.equal((await bo.receives('message.deleted')).total_unread_count, 1)
    assert.equal(await bo.unread(room), 1)
    assert.deepEqual([...(await receivedOf(dan, 'secret')), ...(await receivedOf(dan, 'other'))], [])
    assert.equal(await dan.unread(room), 0)
    await ada.sends(room, 'Hello')
    assert.equal((await dan.receives('message.new')).total_unread_count, 1)
    assert.equal(await dan.unread(room), 1)
  })

  it('a user who mutes its author does not count it, as recipient or not', async () => {
    const { appServer, bo, dan, room } = await aRoom()
    for (const testUser of [bo, dan]) await testUser.does('POST', '/moderation/mute', { body: { target_id: 'ada' } })
    await says(appServer, room, 'cleo', 'One')
    await whispers(appServer, room, [bo])
    await says(appServer, room, 'ada', 'Two')
    assert.deepEqual([await bo.unread(room), await dan.unread(room)], [1, 1])
  })

  it('only users who see it see its replies', async () => {
    const { appServer, ada, bo, dan, room } = await aRoom()
    await whispers(appServer, room, [bo, dan], { id: 'secret' })
    for (const testUser of [ada, bo, dan]) await testUser.watches(room)
    await bo.sends(room, 'For ada', { id: 'reply', parent_id: 'secret' })
    const answer = await whispers(appServer, room, [bo], { id: 'narrow', parent_id: 'secret', show_in_channel: true })

    assert.deepEqual([answer.restricted_visibility, answer.type], [['bo'], 'reply'])
    assert.deepEqual((await dan.does('GET', '/messages/reply')).message.restricted_visibility.sort(), ['ada', 'dan'])
    const replies = async (testUser: TestUser) =>
      (await testUser.does('GET', '/messages/secret/replies')).messages.map(({ id }: { id: string }) => id)
    assert.deepEqual(await replies(bo), ['reply', 'narrow'])
    assert.deepEqual(await replies(dan), ['reply'])
    assert.deepEqual(await texts(dan, room), ['Psst'])
    await dan.receives('message.new', ({ message }) => message.id === 'reply')
    await bo.receives('notification.thread_message_new')
    assert.deepEqual(await receivedOf(dan, 'narrow'), [])
    await dan.sends(room, 'Mine too', { parent_id: 'secret' })
    await bo.does('POST', `${path(room)}/unread`, { body: { thread_id: 'secret' } })
    await dan.does('POST', `${path(room)}/unread`, { body: { thread_id: 'secret' } })
    const unread = async (testUser: TestUser) => (await testUser.does('GET', '/unread')).threads[0].unread_count
    assert.deepEqual([await unread(bo), await unread(dan)], [2, 1])
    const { thread } = await dan.does('GET', '/threads/secret')
    assert.deepEqual(
      thread.latest_replies.map(({ text }: { text: string }) => text),
      ['For ada', 'Mine too'],
    )
  })

  it('a thread shows each reader the same restricted replies as the list of replies', async () => {
    const { appServer, ada, bo, dan, cleo, room } = await aRoom()
    const { id: parent_id } = await ada.sends(room, 'Lunch?')
    await bo.sends(room, 'Pho', { parent_id })
    await whispers(appServer, room, [bo], { parent_id })
    for (const [viewer, said] of [
      [bo, ['Pho', 'Psst']],
      [dan, ['Pho']],
      [cleo, ['Pho', 'Psst']],
      [appServer, ['Pho', 'Psst']],
    ] as const) {
      const { messages } = await viewer.does('GET', `/messages/${parent_id}/replies`)
      const { thread } = await viewer.does('GET', `/threads/${parent_id}`)
      for (const replies of [messages, thread.latest_replies])
        assert.deepEqual(
          replies.map(({ text }: { text: string }) => text),
          said,
        )
    }
  })

  it('events of its thread reach only users who see it', async () => {
    const { appServer, ada, bo, dan, cleo, room } = await aRoom()
    await whispers(appServer, room, [bo], { id: 'secret' })
    await bo.sends(room, 'For ada', { parent_id: 'secret' })
    for (const testUser of [ada, bo, dan, cleo]) await testUser.watches(room)
    const left = new Date(fixture.clock.now()).toISOString()
    fixture.clock.advance(5)

    await bo.does('PATCH', '/threads/secret', { body: { set: { title: 'About lunch' } } })
    await ada.reads(room, { thread_id: 'secret' })

    for (const testUser of [ada, bo, cleo]) {
      assert.equal((await testUser.receives('thread.updated')).thread.title, 'About lunch')
      assert.equal((await testUser.receives('message.read')).thread.parent_message_id, 'secret')
    }
    assert.deepEqual(await receivedOf(dan, 'secret'), [])
    const { events } = await dan.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at: left } })
    assert.deepEqual(events, [])
  })

  it('a quote of it is shown only to users who see it', async () => {
    const { appServer, bo, dan, room } = await aRoom()
    await whispers(appServer, room, [bo], { id: 'secret' })
    for (const testUser of [bo, dan]) await testUser.watches(room)
    await dan.isRefused(4, 'POST', `${path(room)}/message`, {
      body: { message: { text: 'What?', quoted_message_id: 'secret' } },
    })

    const said = await bo.sends(room, 'As you said', { quoted_message_id: 'secret' })

    assert.equal(said.quoted_message?.text, 'Psst')
    assert.equal((await dan.receives('message.new')).message.quoted_message, null)
    assert.equal((await dan.opensChannel(room)).messages[0]!.quoted_message, null)
    assert.equal((await bo.opensChannel(room)).messages[1]!.quoted_message?.text, 'Psst')
    const whispered = await whispers(appServer, room, [bo], { quoted_message_id: 'secret' })
    assert.equal(whispered.quoted_message.text, 'Psst')
  })

  it('sending it needs a permission, and it cannot be pinned', async () => {
    const { appServer, bo, cleo, room } = await aRoom()
    const send = { message: { text: 'Psst', restricted_visibility: ['bo'] } }
    await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: send })
    const sent = await cleo.does('POST', `${path(room)}/message`, { body: send })
    assert.deepEqual(sent.message.restricted_visibility, ['bo'])
    const { own_capabilities: may } = (await cleo.opensChannel(room)).channel
    assert.ok(may?.includes('send-restricted-visibility-message'))
    const refused = (body: object) => appServer.isRefused(4, 'POST', `${path(room)}/message`, { body })
    await refused({ message: { ...send.message, user_id: 'ada', pinned: true } })
    await refused({ message: { text: 'x', user_id: 'ada', restricted_visibility: Array(101).fill('bo') } })
    await cleo.isRefused(4, 'PUT', `/messages/${sent.message.id}`, { body: { set: { pinned: true } } })
    await refused({ message: { text: 'x', user_id: 'ada', parent_id: sent.message.id, pinned: true } })
    const ghosts = { text: 'Psst', user_id: 'ada', restricted_visibility: ['nobody', 'bo', 'bo', 'ada'] }
    const { message } = await appServer.does('POST', `${path(room)}/message`, { body: { message: ghosts } })
    assert.deepEqual(message.restricted_visibility, ['bo'])
  })

  it('a user who lost the role to read all gets no more events of it, and one who gained it does', async () => {
    const { appServer, ada, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants } })
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    for (const testUser of [ada, bo, dan, cleo]) await testUser.watches(room)
    await whispers(appServer, room, [ada], { id: 'secret' })
    assert.equal((await bo.receives('message.new')).message.id, 'secret')
    await cleo.receives('message.new')
    const { poll } = await appServer.does('POST', '/polls', {
      body: { name: 'Lunch?', options: [{ text: 'Pho' }], user_id: 'ada' },
    })
    await whispers(appServer, room, [ada], { id: 'secret-poll', poll_id: poll.id })
    for (const testUser of [bo, cleo]) await testUser.receives('message.new')
    const roles = { demote_moderators: ['bo'], add_moderators: ['dan'] }
    for (const [name, ids] of Object.entries(roles)) await appServer.does('POST', path(room), { body: { [name]: ids } })
    await appServer.does('POST', '/users', { body: { users: { cleo: { id: 'cleo', role: 'user' } } } })

    const on = { user_id: 'ada' }
    await appServer.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' }, ...on } })
    await appServer.does('POST', '/messages/secret/reaction', { body: { reaction: { type: 'love', ...on } } })
    await whispers(appServer, room, [ada], { parent_id: 'secret' })
    await appServer.does('DELETE', '/messages/secret')
    await appServer.does('POST', '/messages/secret/undelete', { body: { undeleted_by: 'ada' } })

    await ada.does('POST', `/messages/secret-poll/polls/${poll.id}/vote`, {
      body: { vote: { option_id: poll.options[0].id } },
    })

    await dan.receives('poll.vote_casted')
    for (const type of ['message.updated', 'reaction.new', 'message.deleted', 'message.undeleted'])
      await dan.receives(type, ({ message }) => message.id === 'secret')
    for (const testUser of [bo, cleo]) assert.deepEqual(await receivedOf(testUser, 'secret'), [])
  })

  it('[READ-24] earlier messages stop counting for a user who lost the role, and count for one who gained it', async () => {
    const { appServer, ada, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants } })
    const roles = (body: object) => appServer.does('POST', path(room), { body })
    const isA = (id: string, role: string) =>
      appServer.does('PATCH', '/users', { body: { users: [{ id, set: { role } }] } })
    const total = async (testUser: TestUser) => {
      const fresh = testUser.device()
      await fresh.connects()
      assert.equal(await testUser.unread(room), fresh.me.total_unread_count)
      return fresh.me.total_unread_count
    }
    await roles({ add_moderators: ['bo'] })
    const { id: parent_id } = await dan.sends(room, 'Lunch?')
    for (const id of ['one', 'two', 'three']) await whispers(appServer, room, [ada], { id })
    await whispers(appServer, room, [ada], { parent_id })
    await bo.does('DELETE', '/messages/two', { query: { delete_for_me: 'true' } })
    await bo.connects()
    for (const testUser of [dan, cleo]) await testUser.watches(room)
    assert.deepEqual(
      [bo, dan, cleo].map(({ me }) => [me.total_unread_count, me.unread_threads]),
      [
        [3, 0],
        [0, 0],
        [4, 0],
      ],
    )

    await roles({ demote_moderators: ['bo'], add_moderators: ['dan'] })
    const changed = async (testUser: TestUser) => {
      const isOwn = ({ member }: ReceivedEvent) => member.user_id === testUser.id
      const { total_unread_count, unread_channels, unread_threads } = await testUser.receives('member.updated', isOwn)
      return [total_unread_count, unread_channels, unread_threads]
    }
    assert.deepEqual(
      [await changed(dan), await changed(bo)],
      [
        [3, 1, 1],
        [1, 1, 0],
      ],
    )
    assert.deepEqual([await total(bo), await total(dan)], [1, 3])
    await isA('cleo', 'user')
    assert.equal(await total(cleo), 1)
    await ada.sends(room, 'Hello')
    for (const [testUser, count] of [
      [bo, 2],
      [dan, 4],
      [cleo, 2],
    ] as const) {
      const { total_unread_count } = await testUser.receives(
        testUser === bo ? 'notification.message_new' : 'message.new',
      )
      assert.deepEqual([total_unread_count, await total(testUser)], [count, count])
    }

    await appServer.does('DELETE', '/messages/two')
    assert.equal((await dan.receives('message.deleted')).total_unread_count, 3)
    assert.deepEqual([await total(bo), await total(dan), await total(cleo)], [2, 3, 2])
    await roles({ add_moderators: ['bo'], demote_moderators: ['dan'] })
    assert.deepEqual(
      [await changed(dan), await changed(bo)],
      [
        [1, 1, 0],
        [4, 1, 0],
      ],
    )
    await isA('cleo', 'admin')
    assert.deepEqual([await total(bo), await total(dan), await total(cleo)], [4, 1, 4])
    await appServer.does('POST', '/messages/two/undelete', { body: { undeleted_by: 'ada' } })
    assert.deepEqual([await total(bo), await total(dan), await total(cleo)], [4, 1, 5])
  })

  it('sync returns no earlier restricted messages to a user who lost the role to read all', async () => {
    const { appServer, ada, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants } })
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    const last_sync_at = new Date(fixture.clock.now()).toISOString()
    fixture.clock.advance(5)
    const { poll } = await appServer.does('POST', '/polls', {
      body: { name: 'Lunch?', options: [{ text: 'Pho' }], user_id: 'ada' },
    })
    await whispers(appServer, room, [dan], { id: 'secret', poll_id: poll.id })
    await appServer.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' }, user_id: 'ada' } })
    await whispers(appServer, room, [dan], { parent_id: 'secret' })
    const vote = { option_id: poll.options[0].id }
    await ada.does('POST', `/messages/secret/polls/${poll.id}/vote`, { body: { vote } })
    await ada.sends(room, 'Hello')
    const missed = async (testUser: TestUser) => {
      const { events } = await testUser.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at } })
      const told = events.filter((event: ReceivedEvent) => JSON.stringify(event).match(/secret|Psst|Lunch/))
      return told.map(({ type }: ReceivedEvent) => type)
    }
    // Another node learns of a role a moment later.
    const learns = (testUser: TestUser, types: readonly string[]) =>
      eventually(async () => isDeepStrictEqual(await missed(testUser), types), `${testUser.id} learns of ${types}`)
    const kinds = new Set(['message.new', 'message.updated', 'poll.vote_casted'])
    await eventually(async () => isDeepStrictEqual(new Set(await missed(cleo)), kinds), 'cleo learns of all')
    const all = await missed(cleo)
    for (const testUser of [bo, dan]) await learns(testUser, all)

    await appServer.does('POST', path(room), { body: { demote_moderators: ['bo'] } })
    await learns(bo, [])
    for (const testUser of [dan, cleo]) assert.deepEqual(await missed(testUser), all)
  })

  it('[READ-24] a user removed or demoted at the moment it is posted gets no event of it', async () => {
    const { appServer, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants } })
    for (const add_moderators of [['bo'], ['dan']])
      await appServer.does('POST', path(room), { body: { add_moderators } })
    for (const testUser of [bo, dan]) await testUser.watches(room)
    const leaves = () =>
      appServer.does('POST', path(room), { body: { remove_members: ['dan'], demote_moderators: ['bo'] } })
    justBefore(fixture.nodes[0]!.server.commit, 'write', leaves, (_app, cids) => cids.includes(room))
    justBefore(fixture.nodes[0]!.server.commit, 'append' as 'write', leaves, (_app, cid) => String(cid) === room)

    await whispers(appServer, room, [cleo], { id: 'none' })

    await dan.receives('notification.removed_from_channel')
    await bo.receives('member.updated', ({ member }) => member.user_id === 'bo')
    for (const testUser of [bo, dan]) assert.deepEqual(await receivedOf(testUser, 'none'), [])
    assert.equal(await bo.unread(room), 0)
  })
})

onTwoNodes((fixture) => {
  it('a user who may read all gets it on a node whose watchers the posting node does not know', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'admin' } } } })
    const room = await appServer.opens([ada])
    const [here, there] = fixture.nodes
    await bo.watches(room)
    assert.equal(here!.server.hub.knowsWatchers(ada.app.id, room), false)

    const message = { id: 'secret', text: 'Psst', user_id: 'ada', restricted_visibility: ['cy'] }
    await appServer.does('POST', `${path(room)}/message`, { body: { message } })

    assert.equal((await bo.receives('message.new')).message.text, 'Psst')
    await appServer.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' }, user_id: 'ada' } })
    assert.equal((await bo.receives('message.updated')).message.text, 'Psst!')
    assert.equal(there!.server.hub.watcherCount(ada.app.id, room), 1)
    // This node still has no watchers; a user who begins to watch gets later messages.
    assert.equal(here!.server.hub.knowsWatchers(ada.app.id, room), false)
    assert.equal((await ada.watches(room)).watcher_count, 2)
    await bo.sends(room, 'Hello')
    assert.equal((await ada.receives('message.new')).message.text, 'Hello')
  })
})
