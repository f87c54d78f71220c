import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import type { Thread } from '@parley/protocol/threads'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const replies = (testUser: TestUser, room: string, parent: Message, text: string, fields: object = {}) =>
  testUser.sends(room, text, { parent_id: parent.id, ...fields })
const thread = async (testUser: TestUser, { id }: Message, query = {}): Promise<Thread> =>
  (await testUser.does('GET', `/threads/${id}`, { query })).thread
const threads = async (testUser: TestUser, body: object = {}): Promise<Thread[]> =>
  (await testUser.does('POST', '/threads', { body })).threads
const titles = async (testUser: TestUser, body: object = {}) =>
  (await threads(testUser, body)).map(({ title }) => title)
const unreadIn = ({ read }: Thread) => Object.fromEntries(read.map((entry) => [entry.user.id, entry.unread_messages]))
const whoLeft = ({ thread_participants }: Thread) =>
  thread_participants.flatMap(({ user_id, left_thread_at }) => (left_thread_at ? [user_id] : []))
const texts = (messages: readonly Message[]) => messages.map((message) => message.text)
const totals = (event: { unread_threads?: number; unread_thread_messages?: number }) => [
  event.unread_threads,
  event.unread_thread_messages,
]

onEveryStorage((fixture) => {
  it('[THR-1] [THR-2] [THR-4] [THR-31] a thread exists from its first reply on and has the id of its parent', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const lunch = await ada.sends(room, 'Lunch?')
    await ada.isRefused(16, 'GET', `/threads/${lunch.id}`)

    const first = await replies(bo, room, lunch, 'Pho')
    fixture.clock.advance(1_000)
    const second = await replies(cy, room, lunch, 'Pizza')
    const found = await thread(ada, lunch)

    assert.deepEqual(
      [found.parent_message_id, found.channel_cid, found.channel.cid, found.title, found.created_by_user_id],
      [lunch.id, room, room, 'Lunch?', 'bo'],
    )
    assert.deepEqual(
      [found.parent_message.text, found.reply_count, texts(found.latest_replies)],
      ['Lunch?', 2, ['Pho', 'Pizza']],
    )
    assert.deepEqual(
      found.thread_participants.map(({ user_id, user }) => [user_id, user.name]),
      [
        ['cy', 'Cy'],
        ['bo', 'Bo'],
        ['ada', 'Ada'],
      ],
    )
    assert.deepEqual([found.participant_count, found.active_participant_count], [3, 3])
    assert.deepEqual(unreadIn(found), { ada: 2, bo: 1, cy: 0 })
    assert.deepEqual(
      [found.created_at, found.updated_at, found.last_message_at, found.deleted_at],
      [first.created_at, second.created_at, second.created_at, undefined],
    )
    const brief = await thread(ada, lunch, { reply_limit: '1', participant_limit: '1' })
    assert.deepEqual([texts(brief.latest_replies), brief.thread_participants.length], [['Pizza'], 1])
    await thread(ada, lunch, { reply_limit: '100', participant_limit: '100', member_limit: '100' })
    const tooMany = [{ reply_limit: '101' }, { participant_limit: '101' }, { member_limit: '101' }]
    for (const query of [...tooMany, { reply_limit: '-1' }])
      await ada.isRefused(4, 'GET', `/threads/${lunch.id}`, { query })
    assert.equal(unreadIn(brief).ada, 2)
    await ada.does('DELETE', `/messages/${lunch.id}`)
    const deleted = await thread(bo, lunch)
    assert.deepEqual([typeof deleted.deleted_at, deleted.title, deleted.parent_message.text], ['string', '', ''])
    await ada.does('DELETE', `/messages/${lunch.id}`, { query: { hard: 'true' } })
    await ada.isRefused(16, 'GET', `/threads/${lunch.id}`)
  })

  it('[THR-3] [THR-31] [LIM-5] a user’s threads come unread first, then by their newest reply', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const [a, b, c, d] = [
      await ada.sends(room, 'A'),
      await bo.sends(room, 'B'),
      await ada.sends(room, 'C'),
      await ada.sends(room, 'D'),
    ]
    await replies(bo, room, a, 'to A')
    await replies(cy, room, b, 'to B')
    await replies(bo, room, c, 'to C')
    await replies(cy, room, d, 'to D')
    await ada.reads(room, { thread_id: d.id })

    assert.deepEqual(await titles(ada), ['C', 'A', 'D'])
    assert.deepEqual(await titles(bo), ['B', 'C', 'A'])
    assert.deepEqual(await titles(cy), ['D', 'B'])
    const newest = { sort: [{ field: 'last_message_at', direction: -1 }] }
    assert.deepEqual(await titles(ada, newest), ['D', 'C', 'A'])
    assert.deepEqual(await titles(ada, { filter: { created_by_user_id: { $in: ['bo'] } } }), ['C', 'A'])
    assert.deepEqual(await titles(ada, { filter: { channel_cid: 'messaging:other' } }), [])
    assert.deepEqual(await titles(ada, { filter: { 'channel.disabled': false, parent_message_id: a.id } }), ['A'])
    const first = await ada.does('POST', '/threads', { body: { limit: 2 } })
    assert.deepEqual(await titles(ada, { limit: 2, next: first.next }), ['D'])
    assert.equal((await titles(ada, { limit: 25 })).length, 3)
    for (const body of [{ limit: 26 }, { reply_limit: 101 }, { filter: { nothing: { $near: 1 } } }, { next: 'x' }])
      await ada.isRefused(4, 'POST', '/threads', { body })
    for (const field of ['active_participant_count', 'created_at', 'participant_count', 'reply_count', 'has_unread'])
      assert.equal((await titles(ada, { sort: [{ field, direction: -1 }] })).length, 3)
  })

  it('[THR-31] a thread in which nothing counts as unread is sorted by its newest reply', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [show, room] = [await appServer.opens([ada, bo], {}, 'livestream'), await appServer.opens([ada, bo])]
    const [song, lunch] = [await bo.sends(show, 'Song'), await bo.sends(room, 'Lunch')]
    await replies(ada, show, song, 'Fine')
    await replies(ada, room, lunch, 'Pho')
    await bo.reads(room, { thread_id: lunch.id })

    const shown = await threads(bo)
    assert.deepEqual(
      shown.map(({ title, ...of }) => [title, unreadIn(of as Thread).bo]),
      [
        ['Lunch', 0],
        ['Song', 0],
      ],
    )
    await replies(ada, room, lunch, 'Or pizza')
    await replies(ada, show, song, 'Encore!')
    assert.deepEqual(await titles(bo), ['Lunch', 'Song'])
  })

  it('[THR-3] a thread in a channel that the user left, or whose history is hidden from them, is not listed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    await replies(ada, room, lunch, 'Fine')
    assert.deepEqual(await titles(bo), ['Lunch?'])

    await appServer.does('POST', path(room), { body: { remove_members: ['bo'] } })

    assert.deepEqual(await titles(bo), [])
    await bo.isRefused(16, 'GET', `/threads/${lunch.id}`)
    assert.equal((await bo.does('GET', '/unread')).total_unread_threads_count, 0)
    const left = await thread(ada, lunch)
    assert.deepEqual([left.participant_count, left.active_participant_count], [2, 1])
    assert.deepEqual(whoLeft(left), ['bo'])
    const [bosPart] = left.thread_participants.filter(({ user_id }) => user_id === 'bo')
    assert.ok(microsOf(bosPart!.left_thread_at!)! > microsOf(left.last_message_at)!)
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    assert.deepEqual(await titles(bo), [])
    assert.deepEqual(whoLeft(await thread(ada, lunch)), [])

    await appServer.does('POST', path(room), { body: { remove_members: ['bo'] } })
    await appServer.does('POST', path(room), { body: { invites: ['bo'] } })
    assert.deepEqual(whoLeft(await thread(ada, lunch)), [])

    for (const change of ['remove_members', 'add_members'])
      await appServer.does('POST', path(room), { body: { [change]: ['ada', 'bo'] } })
    assert.deepEqual(whoLeft(await thread(ada, lunch)), [])
  })

  it('[THR-3] a thread of a channel that the user may no longer read is neither listed nor watched', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    assert.deepEqual(await titles(bo), ['Lunch?'])
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants: { user: [], channel_member: [] } } })

    await bo.connects()
    assert.deepEqual(await titles(bo), [])
    await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Tea', user_id: 'ada' } } })
    assert.ok(!(await bo.receivedTypes()).includes('message.new'))
    const asked = await appServer.does('POST', '/threads', { body: { user_id: 'bo', watch: false } })
    assert.equal(asked.threads.length, 1)
  })

  it('the reads of a thread are in the order of its participants, newest first', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    await replies(cy, room, lunch, 'Pizza')
    for (const reader of [cy, ada, bo, cy]) {
      await reader.reads(room, { thread_id: lunch.id })
      const { read, thread_participants } = await thread(ada, lunch)
      assert.deepEqual(
        read.map(({ user }) => user.id),
        thread_participants.map(({ user_id }) => user_id),
      )
    }
  })

  it('[MSG-38] [THR-3] a thread whose parent is hidden from all but its author is listed for that author alone', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const offer = await ada.sends(room, 'Buy!')
    await replies(bo, room, offer, 'What?')
    await replies(ada, room, offer, 'Now!')
    await bo.does('POST', '/api/v2/moderation/flag', {
      body: { entity_type: 'message', entity_id: offer.id, entity_creator_id: 'ada', reason: 'spam' },
    })
    const { items } = await appServer.does('POST', '/api/v2/moderation/review_queue', { body: {} })

    await appServer.does('POST', '/api/v2/moderation/submit_action', {
      body: { item_id: items[0].id, action_type: 'shadow_block', user_id: 'ada' },
    })

    await bo.isRefused(16, 'GET', `/threads/${offer.id}`)
    assert.deepEqual(await titles(bo), [])
    assert.equal((await bo.does('GET', '/unread')).total_unread_threads_count, 0)
    assert.deepEqual(await titles(ada), ['Buy!'])
  })

  it('[THR-3] threads are sorted by the number of participants, or of active participants', async () => {
    const { ada, bo, cy, dan, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dan')
    const [left, kept] = [await appServer.opens([ada, bo, cy, dan]), await appServer.opens([ada, bo, cy])]
    const lunch = await ada.sends(left, 'Lunch?')
    for (const testUser of [bo, cy, dan]) await replies(testUser, left, lunch, 'Pho')
    const dinner = await ada.sends(kept, 'Dinner?')
    for (const testUser of [bo, cy]) await replies(testUser, kept, dinner, 'Rice')
    await appServer.does('POST', path(left), { body: { remove_members: ['cy', 'dan'] } })

    const by = (field: string) => titles(ada, { sort: [{ field, direction: -1 }] })
    assert.deepEqual(await by('participant_count'), ['Lunch?', 'Dinner?'])
    assert.deepEqual(await by('active_participant_count'), ['Dinner?', 'Lunch?'])
  })

  it('[THR-5] [THR-32] the parent’s author, the first replier, and moderators can set title and custom fields', async () => {
    const { ada, bo, cy, dan, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dan')
    const room = await appServer.opens([cy, ada, bo, dan])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    await replies(cy, room, lunch, 'Pizza')
    await dan.watches(room)
    const patch = (testUser: TestUser, body: object) => testUser.does('PATCH', `/threads/${lunch.id}`, { body })

    const changed = await patch(ada, { set: { title: 'Friday', mood: { sunny: true } } })
    assert.deepEqual([changed.thread.title, changed.thread.mood], ['Friday', { sunny: true }])
    const heard = await dan.receives('thread.updated')
    assert.deepEqual(
      [heard.thread.title, heard.user.id, heard.thread.channel.own_capabilities],
      ['Friday', 'ada', undefined],
    )
    await patch(bo, { set: { 'mood.wind': 3 }, unset: ['title'] })
    const found = await thread(cy, lunch)
    assert.deepEqual([found.title, found.mood], ['Lunch?', { sunny: true, wind: 3 }])

    for (const testUser of [cy, dan])
      await testUser.isRefused(17, 'PATCH', `/threads/${lunch.id}`, { body: { set: { title: 'Mine' } } })
    await appServer.does('PATCH', `/threads/${lunch.id}`, { body: { set: { title: 'Ours' } } })
    await appServer.does('POST', '/users', { body: { users: { dan: { id: 'dan', role: 'moderator' } } } })
    assert.equal((await patch(dan, { set: { title: 'Tidy' } })).thread.title, 'Tidy')
    await appServer.does('POST', path(room), { body: { add_moderators: ['cy'] } })
    assert.equal((await patch(cy, { set: { title: 'Tidier' } })).thread.title, 'Tidier')
  })

  it('[MOD-17] [MOD-4] a banned user cannot set a title, and a shadow-banned user’s title is seen by no other user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    await bo.watches(room)
    const bans = (shadow: boolean) =>
      appServer.does('POST', '/moderation/ban', {
        body: { target_user_id: 'ada', banned_by_id: 'bo', type: 'messaging', id: room.split(':')[1], shadow },
      })
    const title = { body: { set: { title: 'Buy!' } } }
    await bans(true)
    assert.equal((await ada.does('PATCH', `/threads/${lunch.id}`, title)).thread.title, 'Buy!')
    assert.equal((await bo.receivedTypes()).includes('thread.updated'), false)
    assert.equal((await thread(bo, lunch)).title, 'Lunch?')
    await bans(false)
    await ada.isRefused(17, 'PATCH', `/threads/${lunch.id}`, title)
  })

  it('[THR-21] [THR-22] [THR-23] [THR-24] [THR-25] [THR-26] [THR-27] the fields of a thread that the server manages cannot be set', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(ada, room, lunch, 'Pho')

    for (const field of ['created_at', 'id', 'type', 'user', 'reply_count', 'participants', 'channel']) {
      const refusal = await ada.isRefused(4, 'PATCH', `/threads/${lunch.id}`, { body: { set: { [field]: 'x' } } })
      assert.deepEqual(Object.keys(refusal.exception_fields), [field])
      await ada.isRefused(4, 'PATCH', `/threads/${lunch.id}`, { body: { unset: [`${field}.x`] } })
    }
    await ada.isRefused(4, 'PATCH', `/threads/${lunch.id}`, { body: { set: { title: 7 } } })
    assert.equal((await thread(ada, lunch)).reply_count, 1)
  })

  it('[THR-6] [THR-28] replies come in pages around a reply, and a reply cannot be replied to', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const lunch = await ada.sends(room, 'Lunch?')
    const sent: Message[] = []
    for (let i = 0; i < 5; i++) sent.push(await replies(ada, room, lunch, String(i)))
    const page = async (query: Record<string, string>) =>
      texts((await ada.does('GET', `/messages/${lunch.id}/replies`, { query })).messages)

    assert.deepEqual(await page({ limit: '2' }), ['3', '4'])
    assert.deepEqual(await page({ id_lt: sent[2]!.id }), ['0', '1'])
    assert.deepEqual(await page({ id_gt: sent[2]!.id }), ['3', '4'])
    assert.deepEqual(await page({ id_around: sent[2]!.id, limit: '3' }), ['1', '2', '3'])
    assert.deepEqual(await page({ sort: '[{"field":"created_at","direction":-1}]', limit: '2' }), ['4', '3'])
    await ada.isRefused(21, 'POST', `${path(room)}/message`, {
      body: { message: { text: 'deeper', parent_id: sent[0]!.id } },
    })
  })

  it('a reply that is deleted, silent or from a muted user is not unread in its thread', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'psst', { silent: true })
    const gone = await replies(bo, room, lunch, 'Pho')
    await replies(bo, room, lunch, 'Pizza')
    await ada.does('POST', '/moderation/mute', { body: { target_ids: ['cy'] } })
    await replies(cy, room, lunch, 'Salad')
    assert.equal(unreadIn(await thread(ada, lunch)).ada, 2)

    await bo.does('DELETE', `/messages/${gone.id}`)

    assert.equal(unreadIn(await thread(ada, lunch)).ada, 1)
  })

  it('[READ-5] [READ-6] unread threads are part of the counts of a user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    const last = await replies(ada, room, lunch, 'Fine')
    await replies(bo, room, lunch, 'See you')

    const { total_unread_threads_count, threads: listed, ...counts } = await ada.does('GET', '/unread')

    assert.equal(total_unread_threads_count, 1)
    assert.deepEqual(listed, [
      { parent_message_id: lunch.id, unread_count: 1, last_read: last.created_at, last_read_message_id: last.id },
    ])
    assert.equal(counts.total_unread_count, 0)
    const both = await appServer.does('POST', '/unread_batch', { body: { user_ids: ['ada', 'bo', 'nobody'] } })
    assert.deepEqual(
      Object.entries(both.counts_by_user).map(([id, of]) => [id, (of as typeof both).total_unread_threads_count]),
      [
        ['ada', 1],
        ['bo', 0],
      ],
    )
    await ada.connects()
    assert.equal(ada.me.unread_threads, 1)
  })
})

