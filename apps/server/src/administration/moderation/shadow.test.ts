import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const texts = async (who: TestUser, room: string) => (await who.opensChannel(room)).messages.map(({ text }) => text)

onEveryTransport((fixture) => {
  it('[MOD-4] [MSG-38] [READ-7] messages of a shadow-banned member reach no other user, and the member does not notice', async () => {
    // Bo is connected to the node that makes the ban: the others learn of it a moment later, and bo gets no event.
    const { ada, bo, cleo, appServer } = await fixture.createApp('bo', 'ada', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    const { id: parent } = await ada.sends(room, 'First')
    await ada.watches(room)
    await bo.watches(room)
    await cleo.connects()
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    await desk.watches(room)
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', channel_cid: room, shadow: true, user_id: 'ada' },
    })

    const said = await bo.sends(room, 'Buy!')
    const reply = await bo.sends(room, 'Buy here!', { parent_id: parent, show_in_channel: true })
    assert.deepEqual([said.shadowed, reply.shadowed], [false, false])
    for (const device of [bo, desk]) {
      const heard = await device.receives('message.new')
      assert.deepEqual([heard.message.id, heard.message.shadowed], [said.id, false])
    }
    await bo.does('POST', `/messages/${said.id}`, { body: { message: { id: said.id, text: 'Buy now!' } } })
    assert.equal((await bo.receives('message.updated')).message.shadowed, false)
    assert.deepEqual(await texts(bo, room), ['First', 'Buy now!', 'Buy here!'])
    const { members } = await bo.opensChannel(room)
    assert.equal(members.find((member) => member.user_id === 'bo')!.shadow_banned, false)

    await ada.sends(room, 'Last')
    await ada.receives('message.new', (event) => event.message.text === 'Last')
    await cleo.receives('notification.message_new')
    for (const other of [ada, cleo]) {
      const told = (await other.receivedTypes()).filter((type) => /message|banned/.test(type))
      assert.deepEqual(told, [])
      assert.deepEqual(await texts(other, room), ['First', 'Last'])
    }
    assert.equal(await cleo.unread(room), 2)
    await cleo.isRefused(16, 'GET', `/messages/${said.id}`)
    await cleo.isRefused(16, 'POST', `/messages/${said.id}/reaction`, { body: { reaction: { type: 'wow' } } })
    const { messages } = await appServer.does('GET', `/messages/${parent}/replies`)
    assert.deepEqual(
      messages.map((message: { id: string; shadowed: boolean }) => [message.id, message.shadowed]),
      [[reply.id, true]],
    )
    assert.deepEqual((await cleo.does('GET', `/messages/${parent}/replies`)).messages, [])
    assert.equal((await cleo.does('GET', `/messages/${parent}`)).message.reply_count, 0)
  })

  it('[MOD-4] [MOD-17] a shadow-banned member does not disturb other users, and does not notice', async () => {
    // Bo is connected to the node that makes the ban: the others learn of it a moment later, and bo gets no event.
    const { ada, bo, appServer } = await fixture.createApp('bo', 'ada')
    const room = await appServer.opens([bo, ada])
    const said = await bo.sends(room, 'Tea is ready')
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', channel_cid: room, shadow: true, user_id: 'ada' },
    })
    await ada.watches(room)
    await bo.watches(room)
    assert.equal(await ada.unread(room), 1)
    const event = (type: string) => bo.does('POST', `${path(room)}/event`, { body: { event: { type } } })

    await event('typing.start')
    await event('typing.stop')
    await event('wave')
    // A message that others have read cannot be edited for them.
    const body = { set: { text: 'Buy tea!' } }
    const { message } = await bo.does('PUT', `/messages/${said.id}`, { body })

    assert.deepEqual([message.text, message.shadowed], ['Buy tea!', false])
    for (const type of ['typing.start', 'typing.stop', 'wave', 'message.updated']) await bo.receives(type)
    const gone = await ada.receives('message.deleted')
    assert.deepEqual([gone.message.id, gone.hard_delete, gone.total_unread_count], [said.id, true, 0])
    assert.doesNotMatch(JSON.stringify(gone), /Buy/)
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Last', user_id: 'ada' } } })
    await ada.receives('message.new')
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => /typing|wave|message/.test(type)),
      [],
    )
    assert.deepEqual(await texts(ada, room), ['Last'])
    assert.deepEqual(await texts(bo, room), ['Buy tea!', 'Last'])
    assert.deepEqual(await bo.receivedTypes().then((types) => types.includes('message.deleted')), false)
  })

  it('[MOD-4] [MOD-17] bans and shadow bans of a channel apply to writers who are not members', async () => {
    const { ada, bo, appServer } = await fixture.createApp('bo', 'ada')
    await appServer.does('PUT', '/channeltypes/livestream', { body: { polls: true } })
    const stream = await appServer.opens([ada], {}, 'livestream')
    const { id } = await ada.sends(stream, 'Welcome')
    const { id: own } = await bo.sends(stream, 'Hello')
    const { poll } = await ada.does('POST', '/polls', { body: { name: 'Tea?', allow_user_suggested_options: true } })
    const suggestion = ['POST', `/polls/${poll.id}/options`, { body: { text: 'Buy!' } }] as const
    await ada.sends(stream, '', { poll_id: poll.id })
    await ada.watches(stream)
    await bo.watches(stream)
    const ban = { target_user_id: 'bo', channel_cid: stream, user_id: 'ada' }
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: true } })

    assert.equal((await bo.sends(stream, 'Buy!')).shadowed, false)
    assert.equal((await bo.receives('message.new')).message.text, 'Buy!')
    await bo.does(...suggestion)
    assert.deepEqual(await texts(ada, stream), ['Welcome', 'Hello', ''])

    await appServer.does('POST', '/moderation/ban', { body: ban })
    await bo.isRefused(17, 'POST', `${path(stream)}/message`, { body: { message: { text: 'Buy!' } } })
    await bo.isRefused(17, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'wow' } } })
    await bo.isRefused(17, 'DELETE', `/messages/${id}/reaction/wow`)
    await bo.isRefused(17, 'PUT', `/messages/${own}`, { body: { set: { text: 'Buy!' } } })
    await bo.isRefused(17, 'PATCH', `/messages/${own}/ephemeral`, { body: { set: { text: 'Buy!' } } })
    await bo.isRefused(17, ...suggestion)
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => /message|reaction|poll/.test(type)),
      [],
    )
  })

  it('[MSG-38] the app’s server learns that what it sends for a shadow-banned user is shadowed; the user does not', async () => {
    const { ada, bo, appServer } = await fixture.createApp('bo', 'ada')
    const room = await appServer.opens([bo, ada])
    await ada.watches(room)
    await bo.watches(room)
    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', shadow: true, user_id: 'ada' } })

    const sends = async (message: object) =>
      (await appServer.does('POST', `${path(room)}/message`, { body: { message: { user_id: 'bo', ...message } } }))
        .message
    const sent = await sends({ text: 'Buy!' })
    const pending = await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'Wait', user_id: 'bo' }, pending: true },
    })
    const body = { message: { text: 'Buy now!', user_id: 'bo' } }
    const edited = (await appServer.does('POST', `/messages/${sent.id}`, { body })).message
    const set = { text: 'Buy here!' }
    const patched = (await appServer.does('PUT', `/messages/${sent.id}`, { body: { set, user_id: 'bo' } })).message
    const read = (await appServer.does('GET', `/messages/${sent.id}`, { query: { user_id: 'bo' } })).message
    const query = { ids: sent.id, user_id: 'bo' }
    const [named] = (await appServer.does('GET', `${path(room)}/messages`, { query })).messages
    assert.deepEqual(
      [sent, pending.message, edited, patched, read, named].map(({ shadowed }) => shadowed),
      [true, true, true, true, true, true],
    )

    for (const type of ['message.new', 'message.updated'])
      assert.equal((await bo.receives(type as 'message.new')).message.shadowed, false)
    assert.equal((await bo.does('GET', `/messages/${sent.id}`)).message.shadowed, false)
    assert.equal((await bo.does('PUT', `/messages/${sent.id}`, { body: { set } })).message.shadowed, false)
    assert.deepEqual(
      (await bo.opensChannel(room)).messages.map(({ text, shadowed }) => [text, shadowed]),
      [['Buy here!', false]],
    )
    // A shadow-banned owner may change the channel, and tells only themselves so.
    const told = await bo.does('POST', path(room), { body: { data: { name: 'Shop' }, message: { text: 'A shop' } } })
    assert.equal(told.message.shadowed, false)
    assert.equal((await bo.receives('channel.updated')).message?.shadowed, false)
    assert.equal((await bo.receives('message.new', ({ message }) => message.text === 'A shop')).message.shadowed, false)
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Last', user_id: 'ada' } } })
    await ada.receives('message.new')
    assert.deepEqual((await texts(ada, room)).at(-1), 'Last')
    assert.equal(JSON.stringify(await ada.opensChannel(room)).includes('Buy'), false)
  })

  it('[MSG-38] a quoted shadowed message is shown to its author only', async () => {
    const { ada, bo, appServer } = await fixture.createApp('bo', 'ada')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', shadow: true, user_id: 'ada' } })
    const offer = await bo.sends(room, 'Buy!')
    await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo' } })
    await ada.watches(room)

    const said = await bo.sends(room, 'As I said', { quoted_message_id: offer.id })

    assert.equal(said.quoted_message?.text, 'Buy!')
    await bo.watches(room)
    await bo.sends(room, 'Nobody?', { parent_id: offer.id })
    assert.equal((await bo.receives('message.updated')).message.shadowed, false)
    assert.equal((await ada.receives('message.new')).message.quoted_message, null)
    assert.equal((await ada.opensChannel(room)).messages.at(-1)!.quoted_message, null)
    assert.equal((await bo.opensChannel(room)).messages.at(-1)!.quoted_message?.text, 'Buy!')
  })

  it('[MOD-5] [MSG-38] [MEM-24] [MEM-25] moderators get the shadow ban and see the messages; after it all is as before', async () => {
    // Bo is connected to the node that makes the ban: the others learn of it a moment later, and bo gets no event.
    const { ada, bo, cleo, appServer } = await fixture.createApp('bo', 'ada', 'cleo')
    const room = await appServer.opens([bo, cleo])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'ada', channel_role: 'channel_moderator' }] },
    })
    await ada.watches(room)
    await bo.watches(room)
    const ban: Record<string, string> = { target_user_id: 'bo', channel_cid: room }
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: true, user_id: 'ada' } })
    const told = await ada.receives('user.banned')
    assert.deepEqual([told.shadow, told.user.id, told.user.banned], [true, 'bo', false])
    const marks = async () => {
      const { banned, shadow_banned } = (await ada.opensChannel(room)).members.find(({ user_id }) => user_id === 'bo')!
      return [banned, shadow_banned]
    }
    assert.deepEqual(await marks(), [false, true])

    const said = await bo.sends(room, 'Buy!')
    const { message } = await ada.does('GET', `/messages/${said.id}`)
    assert.equal(message.shadowed, true)
    // In lists moderators see what all others see, since no event carries the shadowed messages either.
    const named = await ada.does('GET', `${path(room)}/messages`, { query: { ids: said.id } })
    assert.deepEqual([named.messages.length, named.messages[0].shadowed], [1, true])
    const later = new Date(fixture.clock.now() + 60_000).toISOString()
    const pages = [
      await ada.opensChannel(room),
      await ada.opensChannel(room, { messages: { created_at_before: later } }),
    ]
    assert.deepEqual(
      pages.map(({ messages }) => messages),
      [[], []],
    )
    const byServer = await appServer.does('POST', `${path(room)}/query`, {
      body: { state: true, messages: { created_at_before: later } },
    })
    assert.deepEqual(
      byServer.messages.map((each: { shadowed: boolean }) => each.shadowed),
      [true],
    )
    await appServer.does('DELETE', '/moderation/ban', { query: ban })
    assert.equal((await ada.receives('user.unbanned')).shadow, true)
    assert.deepEqual(await marks(), [false, false])
    await bo.sends(room, 'Hello')
    assert.deepEqual(await texts(cleo, room), ['Hello'])
    assert.equal((await bo.receivedTypes()).includes('user.banned'), false)
  })

  it('[MOD-4] a user who may lift a shadow ban also sees it in the answer to a change', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    await appServer.does('POST', path(room), { body: { add_moderators: ['ada'] } })
    const ban = { target_user_id: 'bo', channel_cid: room, shadow: true, user_id: 'ada' }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    const isMarked = ({ members }: { members: { user_id: string; shadow_banned: boolean }[] }) =>
      members.find(({ user_id }) => user_id === 'bo')!.shadow_banned
    for (const name of ['Tea', 'Milk']) {
      assert.equal(isMarked(await appServer.does('POST', path(room), { body: { data: { name } } })), true)
      assert.equal(isMarked(await ada.does('PATCH', path(room), { body: { set: { name } } })), true)
      const set = { mood: 'calm' }
      const { channel_member } = await appServer.does('PATCH', `${path(room)}/member/bo`, { body: { set } })
      assert.equal(channel_member.shadow_banned, true)
    }
    const own = await bo.does('PATCH', `${path(room)}/member/bo`, { body: { set: { mood: 'good' } } })
    assert.equal(own.channel_member.shadow_banned, false)
    assert.equal(isMarked(await cleo.does('POST', path(room), { body: { remove_members: ['cleo'] } })), false)
  })

  it('[MOD-4] [MOD-5] a user shadow banned in the app gets no event when it begins or ends', async () => {
    const { bo, appServer } = await fixture.createApp('bo', 'ada')
    await bo.connects()
    const ban = { target_user_id: 'bo' }
    await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: true, timeout: 5, user_id: 'ada' } })
    await appServer.does('DELETE', '/moderation/ban', { query: ban })
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { hat: 'green' } }] } })
    assert.equal((await bo.receives('user.updated')).user.hat, 'green')
    assert.deepEqual(
      (await bo.receivedTypes()).filter((type) => /updated|banned/.test(type)),
      [],
    )
  })

  it('[MOD-4] a ban replaced by a shadow ban looks like the end of the ban', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)
    for (const where of [{}, { channel_cid: room }]) {
      const ban = { target_user_id: 'bo', user_id: 'ada', ...where }
      await appServer.does('POST', '/moderation/ban', { body: ban })
      await bo.receives('user.banned')
      await appServer.does('POST', '/moderation/ban', { body: { ...ban, shadow: true } })
      assert.equal((await bo.receives('user.unbanned')).shadow, false)
      const told = await bo.receives('capabilities.changed', (event) => event.own_capabilities.includes('send-message'))
      assert.equal(told.cid, room)
      assert.equal((await bo.opensChannel(room)).members.find(({ user_id }) => user_id === 'bo')!.banned, false)
      await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo', ...where } })
    }
    await ada.receives('user.unbanned', (event) => event.cid === room)
  })
})
