import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

/** A test user's totals: from GET /unread and from the channels, which must be the same. */
async function totals(testUser: TestUser, ...rooms: string[]): Promise<number[]> {
  const answer = await testUser.does('GET', '/unread')
  for (const room of rooms) {
    const listed = answer.channels.find((channel: { channel_id: string }) => channel.channel_id === room)
    assert.equal(listed?.unread_count ?? 0, await testUser.unread(room))
  }
  return [answer.total_unread_count, answer.channels.length]
}

/** The totals in an event, or in the own user of a first frame. */
const told = (event: { [field: string]: unknown }) => {
  assert.equal(event.unread_count, event.total_unread_count)
  return [event.total_unread_count, event.unread_channels]
}

onEveryTransport((fixture) => {
  it('[READ-10] [READ-14] [READ-18] [READ-22] every device of every member gets the totals that a fetch returns', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [tea, milk] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const [phone, desk] = [bo.device(), bo.device(fixture.nodes.at(-1)!.url)]
    await phone.watches(tea)
    await desk.connects()
    await ada.watches(tea)

    await ada.sends(tea, 'One')
    assert.deepEqual(told(await ada.receives('message.new')), [0, 0])
    assert.deepEqual(told(await phone.receives('message.new')), [1, 1])
    assert.deepEqual(told(await desk.receives('notification.message_new')), [1, 1])
    await ada.sends(milk, 'Two')
    assert.deepEqual(told(await phone.receives('notification.message_new')), [2, 2])
    assert.deepEqual(told(await desk.receives('notification.message_new')), [2, 2])
    assert.deepEqual(await totals(bo, tea, milk), [2, 2])
    assert.deepEqual(await totals(ada, tea, milk), [0, 0])

    const fresh = bo.device()
    await fresh.connects()
    assert.deepEqual(told(fresh.me), [2, 2])
  })

  it('[READ-13] a connected user gets the totals of a fetch when read events are turned off and on again', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, team] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo], {}, 'team')]
    await bo.watches(room)
    await bo.watches(team)
    await ada.sends(room, 'One')
    await ada.sends(team, 'Two')
    await bo.receives('message.new', ({ cid }) => cid === team)

    await appServer.does('PUT', '/channeltypes/messaging', { body: { read_events: false } })
    await bo.receives('capabilities.changed')
    await ada.sends(room, 'Three')
    assert.equal(
      (await bo.receives('message.new', ({ message }) => message.text === 'Three')).total_unread_count,
      undefined,
    )
    await ada.sends(team, 'Four')
    assert.deepEqual(told(await bo.receives('message.new', ({ message }) => message.text === 'Four')), [2, 1])
    assert.deepEqual(await totals(bo, room, team), [2, 1])

    await appServer.does('PUT', '/channeltypes/messaging', { body: { read_events: true } })
    await bo.receives('capabilities.changed')
    await ada.sends(team, 'Five')
    const now = told(await bo.receives('message.new', ({ message }) => message.text === 'Five'))
    assert.deepEqual(now, await totals(bo, room, team))
  })

  it('[READ-2] [READ-15] others see that a user has read, and every device of the user counts down', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const last = await ada.sends(room, 'One')
    const [phone, desk] = [bo.device(), bo.device(fixture.nodes.at(-1)!.url)]
    await phone.watches(room)
    await desk.connects()
    await ada.watches(room)
    assert.deepEqual(told(phone.me), [1, 1])

    const event = await phone.reads(room)

    assert.equal(event.type, 'message.read')
    assert.equal(event.last_read_message_id, last.id)
    const seen = await ada.receives('message.read')
    assert.deepEqual([seen.user.id, seen.last_read_message_id], ['bo', last.id])
    assert.equal(seen.total_unread_count, undefined)
    assert.deepEqual(told(await phone.receives('message.read')), [0, 0])
    assert.deepEqual(told(await phone.receives('notification.mark_read')), [0, 0])
    assert.deepEqual(told(await desk.receives('notification.mark_read')), [0, 0])
    assert.deepEqual(await totals(bo, room), [0, 0])
    const { read } = await ada.opensChannel(room)
    const entry = read.find(({ user }) => user.id === 'bo')!
    assert.deepEqual(
      [entry.last_read_message_id, entry.unread_messages, entry.last_read],
      [last.id, 0, seen.created_at],
    )
  })

  it('[READ-3] [READ-16] a message marked unread is the first unread one, on every device of the user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const sent: Message[] = []
    for (const text of ['One', 'Two', 'Three']) sent.push(await ada.sends(room, text))
    await bo.reads(room)
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    await desk.connects()
    await ada.watches(room)

    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: sent[1]!.id } })

    const event = await desk.receives('notification.mark_unread')
    assert.deepEqual(told(event), [2, 1])
    assert.equal(event.unread_messages, 2)
    assert.equal(event.first_unread_message_id, sent[1]!.id)
    assert.equal(event.last_read_message_id, sent[0]!.id)
    assert.ok(microsOf(event.last_read_at)! < microsOf(sent[1]!.created_at)!)
    assert.deepEqual(await totals(bo, room), [2, 1])
    const { read } = await bo.opensChannel(room)
    const entry = read.find(({ user }) => user.id === 'bo')!
    assert.deepEqual([entry.last_read, entry.last_read_message_id], [event.last_read_at, sent[0]!.id])
    // Other users get no event.
    assert.deepEqual(
      (await ada.received()).filter(({ cid }) => cid === room),
      [],
    )
  })

  it('a sender has read everything, and the sender’s other devices count down', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    await desk.connects()
    await ada.sends(room, 'Hello?')
    assert.deepEqual(told(await desk.receives('notification.message_new')), [1, 1])

    const reply = await bo.sends(room, 'Hi')

    const event = await desk.receives('notification.mark_read')
    assert.deepEqual(told(event), [0, 0])
    assert.equal(event.last_read_message_id, reply.id)
    const { read } = await ada.opensChannel(room)
    const entry = read.find(({ user }) => user.id === 'bo')!
    assert.deepEqual([entry.last_read, entry.last_read_message_id], [reply.created_at, reply.id])
  })

  it('[READ-24] a message dated before a user joined does not count for them, however late it arrives', async () => {
    const { ada, bo, cleo, dan, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dan')
    const tells = (room: string, created_at: number) =>
      appServer.does('POST', `${path(room)}/message`, {
        body: { message: { text: 'Then', user_id: 'ada', created_at: new Date(created_at).toISOString() } },
      })
    const begun = fixture.clock.now()
    fixture.clock.advance(2_000)
    const room = await appServer.opens([ada, bo])
    for (const testUser of [bo, cleo]) await testUser.connects()
    await tells(room, begun)
    assert.deepEqual(told(await bo.receives('notification.message_new')), [0, 0])
    assert.deepEqual(await totals(bo, room), [0, 0])

    fixture.clock.advance(2_000)
    await ada.sends(room, 'Now')
    const between = fixture.clock.now() + 1_000
    fixture.clock.advance(2_000)
    await appServer.does('POST', path(room), { body: { add_members: ['cleo'], invites: ['dan'] } })
    await dan.does('POST', path(room), { body: { accept_invite: true } })
    fixture.clock.advance(1_000)
    const { message } = await tells(room, between)
    assert.deepEqual(told(await cleo.receives('notification.message_new')), [0, 0])
    assert.deepEqual(
      told(await bo.receives('notification.message_new', (event) => event.message.id === message.id)),
      [2, 1],
    )
    for (const [testUser, unread] of [
      [bo, 2],
      [cleo, 0],
      [dan, 0],
    ] as const) {
      assert.deepEqual(await totals(testUser, room), [unread, unread && 1])
      const phone = testUser.device()
      await phone.connects()
      assert.deepEqual(told(phone.me), [unread, unread && 1])
    }

    await ada.sends(room, 'Today')
    assert.deepEqual(told(await cleo.receives('notification.message_new')), [1, 1])
    await appServer.does('DELETE', `/messages/${message.id}`)
    assert.deepEqual(await Promise.all([totals(bo, room), totals(cleo, room)]), [
      [2, 1],
      [1, 1],
    ])
    await cleo.does('POST', `${path(room)}/unread`, { body: { message_id: message.id } })
    assert.deepEqual(await totals(cleo, room), [1, 1])
  })

  it('[READ-24] messages count for a user from joining until leaving the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const early = await ada.sends(room, 'Before')
    await bo.connects()

    await appServer.does('POST', path(room), { body: { add_members: ['bo'] } })
    assert.deepEqual(told(await bo.receives('notification.added_to_channel')), [0, 0])
    const late = await ada.sends(room, 'After')
    assert.deepEqual(told(await bo.receives('notification.message_new')), [1, 1])

    // A message from before joining can be the first unread one, but does not count.
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: early.id } })
    assert.equal((await bo.receives('notification.mark_unread')).unread_messages, 1)
    await bo.reads(room, { message_id: early.id })
    assert.deepEqual(await totals(bo, room), [1, 1])
    await bo.reads(room, { message_id: late.id })
    assert.deepEqual(await totals(bo, room), [0, 0])

    await ada.sends(room, 'More')
    await appServer.does('POST', path(room), { body: { remove_members: ['bo'] } })
    assert.deepEqual(told(await bo.receives('notification.removed_from_channel')), [0, 0])
    assert.deepEqual(await totals(bo), [0, 0])
  })
})