onEveryTransport((fixture) => {
  it('[THR-30] [THR-31] participants get a reply’s event on all devices, and others only where they watch', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const lunch = await ada.sends(room, 'Lunch?')
    const tablet = ada.device()
    await ada.watches(room)
    await tablet.connects()
    await cy.watches(room)

    const reply = await replies(bo, room, lunch, 'Pho')

    for (const device of [ada, tablet]) {
      const told = await device.receives('notification.thread_message_new')
      assert.deepEqual(
        [told.message, told.thread_id, told.parent_author.id, told.channel.cid],
        [reply, lunch.id, 'ada', room],
      )
      assert.deepEqual(
        told.thread_participants.map((user: { id: string }) => user.id),
        ['ada', 'bo'],
      )
      assert.deepEqual(totals(told as never), [1, 1])
    }
    const seen = await cy.receives('message.new')
    assert.deepEqual(
      [seen.message.parent_id, seen.message.show_in_channel, seen.parent_author.id],
      [lunch.id, false, 'ada'],
    )
    const parent = await cy.receives('message.updated')
    assert.deepEqual([parent.message.id, parent.message.reply_count], [lunch.id, 1])
    assert.ok(!(await cy.receivedTypes()).includes('notification.thread_message_new'))
    assert.deepEqual(
      (await cy.opensChannel(room)).messages.map(({ id }) => id),
      [lunch.id],
    )
    await replies(cy, room, lunch, 'Pizza', { show_in_channel: true })
    assert.deepEqual(totals((await tablet.receives('notification.thread_message_new')) as never), [1, 2])
    assert.equal((await cy.opensChannel(room)).messages.length, 2)
  })

  it('a thread is marked read and unread separately from its channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    const pho = await replies(bo, room, lunch, 'Pho')
    await bo.sends(room, 'In the channel')
    const tablet = ada.device()
    await ada.connects()
    await tablet.connects()
    await bo.watches(room)
    assert.deepEqual([ada.me.unread_threads, ada.me.total_unread_count], [1, 1])

    await ada.reads(room)
    assert.deepEqual(totals((await tablet.receives('notification.mark_read')) as never), [1, 1])
    await bo.receives('message.read')
    const event = await ada.reads(room, { thread_id: lunch.id })

    const seen = await bo.receives('message.read')
    assert.deepEqual([seen.thread.parent_message_id, seen.last_read_message_id], [lunch.id, pho.id])
    assert.deepEqual(unreadIn(seen.thread), { ada: 0, bo: 0 })
    assert.equal(event.thread.parent_message_id, lunch.id)
    const told = await tablet.receives('notification.mark_read')
    assert.deepEqual([told.thread_id, ...totals(told as never), told.total_unread_count], [lunch.id, 0, 0, 0])

    await ada.does('POST', `${path(room)}/unread`, { body: { thread_id: lunch.id } })

    const back = await tablet.receives('notification.mark_unread')
    assert.deepEqual(
      [
        back.thread_id,
        back.first_unread_message_id,
        back.unread_messages,
        ...totals(back as never),
        back.total_unread_count,
      ],
      [lunch.id, pho.id, 1, 1, 1, 0],
    )
    assert.equal(await ada.unread(room), 0)
    assert.equal(unreadIn(await thread(ada, lunch)).ada, 1)
  })

  it('a thread that a user began with a hundred replies can be marked unread for them as well', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const notes = await ada.sends(room, 'Notes')
    for (let i = 0; i < 100; i++) await replies(ada, room, notes, `${i}`)
    const thanks = await replies(bo, room, notes, 'Thanks')
    await ada.reads(room, { thread_id: notes.id })
    await ada.connects()

    await ada.does('POST', `${path(room)}/unread`, { body: { thread_id: notes.id } })

    const { first_unread_message_id, unread_messages } = await ada.receives('notification.mark_unread')
    assert.deepEqual([first_unread_message_id, unread_messages], [thanks.id, 1])
  })

  it('[READ-16] the first unread reply of a thread marked unread is one of another user that the reader can see', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    const notes = await ada.sends(room, 'Notes')
    const message = { text: 'Psst', user_id: 'bo', parent_id: notes.id, restricted_visibility: ['cy'] }
    await appServer.does('POST', `${path(room)}/message`, { body: { message } })
    const gone = await replies(bo, room, notes, 'Gone')
    await bo.does('DELETE', `/messages/${gone.id}`)
    const hidden = await replies(bo, room, notes, 'Not for ada’s eyes')
    await ada.does('DELETE', `/messages/${hidden.id}`, { query: { delete_for_me: 'true' } })
    await ada.reads(room, { thread_id: notes.id })
    await ada.connects()
    const isMadeUnread = () => ada.does('POST', `${path(room)}/unread`, { body: { thread_id: notes.id } })

    await isMadeUnread()
    assert.equal((await ada.receivedTypes()).includes('notification.mark_unread'), false)
    const thanks = await replies(bo, room, notes, 'Thanks')
    await ada.received()
    await isMadeUnread()

    const { first_unread_message_id, unread_messages } = await ada.receives('notification.mark_unread')
    assert.deepEqual([first_unread_message_id, unread_messages], [thanks.id, 1])
  })

  it('unread replies do not count while the thread’s parent is hidden from all but its author', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const offer = await ada.sends(room, 'Buy!')
    await replies(bo, room, offer, 'What?')
    await bo.reads(room)
    await replies(ada, room, offer, 'This!')
    await bo.connects()
    assert.equal(bo.me.unread_threads, 1)
    const tablet = bo.device()
    await tablet.watches(room)
    await bo.does('POST', '/api/v2/moderation/flag', {
      body: { entity_type: 'message', entity_id: offer.id, entity_creator_id: 'ada', reason: 'spam' },
    })
    const { items } = await appServer.does('POST', '/api/v2/moderation/review_queue', { body: {} })

    await appServer.does('POST', '/api/v2/moderation/submit_action', {
      body: { item_id: items[0].id, action_type: 'shadow_block', user_id: 'cy' },
    })

    assert.deepEqual(totals((await bo.receives('message.deleted')) as never), [0, 0])
    await appServer.does('POST', '/api/v2/moderation/submit_action', {
      body: { item_id: items[0].id, action_type: 'unblock', user_id: 'cy' },
    })
    for (const device of [bo, tablet]) {
      const out = await device.receives(device === bo ? 'notification.message_new' : 'message.new')
      assert.deepEqual([out.message.id, ...totals(out as never)], [offer.id, 1, 1])
    }
    assert.equal((await bo.does('GET', '/unread')).total_unread_threads_count, 1)
  })

  it('a replier has read the thread, and the replier’s other devices get the read event', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    const tablet = ada.device()
    await tablet.connects()
    assert.equal(tablet.me.unread_threads, 1)

    const reply = await replies(ada, room, lunch, 'Fine')

    const told = await tablet.receives('notification.mark_read')
    assert.deepEqual([told.thread_id, told.last_read_message_id, ...totals(told as never)], [lunch.id, reply.id, 0, 0])
    await replies(bo, room, lunch, 'See you')
    await replies(ada, room, lunch, 'Bye')
    assert.deepEqual(unreadIn(await thread(ada, lunch)), { ada: 0, bo: 1 })
  })

  it('[USR-19] a thread of a channel that a block hides can be opened, but not watched', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')
    await bo.does('POST', '/users/block', { body: { blocked_user_id: 'ada' } })
    await bo.connects()

    assert.equal((await thread(bo, lunch, { watch: 'true' })).reply_count, 1)
    const unheard = await ada.sends(room, 'Hello?')

    assert.deepEqual(
      (await bo.received()).filter(({ message_id }) => message_id === unheard.id),
      [],
    )
  })

  it('nothing is marked for a user who is no participant, and nothing in another channel', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const other = await appServer.opens([ada, bo, cy])
    const lunch = await ada.sends(room, 'Lunch?')
    await replies(bo, room, lunch, 'Pho')

    assert.equal(await cy.reads(room, { thread_id: lunch.id }), null)
    await cy.does('POST', `${path(room)}/unread`, { body: { thread_id: lunch.id } })
    await ada.isRefused(16, 'POST', `${path(other)}/read`, { body: { thread_id: lunch.id } })
    await ada.isRefused(16, 'POST', `${path(room)}/read`, { body: { thread_id: 'nobody' } })
    assert.equal(unreadIn(await thread(ada, lunch)).ada, 1)
  })
})
