import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ChannelState } from '@parley/protocol/channels'
import { it } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import { justBefore } from '../testing/just-before.ts'
import { type AppServer, type Person, path, type Told } from '../testing/person.ts'
import { onEveryTransport, onTwoNodes } from '../testing/stage.ts'

onEveryTransport((stage) => {
  /** Cleo is an admin; ada speaks through the app's server, which may say things to some alone. */
  const aRoom = async () => {
    const { company, ...people } = await stage.company('ada', 'bo', 'dan', 'cleo')
    await company.does('POST', '/users', { body: { users: { cleo: { id: 'cleo', role: 'admin', name: 'Cleo' } } } })
    const { ada, bo, dan, cleo } = people
    return { company, ada, bo, dan, cleo, room: await company.opens([ada, bo, dan, cleo]) }
  }
  const whispers = async (company: AppServer, room: string, to: readonly Person[], fields: object = {}) => {
    const message = { text: 'Psst', user_id: 'ada', restricted_visibility: to.map(({ id }) => id), ...fields }
    return (await company.does('POST', `${path(room)}/message`, { body: { message } })).message
  }
  const says = (company: AppServer, room: string, user_id: string, text: string) =>
    company.does('POST', `${path(room)}/message`, { body: { message: { text, user_id } } })
  const texts = async (person: Person, room: string) =>
    (await person.opensChannel(room)).messages.map(({ text }) => text)
  const heardOf = async (person: Person, id: string) =>
    (await person.hasHeard()).filter((event: Told) => JSON.stringify(event).includes(id)).map(({ type }) => type)

  it('[READ-24] who is not meant hears, sees and counts nothing of it', async () => {
    const { company, ada, bo, dan, cleo, room } = await aRoom()
    const dansPhone = dan.device()
    for (const person of [ada, bo, dan, cleo]) await person.watches(room)
    await dansPhone.connects()
    const left = new Date(stage.clock.now()).toISOString()
    stage.clock.advance(5)

    const secret = await whispers(company, room, [bo], { id: 'secret' })

    assert.deepEqual(secret.restricted_visibility, ['bo'])
    for (const person of [ada, bo, cleo]) {
      const event = await person.hears('message.new')
      assert.equal(event.message.id, 'secret')
      assert.equal(event.total_unread_count, person === ada ? 0 : 1)
      assert.deepEqual(await texts(person, room), ['Psst'])
      assert.equal((await person.does('GET', '/messages/secret')).message.text, 'Psst')
      assert.equal(await person.unread(room), person === ada ? 0 : 1)
    }
    const open = await ada.says(room, 'Hello all')
    for (const device of [dan, dansPhone]) {
      const [first] = (await device.hasHeard()).filter(({ message }) => message)
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

    const missed = async (person: Person) => {
      const body = { channel_cids: [room], last_sync_at: left }
      const { events } = await person.does('POST', '/sync', { body })
      return events.flatMap(({ type, message }: Told) => (type === 'message.new' ? [message.text] : []))
    }
    assert.deepEqual(await missed(bo), ['Psst', 'Hello all'])
    assert.deepEqual(await missed(cleo), ['Psst', 'Hello all'])
    assert.deepEqual(await missed(dan), ['Hello all'])
  })

  it('it leaves the channel where it is in everybody’s list: nobody learns of it by that', async () => {
    const { company, ada, bo, dan, room } = await aRoom()
    const other = await company.opens([ada, bo, dan])
    const { created_at } = await ada.says(room, 'Hello all')
    await ada.says(other, 'Later')
    for (const person of [bo, dan]) await person.watches(room)
    const found = async (person: Person) => {
      const body = {
        filter_conditions: { cid: { $in: [room, other] } },
        sort: [{ field: 'last_message_at', direction: -1 }],
      }
      const { channels } = await person.does('POST', '/channels', { body })
      return channels.map(({ channel }: ChannelState) => [channel.cid, channel.last_message_at])
    }
    const before = await found(dan)
    assert.deepEqual(before[1], [room, created_at])

    await whispers(company, room, [bo])
    await whispers(company, room, [bo], {
      parent_id: (await bo.hears('message.new')).message.id,
      show_in_channel: true,
    })

    for (const person of [bo, dan]) assert.deepEqual(await found(person), before)
    assert.equal((await bo.hears('message.new')).channel_last_message_at, created_at)
    assert.equal((await dan.reads(room)).channel_last_message_at, created_at)
    await ada.says(room, 'To all again')
    assert.equal((await found(dan))[0]![0], room)
  })

  it('members who do not watch are told only if they are meant, and only they get a hidden channel back', async () => {
    const { company, bo, dan, room } = await aRoom()
    for (const person of [bo, dan]) {
      await person.connects()
      await person.does('POST', `${path(room)}/hide`, { body: {} })
      await person.hears('channel.hidden')
    }

    await whispers(company, room, [bo], { id: 'secret' })

    assert.equal((await bo.hears('notification.message_new')).message.id, 'secret')
    await bo.hears('channel.visible')
    assert.deepEqual(await heardOf(dan, room), [])
    assert.equal((await dan.opensChannel(room)).hidden, true)
  })

  it('what becomes of it is told to those who see it, and their counts alone change', async () => {
    const { company, ada, bo, dan, room } = await aRoom()
    await whispers(company, room, [bo], { id: 'secret' })
    await whispers(company, room, [bo], { id: 'other' })
    for (const person of [ada, bo, dan]) await person.watches(room)
    assert.equal(bo.me.total_unread_count, 2)

    await bo.does('POST', '/messages/secret/reaction', { body: { reaction: { type: 'love' } } })
    await ada.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' } } })
    await ada.does('DELETE', '/messages/secret')
    await company.does('POST', '/messages/secret/undelete', { body: { undeleted_by: 'ada' } })
    await ada.does('DELETE', '/messages/other', { query: { hard: 'true' } })

    await bo.hears('reaction.new')
    assert.equal((await bo.hears('message.updated')).message.text, 'Psst!')
    assert.equal((await bo.hears('message.deleted')).total_unread_count, 1)
    assert.equal((await bo.hears('message.undeleted')).total_unread_count, 2)
    assert.equal((await bo.hears('message.deleted')).total_unread_count, 1)
    assert.equal(await bo.unread(room), 1)
    assert.deepEqual([...(await heardOf(dan, 'secret')), ...(await heardOf(dan, 'other'))], [])
    assert.equal(await dan.unread(room), 0)
    await ada.says(room, 'Hello')
    assert.equal((await dan.hears('message.new')).total_unread_count, 1)
    assert.equal(await dan.unread(room), 1)
  })

  it('who mutes its author counts it neither way', async () => {
    const { company, bo, dan, room } = await aRoom()
    for (const person of [bo, dan]) await person.does('POST', '/moderation/mute', { body: { target_id: 'ada' } })
    await says(company, room, 'cleo', 'One')
    await whispers(company, room, [bo])
    await says(company, room, 'ada', 'Two')
    assert.deepEqual([await bo.unread(room), await dan.unread(room)], [1, 1])
  })

  it('its replies are seen by those who see it', async () => {
    const { company, ada, bo, dan, room } = await aRoom()
    await whispers(company, room, [bo, dan], { id: 'secret' })
    for (const person of [ada, bo, dan]) await person.watches(room)
    await bo.says(room, 'For ada', { id: 'reply', parent_id: 'secret' })
    const answer = await whispers(company, room, [bo], { id: 'narrow', parent_id: 'secret', show_in_channel: true })

    assert.deepEqual([answer.restricted_visibility, answer.type], [['bo'], 'reply'])
    assert.deepEqual((await dan.does('GET', '/messages/reply')).message.restricted_visibility.sort(), ['ada', 'dan'])
    const replies = async (person: Person) =>
      (await person.does('GET', '/messages/secret/replies')).messages.map(({ id }: { id: string }) => id)
    assert.deepEqual(await replies(bo), ['reply', 'narrow'])
    assert.deepEqual(await replies(dan), ['reply'])
    assert.deepEqual(await texts(dan, room), ['Psst'])
    await dan.hears('message.new', ({ message }) => message.id === 'reply')
    await bo.hears('notification.thread_message_new')
    assert.deepEqual(await heardOf(dan, 'narrow'), [])
    await dan.says(room, 'Mine too', { parent_id: 'secret' })
    await bo.does('POST', `${path(room)}/unread`, { body: { thread_id: 'secret' } })
    await dan.does('POST', `${path(room)}/unread`, { body: { thread_id: 'secret' } })
    const unread = async (person: Person) => (await person.does('GET', '/unread')).threads[0].unread_count
    assert.deepEqual([await unread(bo), await unread(dan)], [2, 1])
    const { thread } = await dan.does('GET', '/threads/secret')
    assert.deepEqual(
      thread.latest_replies.map(({ text }: { text: string }) => text),
      ['For ada', 'Mine too'],
    )
  })

  it('a thread has the same replies for those who see all as the list of them', async () => {
    const { company, ada, bo, dan, cleo, room } = await aRoom()
    const { id: parent_id } = await ada.says(room, 'Lunch?')
    await bo.says(room, 'Pho', { parent_id })
    await whispers(company, room, [bo], { parent_id })
    for (const [viewer, said] of [
      [bo, ['Pho', 'Psst']],
      [dan, ['Pho']],
      [cleo, ['Pho', 'Psst']],
      [company, ['Pho', 'Psst']],
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

  it('what becomes of its thread is told to those who see it', async () => {
    const { company, ada, bo, dan, cleo, room } = await aRoom()
    await whispers(company, room, [bo], { id: 'secret' })
    await bo.says(room, 'For ada', { parent_id: 'secret' })
    for (const person of [ada, bo, dan, cleo]) await person.watches(room)
    const left = new Date(stage.clock.now()).toISOString()
    stage.clock.advance(5)

    await bo.does('PATCH', '/threads/secret', { body: { set: { title: 'About lunch' } } })
    await ada.reads(room, { thread_id: 'secret' })

    for (const person of [ada, bo, cleo]) {
      assert.equal((await person.hears('thread.updated')).thread.title, 'About lunch')
      assert.equal((await person.hears('message.read')).thread.parent_message_id, 'secret')
    }
    assert.deepEqual(await heardOf(dan, 'secret'), [])
    const { events } = await dan.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at: left } })
    assert.deepEqual(events, [])
  })

  it('a copy of it stands only before those who see it', async () => {
    const { company, bo, dan, room } = await aRoom()
    await whispers(company, room, [bo], { id: 'secret' })
    for (const person of [bo, dan]) await person.watches(room)
    await dan.isRefused(4, 'POST', `${path(room)}/message`, {
      body: { message: { text: 'What?', quoted_message_id: 'secret' } },
    })

    const said = await bo.says(room, 'As you said', { quoted_message_id: 'secret' })

    assert.equal(said.quoted_message?.text, 'Psst')
    assert.equal((await dan.hears('message.new')).message.quoted_message, null)
    assert.equal((await dan.opensChannel(room)).messages[0]!.quoted_message, null)
    assert.equal((await bo.opensChannel(room)).messages[1]!.quoted_message?.text, 'Psst')
    const whispered = await whispers(company, room, [bo], { quoted_message_id: 'secret' })
    assert.equal(whispered.quoted_message.text, 'Psst')
  })

  it('it needs a right, and is not pinned', async () => {
    const { company, bo, cleo, room } = await aRoom()
    const send = { message: { text: 'Psst', restricted_visibility: ['bo'] } }
    await bo.isRefused(17, 'POST', `${path(room)}/message`, { body: send })
    const sent = await cleo.does('POST', `${path(room)}/message`, { body: send })
    assert.deepEqual(sent.message.restricted_visibility, ['bo'])
    const { own_capabilities: may } = (await cleo.opensChannel(room)).channel
    assert.ok(may?.includes('send-restricted-visibility-message'))
    const refused = (body: object) => company.isRefused(4, 'POST', `${path(room)}/message`, { body })
    await refused({ message: { ...send.message, user_id: 'ada', pinned: true } })
    await refused({ message: { text: 'x', user_id: 'ada', restricted_visibility: Array(101).fill('bo') } })
    await cleo.isRefused(4, 'PUT', `/messages/${sent.message.id}`, { body: { set: { pinned: true } } })
    await refused({ message: { text: 'x', user_id: 'ada', parent_id: sent.message.id, pinned: true } })
    const ghosts = { text: 'Psst', user_id: 'ada', restricted_visibility: ['nobody', 'bo', 'bo', 'ada'] }
    const { message } = await company.does('POST', `${path(room)}/message`, { body: { message: ghosts } })
    assert.deepEqual(message.restricted_visibility, ['bo'])
  })

  it('who has lost the role that lets them read all hears no more of what becomes of it, and who has it now does', async () => {
    const { company, ada, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await company.does('PUT', '/channeltypes/messaging', { body: { grants } })
    await company.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    for (const person of [ada, bo, dan, cleo]) await person.watches(room)
    await whispers(company, room, [ada], { id: 'secret' })
    assert.equal((await bo.hears('message.new')).message.id, 'secret')
    await cleo.hears('message.new')
    const { poll } = await company.does('POST', '/polls', {
      body: { name: 'Lunch?', options: [{ text: 'Pho' }], user_id: 'ada' },
    })
    await whispers(company, room, [ada], { id: 'secret-poll', poll_id: poll.id })
    for (const person of [bo, cleo]) await person.hears('message.new')
    const roles = { demote_moderators: ['bo'], add_moderators: ['dan'] }
    for (const [name, ids] of Object.entries(roles)) await company.does('POST', path(room), { body: { [name]: ids } })
    await company.does('POST', '/users', { body: { users: { cleo: { id: 'cleo', role: 'user' } } } })

    const on = { user_id: 'ada' }
    await company.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' }, ...on } })
    await company.does('POST', '/messages/secret/reaction', { body: { reaction: { type: 'love', ...on } } })
    await whispers(company, room, [ada], { parent_id: 'secret' })
    await company.does('DELETE', '/messages/secret')
    await company.does('POST', '/messages/secret/undelete', { body: { undeleted_by: 'ada' } })

    await ada.does('POST', `/messages/secret-poll/polls/${poll.id}/vote`, {
      body: { vote: { option_id: poll.options[0].id } },
    })

    await dan.hears('poll.vote_casted')
    for (const type of ['message.updated', 'reaction.new', 'message.deleted', 'message.undeleted'])
      await dan.hears(type, ({ message }) => message.id === 'secret')
    for (const person of [bo, cleo]) assert.deepEqual(await heardOf(person, 'secret'), [])
  })

  it('[READ-24] what was posted before counts no more for who may not read it any more, and does for who may now', async () => {
    const { company, ada, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await company.does('PUT', '/channeltypes/messaging', { body: { grants } })
    const roles = (body: object) => company.does('POST', path(room), { body })
    const isA = (id: string, role: string) =>
      company.does('PATCH', '/users', { body: { users: [{ id, set: { role } }] } })
    const total = async (person: Person) => {
      const fresh = person.device()
      await fresh.connects()
      assert.equal(await person.unread(room), fresh.me.total_unread_count)
      return fresh.me.total_unread_count
    }
    await roles({ add_moderators: ['bo'] })
    const { id: parent_id } = await dan.says(room, 'Lunch?')
    for (const id of ['one', 'two', 'three']) await whispers(company, room, [ada], { id })
    await whispers(company, room, [ada], { parent_id })
    await bo.does('DELETE', '/messages/two', { query: { delete_for_me: 'true' } })
    await bo.connects()
    for (const person of [dan, cleo]) await person.watches(room)
    assert.deepEqual(
      [bo, dan, cleo].map(({ me }) => [me.total_unread_count, me.unread_threads]),
      [
        [3, 0],
        [0, 0],
        [4, 0],
      ],
    )

    await roles({ demote_moderators: ['bo'], add_moderators: ['dan'] })
    const changed = async (person: Person) => {
      const isOwn = ({ member }: Told) => member.user_id === person.id
      const { total_unread_count, unread_channels, unread_threads } = await person.hears('member.updated', isOwn)
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
    await ada.says(room, 'Hello')
    for (const [person, count] of [
      [bo, 2],
      [dan, 4],
      [cleo, 2],
    ] as const) {
      const { total_unread_count } = await person.hears(person === bo ? 'notification.message_new' : 'message.new')
      assert.deepEqual([total_unread_count, await total(person)], [count, count])
    }

    await company.does('DELETE', '/messages/two')
    assert.equal((await dan.hears('message.deleted')).total_unread_count, 3)
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
    await company.does('POST', '/messages/two/undelete', { body: { undeleted_by: 'ada' } })
    assert.deepEqual([await total(bo), await total(dan), await total(cleo)], [4, 1, 5])
  })

  it('who has lost the role that lets them read all learns nothing of what was posted before from what they missed', async () => {
    const { company, ada, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await company.does('PUT', '/channeltypes/messaging', { body: { grants } })
    await company.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    const last_sync_at = new Date(stage.clock.now()).toISOString()
    stage.clock.advance(5)
    const { poll } = await company.does('POST', '/polls', {
      body: { name: 'Lunch?', options: [{ text: 'Pho' }], user_id: 'ada' },
    })
    await whispers(company, room, [dan], { id: 'secret', poll_id: poll.id })
    await company.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' }, user_id: 'ada' } })
    await whispers(company, room, [dan], { parent_id: 'secret' })
    const vote = { option_id: poll.options[0].id }
    await ada.does('POST', `/messages/secret/polls/${poll.id}/vote`, { body: { vote } })
    await ada.says(room, 'Hello')
    const missed = async (person: Person) => {
      const { events } = await person.does('POST', '/sync', { body: { channel_cids: [room], last_sync_at } })
      const told = events.filter((event: Told) => JSON.stringify(event).match(/secret|Psst|Lunch/))
      return told.map(({ type }: Told) => type)
    }
    // Another node hears of a role a moment later.
    const learns = (person: Person, types: readonly string[]) =>
      eventually(async () => isDeepStrictEqual(await missed(person), types), `${person.id} learns of ${types}`)
    const kinds = new Set(['message.new', 'message.updated', 'poll.vote_casted'])
    await eventually(async () => isDeepStrictEqual(new Set(await missed(cleo)), kinds), 'cleo learns of all')
    const all = await missed(cleo)
    for (const person of [bo, dan]) await learns(person, all)

    await company.does('POST', path(room), { body: { demote_moderators: ['bo'] } })
    await learns(bo, [])
    for (const person of [dan, cleo]) assert.deepEqual(await missed(person), all)
  })

  it('[READ-24] who is sent away, or has another role, in the moment in which it is posted hears nothing of it', async () => {
    const { company, bo, dan, cleo, room } = await aRoom()
    const grants = { channel_moderator: ['read-channel', 'read-restricted-visibility-message'] }
    await company.does('PUT', '/channeltypes/messaging', { body: { grants } })
    for (const add_moderators of [['bo'], ['dan']]) await company.does('POST', path(room), { body: { add_moderators } })
    for (const person of [bo, dan]) await person.watches(room)
    const leaves = () =>
      company.does('POST', path(room), { body: { remove_members: ['dan'], demote_moderators: ['bo'] } })
    justBefore(stage.nodes[0]!.server.commit, 'write', leaves, (_app, cids) => cids.includes(room))
    justBefore(stage.nodes[0]!.server.commit, 'append' as 'write', leaves, (_app, cid) => String(cid) === room)

    await whispers(company, room, [cleo], { id: 'none' })

    await dan.hears('notification.removed_from_channel')
    await bo.hears('member.updated', ({ member }) => member.user_id === 'bo')
    for (const person of [bo, dan]) assert.deepEqual(await heardOf(person, 'none'), [])
    assert.equal(await bo.unread(room), 0)
  })
})

onTwoNodes((stage) => {
  it('who may read all hears of it on a node of which the one that posts it knows nothing', async () => {
    const { company, ada, bo } = await stage.company('ada', 'bo', 'cy')
    await company.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'admin' } } } })
    const room = await company.opens([ada])
    const [here, there] = stage.nodes
    await bo.watches(room)
    assert.equal(here!.server.hub.knowsWatchers(ada.app.id, room), false)

    const message = { id: 'secret', text: 'Psst', user_id: 'ada', restricted_visibility: ['cy'] }
    await company.does('POST', `${path(room)}/message`, { body: { message } })

    assert.equal((await bo.hears('message.new')).message.text, 'Psst')
    await company.does('PUT', '/messages/secret', { body: { set: { text: 'Psst!' }, user_id: 'ada' } })
    assert.equal((await bo.hears('message.updated')).message.text, 'Psst!')
    assert.equal(there!.server.hub.watcherCount(ada.app.id, room), 1)
    // Nobody watches here still, and somebody who begins to hears what is said from then on.
    assert.equal(here!.server.hub.knowsWatchers(ada.app.id, room), false)
    assert.equal((await ada.watches(room)).watcher_count, 2)
    await bo.says(room, 'Hello')
    assert.equal((await ada.hears('message.new')).message.text, 'Hello')
  })
})