onEveryStorage((fixture) => {
  it('[READ-1] [READ-2] reading up to a message leaves those after it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const sent: Message[] = []
    for (const text of ['One', 'Two', 'Three']) sent.push(await ada.sends(room, text))
    await bo.connects()

    await bo.reads(room, { message_id: sent[0]!.id })

    const { read } = await bo.opensChannel(room)
    const { user, ...entry } = read.find((one) => one.user.id === 'bo')!
    assert.deepEqual(entry, {
      last_read: sent[0]!.created_at,
      last_read_message_id: sent[0]!.id,
      unread_messages: 2,
    })
    assert.deepEqual(told(await bo.receives('notification.mark_read')), [2, 1])
    await bo.reads(room, { message_id: sent[2]!.id })
    assert.equal(await bo.unread(room), 0)
    await bo.isRefused(16, 'POST', `${path(room)}/read`, { body: { message_id: 'nobody' } })
  })

  it('own messages never count, even with deleted ones among the messages marked unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const first = await ada.sends(room, 'One')
    const gone = await bo.sends(room, 'Mine, for good')
    const softly = await bo.sends(room, 'Mine, softly')
    const later = await bo.sends(room, 'Mine, later')
    const last = await ada.sends(room, 'Two')
    await bo.does('DELETE', `/messages/${gone.id}`, { query: { hard: 'true' } })
    await bo.does('DELETE', `/messages/${softly.id}`)

    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: first.id } })
    assert.equal(await bo.unread(room), 2)
    await bo.does('DELETE', `/messages/${later.id}`, { query: { hard: 'true' } })
    assert.equal(await bo.unread(room), 2)
    await ada.does('DELETE', `/messages/${first.id}`)
    assert.equal(await bo.unread(room), 1)
    // Also right after an own message that was deleted.
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: last.id } })
    assert.equal(await bo.unread(room), 1)
  })

  it('[READ-17] only one of the newest 100 messages can be marked unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const oldest = await ada.sends(room, 'm1')
    const second = await ada.sends(room, 'm2')
    await Promise.all(Array.from({ length: 99 }, (_, i) => ada.sends(room, `m${i + 3}`)))
    // A reply that is only in its thread is not one of them.
    await ada.sends(room, 'In the thread', { parent_id: second.id })

    await bo.isRefused(4, 'POST', `${path(room)}/unread`, { body: { message_id: oldest.id } })
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: second.id } })

    assert.equal(await bo.unread(room), 100)
  })

  it('a timestamp marks the newest message up to it unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'One')
    const { created_at } = await ada.sends(room, 'Two')
    await bo.reads(room)

    await bo.does('POST', `${path(room)}/unread`, { body: { message_timestamp: created_at } })

    assert.equal(await bo.unread(room), 1)
    await bo.isRefused(4, 'POST', `${path(room)}/unread`)
    const noon = await bo.isRefused(4, 'POST', `${path(room)}/unread`, { body: { message_timestamp: 'noon' } })
    assert.deepEqual(Object.keys(noon.exception_fields), ['message_timestamp'])
    for (const body of [{ message_id: 'nobody' }, { message_timestamp: '2001-01-01T00:00:00Z' }])
      await bo.isRefused(16, 'POST', `${path(room)}/unread`, { body })
  })

  it('a message hidden from a member can be marked neither read nor unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const secret = await ada.sends(room, 'Secret')
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })

    for (const verb of ['read', 'unread'])
      await bo.isRefused(16, 'POST', `${path(room)}/${verb}`, { body: { message_id: secret.id } })
    const body = { message_timestamp: secret.created_at }
    await bo.isRefused(16, 'POST', `${path(room)}/unread`, { body })
  })

  it('[READ-4] several channels, or all of them, are marked read in one call', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const [tea, milk, bread] = rooms as [string, string, string]
    const first = await ada.sends(tea, 'One')
    for (const room of rooms) await ada.sends(room, 'Two')
    await bo.connects()
    assert.deepEqual(told(bo.me), [4, 3])

    await bo.does('POST', '/channels/read', { body: { read_by_channel: { [tea]: first.id, [milk]: '' } } })
    assert.deepEqual(await totals(bo, ...rooms), [2, 2])
    assert.equal(await bo.unread(bread), 1)

    await bo.does('POST', '/channels/read', { body: {} })
    assert.deepEqual(await totals(bo, ...rooms), [0, 0])
    const all = await bo.receives('notification.mark_read', ({ cid }) => cid === undefined)
    assert.deepEqual(told(all), [0, 0])
    await bo.isRefused(16, 'POST', '/channels/read', { body: { read_by_channel: { 'messaging:nowhere': '' } } })
    const nameless = await bo.isRefused(4, 'POST', '/channels/read', { body: { read_by_channel: { tea: '' } } })
    assert.deepEqual(nameless.exception_fields, { cid: 'a channel is called <type>:<id>, not "tea"' })
  })

  it('[READ-4] very many channels are marked read a page at a time, so that other writes can run in between', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = await Promise.all(Array.from({ length: 51 }, () => appServer.opens([ada, bo])))
    const firsts = await Promise.all(rooms.map((room) => ada.sends(room, 'One')))
    await Promise.all(rooms.map((room) => ada.sends(room, 'Two')))
    const [first, last] = [rooms[0]!, rooms.at(-1)!]
    const { commit } = fixture.nodes[0]!.server
    let left: number | undefined
    const looks = async () => {
      left = await bo.unread(first)
    }
    justBefore(commit, 'write', looks, (_app, cids) => cids.includes(last))
    const read_by_channel = Object.fromEntries(rooms.map((room, i) => [room, firsts[i]!.id]))
    await bo.does('POST', '/channels/read', { body: { read_by_channel } })
    assert.equal(left, 1)
    assert.equal((await totals(bo))[0], 51)
    await bo.does('POST', '/channels/read', { body: {} })
    assert.deepEqual(await totals(bo), [0, 0])
  })

  it('[READ-26] of very many channels none is marked read when one of the messages does not exist', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const rooms = await Promise.all(Array.from({ length: 51 }, () => appServer.opens([ada, bo])))
    const said = await Promise.all(rooms.map((room) => ada.sends(room, 'Hello')))
    const elsewhere = await ada.sends(await appServer.opens([ada, cleo]), 'Secret')
    for (const wrong of ['nothing', said[0]!.id, elsewhere.id]) {
      const read_by_channel = Object.fromEntries(rooms.map((room) => [room, '']))
      read_by_channel[rooms.at(-1)!] = wrong
      await bo.isRefused(16, 'POST', '/channels/read', { body: { read_by_channel } })
      assert.equal((await bo.does('GET', '/unread')).total_unread_count, 51)
    }

    const { commit } = fixture.nodes[0]!.server
    const deletes = () => appServer.does('DELETE', path(rooms[0]!))
    justBefore(commit, 'write', deletes, (_app, cids) => cids.includes(rooms.at(-1)!))
    const read_by_channel = Object.fromEntries([...rooms.slice(1), rooms[0]!].map((room) => [room, '']))
    await bo.does('POST', '/channels/read', { body: { read_by_channel } })
    assert.equal((await bo.does('GET', '/unread')).total_unread_count, 0)
  })

  it('[READ-4] a channel the user may not read does not stop marking all others read', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [tea, closed, milk] = [
      await appServer.opens([ada, bo]),
      await appServer.opens([ada, bo]),
      await appServer.opens([ada, bo]),
    ]
    for (const room of [tea, closed, milk]) await ada.sends(room, 'Hello')
    await appServer.does('PATCH', path(closed), { body: { set: { disabled: true } } })
    await bo.does('POST', '/channels/read', { body: {} })
    assert.deepEqual([await bo.unread(tea), await bo.unread(milk)], [0, 0])
    await bo.isRefused(17, 'POST', '/channels/read', { body: { read_by_channel: { [tea]: '', [closed]: '' } } })
  })

  it('[READ-25] reading up to a message does not move back what another device has read since', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const [one, two, three] = [
      await ada.sends(room, 'One'),
      await ada.sends(room, 'Two'),
      await ada.sends(room, 'Three'),
    ]
    await ada.watches(room)
    await bo.connects()
    await bo.reads(room, { message_id: two.id })
    const late = await bo.reads(room, { message_id: one.id })
    assert.deepEqual([late.type, late.last_read_message_id, late.created_at], ['message.read', two.id, two.created_at])
    assert.equal(await bo.unread(room), 1)
    await bo.reads(room)
    await bo.reads(room, { message_id: two.id })
    assert.equal(await bo.unread(room), 0)
    const heard = (await ada.received()).filter(({ type }) => type === 'message.read')
    assert.deepEqual(
      heard.map((event) => event.last_read_message_id),
      [two.id, three.id],
    )
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: one.id } })
    await bo.reads(room, { message_id: one.id })
    assert.equal(await bo.unread(room), 2)
  })

  it('[READ-10] [READ-16] after reading up to a message, the first unread message is one from another user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const one = await ada.sends(room, 'One')
    await bo.sends(room, 'Mine')
    const hidden = await ada.sends(room, 'Not for bo’s eyes')
    await bo.does('DELETE', `/messages/${hidden.id}`, { query: { delete_for_me: 'true' } })
    const gone = await ada.sends(room, 'Gone')
    await ada.does('DELETE', `/messages/${gone.id}`)
    const two = await ada.sends(room, 'Two')
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: one.id } })
    await bo.connects()

    await bo.reads(room, { message_id: one.id })

    const { first_unread_message_id, unread_messages } = await bo.receives('notification.mark_unread')
    assert.deepEqual([first_unread_message_id, unread_messages], [two.id, 1])
  })

  it('[READ-25] [MEM-28] [READ-24] reading up to a message makes no read message unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const says = async () => [await ada.sends(room, 'One'), await ada.sends(room, 'Two')] as const
    await appServer.does('POST', path(room), { body: { invites: ['bo'] } })
    const [before] = await says()
    await bo.does('POST', path(room), { body: { accept_invite: true } })
    await bo.reads(room, { message_id: before.id })
    assert.equal(await bo.unread(room), 0)
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: before.id } })
    assert.equal(await bo.unread(room), 0)

    const [one] = await says()
    const cleared = { member_ids: ['bo'], truncated_at: one.created_at }
    await appServer.does('POST', `${path(room)}/truncate`, { body: cleared })
    const { last_read_message_id } = await bo.reads(room, { message_id: one.id })
    assert.equal(last_read_message_id, one.id)
    assert.equal(await bo.unread(room), 0)
    await ada.sends(room, 'Three')
    assert.equal(await bo.unread(room), 1)
  })

  it('[READ-5] unread counts come by channel and by type, the latest channel first', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [tea, milk] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const team = await appServer.opens([ada, bo], {}, 'team')
    await ada.sends(tea, 'One')
    await ada.sends(tea, 'Two')
    await ada.sends(milk, 'One')
    await ada.sends(team, 'One')

    const answer = await bo.does('GET', '/unread')

    assert.equal(answer.total_unread_count, 4)
    assert.deepEqual(
      answer.channels.map(({ channel_id, unread_count }: Record<string, unknown>) => [channel_id, unread_count]),
      [
        [team, 1],
        [milk, 1],
        [tea, 2],
      ],
    )
    const types = answer.channel_type.map((type: Record<string, unknown>) => Object.values(type).join(' '))
    assert.deepEqual(types.sort(), ['messaging 2 3', 'team 1 1'])
    await ada.isRefused(5, 'GET', '/unread', { query: { user_id: 'bo' } })
    const forBo = await appServer.does('GET', '/unread', { query: { user_id: 'bo' } })
    assert.deepEqual(forBo.channels, answer.channels)
    await appServer.isRefused(4, 'GET', '/unread')
  })

  it('[READ-6] a server fetches the counts of several users at once', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'One')

    const { counts_by_user } = await appServer.does('POST', '/unread_batch', {
      body: { user_ids: ['ada', 'bo', 'nobody'] },
    })

    assert.deepEqual(Object.keys(counts_by_user).sort(), ['ada', 'bo'])
    const { duration, ...own } = await bo.does('GET', '/unread')
    assert.deepEqual(counts_by_user.bo, own)
    assert.equal(counts_by_user.ada.total_unread_count, 0)
    await ada.isRefused(17, 'POST', '/unread_batch', { body: { user_ids: ['bo'] } })
    const many = Array.from({ length: 101 }, (_, i) => `user-${i}`)
    await appServer.isRefused(4, 'POST', '/unread_batch', { body: { user_ids: many } })
  })

  it('[READ-9] a reply in a thread does not count in the channel, one that is shown there does', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const parent = await bo.sends(room, 'Lunch?')
    await bo.connects()

    await ada.sends(room, 'Pho', { parent_id: parent.id })
    assert.equal(await bo.unread(room), 0)
    await ada.sends(room, 'Pizza', { parent_id: parent.id, show_in_channel: true })
    assert.deepEqual(told(await bo.receives('notification.message_new')), [1, 1])
    assert.deepEqual(await totals(bo, room), [1, 1])
  })

  it('[READ-13] without read events nothing counts and nothing is marked', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], {}, 'livestream')
    await bo.watches(room)
    const message = await ada.sends(room, 'One')

    assert.equal((await bo.receives('message.new')).total_unread_count, undefined)
    assert.deepEqual(await totals(bo, room), [0, 0])
    assert.equal(await bo.reads(room), null)
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: message.id } })
    assert.deepEqual(await totals(bo, room), [0, 0])
    assert.deepEqual(
      (await bo.received()).filter(({ cid }) => cid === room),
      [],
    )
  })

  it('[MSG-38] a read position names a message that the reader can see', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const first = await bo.sends(room, 'One')
    const psst = { text: 'Psst', user_id: 'ada', restricted_visibility: ['ada'] }
    await appServer.does('POST', `${path(room)}/message`, { body: { message: psst } })
    const second = await ada.sends(room, 'Two')
    const ban = { target_user_id: 'ada', channel_cid: room, banned_by_id: 'bo', shadow: true }
    await appServer.does('POST', '/moderation/ban', { body: ban })
    const unseen = await ada.sends(room, 'Unseen')
    await bo.connects()

    assert.equal((await bo.reads(room))!.last_read_message_id, second.id)
    for (const body of [{ message_id: second.id }, { message_timestamp: unseen.created_at }]) {
      await bo.does('POST', `${path(room)}/unread`, { body })
      const told = await bo.receives('notification.mark_unread')
      assert.deepEqual([told.first_unread_message_id, told.last_read_message_id], [second.id, first.id])
    }
    await appServer.does('POST', `${path(room)}/truncate`, { body: {} })
    assert.equal((await bo.reads(room))!.last_read_message_id, undefined)
  })

  it('a user who is no member has nothing to mark', async () => {
    const { ada, boss, appServer } = await fixture.createApp('ada', 'boss')
    const room = await appServer.opens([ada], { created_by_id: 'boss' })
    await ada.sends(room, 'One')

    assert.equal(await boss.reads(room), null)
    assert.deepEqual(await totals(boss), [0, 0])
  })

  it('other users do not see the reads of a user who hides read receipts', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const privacy_settings = { read_receipts: { enabled: false } }
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', privacy_settings } } } })
    await ada.sends(room, 'One')
    await ada.watches(room)
    await bo.watches(room)

    await bo.reads(room)

    assert.deepEqual(told(await bo.receives('message.read')), [0, 0])
    assert.equal((await ada.receivedTypes()).includes('message.read'), false)
    const { read } = await ada.opensChannel(room)
    assert.deepEqual(
      read.map(({ user }) => user.id),
      ['ada'],
    )
  })
})
