import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { ThreadData } from '../shapes.ts'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMember, aMessage, anEvent, aThread, bo, cy, me, posted, replies } from '../testing/wire.ts'

const LIST = '/threads'
const ONE = '/threads/p1'
const READ = '/channels/messaging/tea/read'
const REPLIES = '/messages/p1/replies'

async function adaAndThreads(threads: ThreadData[], next?: string) {
  const world = await aConnectedWorld({ own: me(ada, { unread_threads: 1 }) })
  world.server.answers('POST', LIST, () => ({ threads, next }))
  return { ...world, listed: () => world.client.threads.snapshot().threads.map(({ id }) => id) }
}

async function adaInThread(latest = replies('p1', 1, 3), fields: Partial<ThreadData> = {}) {
  const world = await aConnectedWorld()
  world.server.answers('GET', ONE, () => ({ thread: aThread('p1', latest, fields) }))
  world.server.answers('POST', READ, ({ body }: Call) => ({
    event: anEvent('message.read', { user: ada, thread: aThread(body.thread_id), created_at: '2026-01-05T09:30:00Z' }),
  }))
  const thread = await world.client.getThread('p1')
  const shown = () => thread.snapshot().replies.map(({ id }) => id)
  const says = (minute: number, fields: object = {}) =>
    world.server.socket.says(posted({ ...replies('p1', minute, minute)[0]!, ...fields }))
  return { ...world, thread, shown, says }
}

describe('a query of threads', () => {
  it('[THR-7] [THR-8] [THR-9] [THR-10] requests 25 threads, 10 participants, 10 replies, and watches them', async () => {
    const { client, server } = await adaAndThreads([])
    await client.queryThreads()
    const [call] = server.callsTo('POST', LIST)
    assert.deepEqual(call?.body, { limit: 25, participant_limit: 10, reply_limit: 10, watch: true })
    assert.equal(call?.query.connection_id, 'c1')
  })

  it('requests the given numbers', async () => {
    const { client, server } = await adaAndThreads([], 'n2')
    const options = {
      filter: { channel_cid: 'messaging:tea' },
      sort: { created_at: -1 },
      limit: 3,
      watch: false,
    } as const
    const { threads, next } = await client.queryThreads(options)
    assert.deepEqual([threads, next], [[], 'n2'])
    const [call] = server.callsTo('POST', LIST)
    assert.deepEqual(call?.body, {
      limit: 3,
      participant_limit: 10,
      reply_limit: 10,
      watch: false,
      filter: { channel_cid: 'messaging:tea' },
      sort: [{ field: 'created_at', direction: -1 }],
    })
  })

  it('[THR-14] [THR-15] one thread is requested with 100 participants and 3 replies', async () => {
    const { server } = await adaInThread()
    const { participant_limit, reply_limit, watch } = server.callsTo('GET', ONE)[0]?.query ?? {}
    assert.deepEqual([participant_limit, reply_limit, watch], ['100', '3', 'true'])
  })
})

it('a thread, and a list of them, is requested again when the connection that would watch is lost', async () => {
  const { client, server, clock } = await adaAndThreads([])
  await client.queryThreads()
  const held = [server.holds('GET', ONE), server.holds('POST', LIST)]
  const asking = Promise.all([client.getThread('p1'), client.queryThreads()])
  await settle()
  server.socket.breaks()
  clock.advance(250)
  await settle()
  server.socket.confirms(me(ada), 'c2')
  await settle()
  const now = aThread('p1', replies('p1', 1, 2))
  server.answers('GET', ONE, { thread: now })
  server.answers('POST', LIST, { threads: [now] })
  for (const { give } of held) await give({ thread: aThread('p1', replies('p1', 1, 1)), threads: [] })
  const [thread, { threads }] = await asking
  assert.deepEqual([thread.snapshot().replies.length, threads], [2, [thread]])
  const connections = [...server.callsTo('GET', ONE), ...server.callsTo('POST', LIST)].map(({ query }) => query)
  assert.equal(connections.filter(({ connection_id }) => connection_id === 'c2').length, 2)
})

describe('an update of a thread', () => {
  const isRefused = (field: string) => async () => {
    const { client, server } = await aConnectedWorld()
    const refusal = {
      code: 'CLIENT_THREAD_FIELD',
      message: `${field} is managed by the server and can't be set on a thread`,
    }
    await assert.rejects(client.partialUpdateThread('p1', { set: { [field]: 1 } }), refusal)
    await assert.rejects(client.partialUpdateThread('p1', { unset: [field] }), refusal)
    assert.deepEqual(server.calls, [])
  }
  it('[THR-21] that sets its creation time throws before any request', isRefused('created_at'))
  it('[THR-22] that sets its id throws before any request', isRefused('id'))
  it('[THR-23] that sets its type throws before any request', isRefused('type'))
  it('[THR-24] that sets its user throws before any request', isRefused('user'))
  it('[THR-25] that sets its reply count throws before any request', isRefused('reply_count'))
  it('[THR-26] that sets its participants throws before any request', isRefused('participants'))
  it('[THR-27] that sets its channel throws before any request', isRefused('channel'))

  it('needs the id of a message', async () => {
    const { client, server } = await aConnectedWorld()
    await assert.rejects(client.partialUpdateThread('', { set: { title: 'Places' } }), {
      code: 'CLIENT_MESSAGE_ID_MISSING',
      message: 'A message id is needed to update a thread',
    })
    assert.deepEqual(server.calls, [])
  })

  it('[THR-5] sets and unsets fields', async () => {
    const { client, server } = await aConnectedWorld()
    await client.partialUpdateThread('p1', { set: { title: 'Places' }, unset: ['mood'] })
    assert.deepEqual(server.callsTo('PATCH', ONE)[0]?.body, { set: { title: 'Places' }, unset: ['mood'] })
  })
})

describe('the replies of a thread', () => {
  it('[THR-16] are loaded in pages of 50', async () => {
    const { server, thread, shown } = await adaInThread(replies('p1', 57, 59))
    server.answers('GET', REPLIES, ({ query }: Call) => ({
      messages: query.id_lt === 'r57' ? replies('p1', 7, 56) : replies('p1', 1, 6),
    }))
    await thread.loadOlder()
    assert.deepEqual(
      server.callsTo('GET', REPLIES).map(({ query }) => [query.limit, query.id_lt]),
      [['50', 'r57']],
    )
    assert.equal(shown().length, 53)
    assert.equal(thread.snapshot().hasOlder, true)
    await thread.loadOlder()
    assert.deepEqual([shown().length, shown()[0], thread.snapshot().hasOlder], [59, 'r1', false])
    await thread.loadOlder()
    assert.equal(server.callsTo('GET', REPLIES).length, 2)
  })

  it('around one of them are separate until the pages between are loaded', async () => {
    const { server, thread, shown, says } = await adaInThread(replies('p1', 21, 23))
    server.answers('GET', REPLIES, ({ query }: Call) => ({
      messages: query.id_around ? replies('p1', 3, 6) : replies('p1', 7, 23),
    }))
    await thread.channel.getReplies('p1', { id_around: 'r5', limit: 4 })
    assert.deepEqual(shown(), ['r3', 'r4', 'r5', 'r6'])
    says(24)
    assert.deepEqual(shown(), ['r3', 'r4', 'r5', 'r6'])
    await thread.loadNewer()
    assert.deepEqual([shown().length, shown().at(-1), thread.snapshot().hasNewer], [22, 'r24', false])
  })

  it('keep an unsent reply through a reload', async () => {
    const { server, thread, shown } = await adaInThread()
    server.answers('POST', '/channels/messaging/tea/message', new Refusal(60, 403, 'slow mode'))
    const failed = await thread.channel.send({ text: 'and I', parent_id: 'p1' })
    await thread.reload()
    assert.deepEqual(shown(), ['r1', 'r2', 'r3', failed.id])
  })

  it('that were missed without events are loaded up to the newest', async () => {
    const { server, thread, shown } = await adaInThread(replies('p1', 1, 3))
    server.answers('GET', ONE, () => ({ thread: aThread('p1', replies('p1', 8, 10)) }))
    server.answers('GET', REPLIES, ({ query }: Call) => ({
      messages: query.id_lt ? replies('p1', 1, 2) : replies('p1', 4, 10),
    }))
    await thread.loadOlder()
    await thread.reload()
    assert.equal(shown().at(-1), 'r10')
  })

  it('hide no gap behind a reply that arrived while the answer was on its way', async () => {
    const { server, thread, shown, says } = await adaInThread()
    const held = server.holds('GET', ONE)
    const reloading = thread.reload()
    await settle()
    says(12)
    await held.give({ thread: aThread('p1', replies('p1', 10, 12)) })
    await reloading
    assert.deepEqual([shown(), thread.snapshot().hasOlder], [['r10', 'r11', 'r12'], true])
  })

  it('show a reply that arrived while the answer was on its way', async () => {
    const { server, thread, shown, says } = await adaInThread()
    const held = server.holds('GET', ONE)
    const reloading = thread.reload()
    await settle()
    says(4)
    await held.give({ thread: aThread('p1', replies('p1', 1, 3)) })
    await reloading
    assert.deepEqual(shown(), ['r1', 'r2', 'r3', 'r4'])
  })
})

describe('events that arrive while replies are loaded', () => {
  const old = replies('p1', 1, 4)
  const edited = anEvent('message.updated', { message: { ...old[1], text: 'Edited' } })
  const liked = anEvent('reaction.new', {
    message: { ...old[2], reaction_groups: { like: { count: 1, sum_scores: 1 } } },
    reaction: { message_id: 'r3', user_id: 'bo', type: 'like' },
  })
  const gone = anEvent('message.deleted', { message: old[3], hard_delete: true })

  it.each(['asked for by their thread', 'asked for by themselves'])('are kept in those %s', async (how) => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', '/channels/messaging/tea/query', aChannel())
    const tea = client.channel('messaging', 'tea')
    await tea.watch()
    const isThread = how === 'asked for by their thread'
    const held = server.holds('GET', isThread ? ONE : REPLIES)
    const asking = isThread ? client.getThread('p1') : tea.getReplies('p1')
    await settle()
    for (const event of [edited, liked, gone]) server.socket.says(event)
    server.socket.says(posted(replies('p1', 5, 5)[0]!))
    await held.give(isThread ? { thread: aThread('p1', old) } : { messages: old })
    await asking
    const shown = tea.state.replies.p1?.map(({ text, reaction_groups }) => [text, reaction_groups?.like?.count])
    assert.deepEqual(shown, [
      ['m1', undefined],
      ['Edited', undefined],
      ['m3', 1],
      ['m5', undefined],
    ])
  })

  it('are kept in an older page, too', async () => {
    const { server, thread, shown } = await adaInThread(replies('p1', 5, 7))
    const held = server.holds('GET', REPLIES)
    const loading = thread.loadOlder()
    await settle()
    for (const event of [edited, gone]) server.socket.says(event)
    await held.give({ messages: old })
    await loading
    assert.deepEqual(shown(), ['r1', 'r2', 'r3', 'r5', 'r6', 'r7'])
    assert.equal(thread.snapshot().replies[1]?.text, 'Edited')
  })
})

describe('the unread count of a thread', () => {
  it('grows with replies of others that count, and not with the user’s own', async () => {
    const { thread, says } = await adaInThread(replies('p1', 1, 1))
    assert.equal(thread.unreadCount, 1)
    says(2)
    assert.equal(thread.unreadCount, 2)
    says(3, { silent: true })
    says(4, { shadowed: true })
    assert.equal(thread.unreadCount, 2)
    says(5, { user: ada })
    assert.equal(thread.unreadCount, 0)
  })

  it('includes replies that arrived while the answer was on its way, once, and not those the answer knows to be read', async () => {
    const { server, thread, says } = await adaInThread(replies('p1', 1, 1))
    const reloads = async (meanwhile: () => void, answer: ThreadData) => {
      const held = server.holds('GET', ONE)
      const reloading = thread.reload()
      await settle()
      meanwhile()
      await held.give({ thread: answer })
      await reloading
      return thread.unreadCount
    }
    const now = { ...aThread('p1', replies('p1', 1, 1)), ...{ last_message_at: replies('p1', 1, 1)[0]!.created_at } }
    assert.equal(await reloads(() => says(2), now), 2)
    const { read } = aThread('p1', replies('p1', 1, 3))
    const known = aThread('p1', replies('p1', 1, 3), {
      last_message_at: replies('p1', 3, 3)[0]!.created_at,
      read: read.map((entry) => ({ ...entry, unread_messages: 1 })),
    })
    assert.equal(await reloads(() => says(3), known), 1)
  })

  it('is 0 once it was marked read, though an older answer arrives afterwards', async () => {
    const { server, thread } = await adaInThread()
    const held = server.holds('GET', ONE)
    thread.grewStale()
    thread.show()
    await settle()
    assert.equal(thread.unreadCount, 0)
    await held.give({ thread: aThread('p1', replies('p1', 1, 3)) })
    assert.deepEqual([thread.unreadCount, thread.snapshot().stale], [0, false])
  })

  it('is 0 while the thread is shown, which is marked read on the server', async () => {
    const { server, thread, says, clock } = await adaInThread(replies('p1', 1, 1))
    thread.show()
    await settle()
    assert.deepEqual(server.callsTo('POST', READ)[0]?.body, { thread_id: 'p1' })
    clock.advance(1_000)
    says(2)
    await settle()
    assert.equal(thread.unreadCount, 0)
    assert.equal(server.callsTo('POST', READ).length, 2)
    thread.hide()
    says(40)
    assert.equal(thread.unreadCount, 1)
  })

  it('is 0 once a shown thread is reloaded', async () => {
    const { server, thread, clock } = await adaInThread([])
    thread.show()
    await settle()
    server.answers('GET', ONE, () => ({ thread: aThread('p1', replies('p1', 1, 3)) }))
    clock.advance(1_000)
    await thread.reload()
    await settle()
    assert.deepEqual([thread.unreadCount, server.callsTo('POST', READ).length], [0, 1])
  })

  it('[THR-19] is marked read at most once per second', async () => {
    const { server, thread, clock } = await adaInThread()
    const marks = [1, 2, 3, 4].map(() => thread.markRead({ force: true }))
    await settle()
    assert.equal(server.callsTo('POST', READ).length, 1)
    clock.advance(999)
    await settle()
    assert.equal(server.callsTo('POST', READ).length, 1)
    clock.advance(1)
    await Promise.all(marks)
    assert.equal(server.callsTo('POST', READ).length, 2)
    const next = thread.markRead({ force: true })
    clock.advance(999)
    await settle()
    assert.equal(server.callsTo('POST', READ).length, 2, 'nor is the one that waited followed sooner')
    clock.advance(1)
    await next
    assert.equal(server.callsTo('POST', READ).length, 3)
  })

  it('is marked read within a second, though the clock was set back by an hour', async () => {
    const { thread, server, clock } = await adaInThread()
    await thread.markRead({ force: true })
    clock.isSet(-3_600_000)
    const marking = thread.markRead({ force: true })
    clock.advance(1_000)
    await marking
    assert.equal(server.callsTo('POST', READ).length, 2)
  })

  it('is not sent as read without unread replies, unless it is forced', async () => {
    const { server, thread } = await adaInThread([])
    await thread.markRead()
    assert.equal(server.callsTo('POST', READ).length, 0)
    await thread.markRead({ force: true })
    assert.equal(server.callsTo('POST', READ).length, 1)
  })
})

describe('a thread', () => {
  it('keeps only the newest replies while it is not shown', async () => {
    const { server, thread, shown } = await adaInThread()
    const post = (from: number, to: number) => {
      for (const reply of replies('p1', from, to)) server.socket.says(posted(reply))
    }
    post(4, 250)
    assert.deepEqual([shown()[0], shown().length], ['r51', 200])
    assert.equal(thread.snapshot().hasOlder, true)
    const close = thread.subscribe(() => {})
    post(251, 260)
    assert.equal(shown().length, 210)
    close()
  })

  it('keeps unchanged objects, and notifies only listeners of what changed', async () => {
    const { server, thread, says } = await adaInThread()
    const before = thread.snapshot()
    let changes = 0
    const end = thread.subscribe(() => changes++)
    server.socket.says(posted(aMessage('other', { minute: 30 })))
    assert.equal(thread.snapshot(), before)
    assert.equal(changes, 0)
    says(4)
    assert.notEqual(thread.snapshot(), before)
    assert.equal(thread.snapshot().thread_participants.length, before.thread_participants.length)
    const after = changes
    end()
    says(5)
    assert.equal(changes, after)
  })

  it('becomes stale once, however often the event comes', async () => {
    const { server, thread } = await adaInThread()
    const stops = () => server.socket.says(anEvent('user.watching.stop', { user: ada }))
    stops()
    const before = thread.snapshot()
    let changes = 0
    thread.subscribe(() => changes++)
    stops()
    assert.deepEqual([thread.snapshot() === before, changes], [true, 0])
  })

  it('adds a user who replies for the first time to its participants', async () => {
    const { thread, says } = await adaInThread()
    says(4, { user: cy })
    const { thread_participants, participant_count, read } = thread.snapshot()
    assert.deepEqual(
      thread_participants.map(({ user_id }) => user_id),
      ['cy', 'bo', 'ada'],
    )
    assert.equal(participant_count, 3)
    assert.equal(read.cy?.last_read_message_id, 'r4')
  })

  it('[READ-28] has no position of a user who hides how far they read, though they reply', async () => {
    const { thread, says } = await adaInThread(undefined, {
      read: [{ user: ada, last_read: '2026-01-05T09:00:00Z', unread_messages: 0 }],
    })
    const taking = () => thread.snapshot().thread_participants.find(({ user_id }) => user_id === 'bo')
    const since = taking()?.last_read_at
    says(4)
    assert.deepEqual(Object.keys(thread.snapshot().read), ['ada'])
    assert.deepEqual([taking()?.last_read_at, taking()?.last_thread_message_at], [since, '2026-01-05T08:04:00.000001Z'])
    says(5, { user: ada })
    assert.equal(thread.snapshot().read.ada?.last_read_message_id, 'r5')
  })

  it('[READ-28] has none of a user who hides it in the channel, and replies for the first time', async () => {
    const { client, server, thread, says } = await adaInThread()
    const asAll = aChannel({}, { members: [ada, bo, cy].map((user) => aMember(user)) })
    server.answers('POST', '/channels/messaging/tea/query', asAll)
    await client.channel('messaging', 'tea').watch()
    says(4, { user: cy })
    says(5, { user: bo })
    assert.deepEqual(Object.keys(thread.snapshot().read).sort(), ['ada', 'bo'])
    assert.equal(thread.snapshot().thread_participants[0]?.user_id, 'cy')
  })

  it('shows who left its channel, and who returned', async () => {
    const { server, thread, says } = await adaInThread()
    const who = () => thread.snapshot().thread_participants.flatMap((one) => (one.left_thread_at ? [one.user_id] : []))
    const standing = () => [who(), thread.snapshot().active_participant_count]
    const left = anEvent('member.removed', { member: aMember(bo), user: bo })
    server.socket.says(left)
    server.socket.says(left)
    assert.deepEqual(standing(), [['bo'], 1])
    assert.equal(thread.snapshot().thread_participants[0]?.left_thread_at, '2026-01-05T08:59:00.000001Z')
    assert.equal(thread.snapshot().read.bo, undefined)
    const back = anEvent('member.added', { member: aMember(bo), user: bo })
    server.socket.says(back)
    server.socket.says(back)
    assert.deepEqual(standing(), [[], 2])
    server.socket.says(left)
    says(4, { user: bo })
    assert.deepEqual(standing(), [[], 2])
    server.socket.says(anEvent('member.added', { member: aMember(cy), user: cy }))
    assert.deepEqual(standing(), [[], 2])
  })

  it('is stale when the server no longer watches its channel, and is reloaded when it is shown', async () => {
    const { server, thread, clock } = await adaInThread()
    server.socket.says(anEvent('user.watching.stop', { user: bo }))
    assert.equal(thread.snapshot().stale, false)
    server.socket.says(anEvent('user.watching.stop', { user: ada }))
    assert.equal(thread.snapshot().stale, true)
    assert.equal(server.callsTo('GET', ONE).length, 1)
    thread.show()
    await settle()
    assert.equal(server.callsTo('GET', ONE).length, 2)
    assert.equal(thread.snapshot().stale, false)
    server.socket.says(anEvent('user.watching.stop', { user: ada }))
    await settle()
    assert.equal(server.callsTo('GET', ONE).length, 2)
    clock.advance(1_000)
    await settle()
    assert.equal(server.callsTo('GET', ONE).length, 3)
  })
})

describe('a thread whose channel is no longer watched', () => {
  it('is stale, keeps its channel, and is current again after a reload', async () => {
    const { client, server, thread, says, shown } = await adaInThread()
    await thread.channel.stopWatching()
    assert.equal(thread.snapshot().stale, true)
    assert.equal(client.channel('messaging', 'tea'), thread.channel)
    server.answers('GET', ONE, () => ({ thread: aThread('p1', replies('p1', 2, 4)) }))
    await thread.reload()
    assert.deepEqual([thread.snapshot().stale, shown().at(-1)], [false, 'r4'])
    says(5)
    assert.equal(shown().at(-1), 'r5')
  })
})

describe('the list of threads', () => {
  it('[THR-17] is loaded in pages of 25, without duplicates', async () => {
    const first = Array.from({ length: 25 }, (_, i) => aThread(`p${i}`))
    const { client, server, listed } = await adaAndThreads(first, 'n2')
    await Promise.all([client.threads.load(), client.threads.load()])
    await client.threads.load()
    assert.equal(server.callsTo('POST', LIST).length, 1)
    assert.equal(client.threads.snapshot().next, 'n2')
    server.answers('POST', LIST, { threads: [aThread('p24'), aThread('p25')] })
    await client.threads.loadMore()
    assert.deepEqual(server.callsTo('POST', LIST).at(-1)?.body, {
      limit: 25,
      participant_limit: 10,
      reply_limit: 10,
      watch: true,
      next: 'n2',
    })
    assert.equal(listed().length, 26)
    await client.threads.loadMore()
    assert.equal(server.callsTo('POST', LIST).length, 2)
  })

  it('[THR-18] a reload requests as many as are listed or new, 25 at most, and keeps the objects', async () => {
    const { client, server, listed } = await adaAndThreads([aThread('p1'), aThread('p2')])
    await client.threads.load()
    const [p1, p2] = client.threads.snapshot().threads
    const told = anEvent('notification.thread_message_new', { thread_id: 'p3', unread_threads: 2 })
    server.socket.says(told)
    server.socket.says(told)
    assert.deepEqual(client.threads.snapshot().newThreadIds, ['p3'])
    assert.equal(client.threads.snapshot().unreadThreads, 2)
    server.answers('POST', LIST, { threads: [aThread('p3'), aThread('p2'), aThread('p1')] })
    await client.threads.reload()
    assert.equal(server.callsTo('POST', LIST).at(-1)?.body.limit, 3)
    assert.deepEqual(listed(), ['p3', 'p2', 'p1'])
    assert.deepEqual(client.threads.snapshot().threads.slice(1), [p2, p1])
    assert.deepEqual(client.threads.snapshot().newThreadIds, [])
    server.answers('POST', LIST, { threads: Array.from({ length: 25 }, (_, i) => aThread(`q${i}`)) })
    await client.threads.reload()
    for (let i = 0; i < 5; i++) server.socket.says(anEvent('notification.thread_message_new', { thread_id: `new${i}` }))
    await client.threads.reload()
    assert.equal(server.callsTo('POST', LIST).at(-1)?.body.limit, 25)
  })

  it('continues after a reload where that ends, though more was requested during it', async () => {
    const { client, server } = await adaAndThreads([aThread('p1')], 'n2')
    await client.threads.load()
    server.answers('POST', LIST, { threads: [aThread('p2')], next: 'n3' })
    await client.threads.loadMore()
    const held = server.holds('POST', LIST)
    const reloading = client.threads.reload()
    const loading = client.threads.loadMore()
    await settle()
    const whole = server.callsTo('POST', LIST).length
    await held.give({ threads: [aThread('p3')], next: 'n1' })
    await Promise.all([reloading, loading])
    assert.deepEqual(
      server
        .callsTo('POST', LIST)
        .slice(whole)
        .map(({ body }) => body.next),
      ['n1'],
    )
  })

  it('keeps a new thread that arrived during a reload without it', async () => {
    const { client, server } = await adaAndThreads([aThread('p1')])
    await client.threads.load()
    const tell = (thread_id: string) => server.socket.says(anEvent('notification.thread_message_new', { thread_id }))
    tell('p2')
    const held = server.holds('POST', LIST)
    const reloading = client.threads.reload()
    await settle()
    tell('p3')
    tell('p4')
    await held.give({ threads: [aThread('p3'), aThread('p2'), aThread('p1')] })
    await reloading
    assert.deepEqual(client.threads.snapshot().newThreadIds, ['p4'])
  })

  it('reports an outdated order once, however many replies arrive', async () => {
    const { client, server } = await adaAndThreads([aThread('p1')])
    await client.threads.load()
    const replied = () =>
      server.socket.says(anEvent('notification.thread_message_new', { thread_id: 'p1', unread_threads: 1 }))
    replied()
    const before = client.threads.snapshot()
    let changes = 0
    client.threads.subscribe(() => changes++)
    replied()
    assert.deepEqual([client.threads.snapshot() === before, changes], [true, 0])
  })

  it('keeps its order when a listed thread gets a reply, and marks it as outdated', async () => {
    const { client, server, listed } = await adaAndThreads([aThread('p1'), aThread('p2')])
    await client.threads.load()
    server.socket.says(anEvent('notification.thread_message_new', { thread_id: 'p2' }))
    assert.deepEqual([listed(), client.threads.snapshot().orderStale], [['p1', 'p2'], true])
  })

  it('[THR-20] is reloaded after a reconnect, at most once per second', async () => {
    const { client, server, clock } = await adaAndThreads([aThread('p1')])
    await client.threads.load()
    const drops = async () => {
      server.socket.breaks()
      clock.advance(500)
      await settle()
      server.socket.confirms(me(ada), 'c2')
      await settle()
    }
    await drops()
    assert.equal(server.callsTo('POST', LIST).length, 2)
    await drops()
    clock.advance(499)
    await settle()
    assert.equal(server.callsTo('POST', LIST).length, 2)
    clock.advance(1)
    await settle()
    assert.equal(server.callsTo('POST', LIST).length, 3)
  })

  it('is not loaded after a reconnect if it was never loaded', async () => {
    const { server, clock } = await adaAndThreads([aThread('p1')])
    server.socket.breaks()
    clock.advance(500)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    await settle()
    assert.equal(server.callsTo('POST', LIST).length, 0)
  })

  it('removes a thread with its channel, with its parent, and with the history', async () => {
    const elsewhere = aThread('p2', [], {
      channel: { ...aThread('p2').channel, id: 'coffee', cid: 'messaging:coffee' },
      channel_cid: 'messaging:coffee',
    })
    const { client, server, listed } = await adaAndThreads([aThread('p1'), elsewhere, aThread('p3')])
    await client.threads.load()
    server.socket.says(anEvent('channel.deleted', { cid: 'messaging:coffee', channel: elsewhere.channel }))
    assert.deepEqual(listed(), ['p1', 'p3'])
    server.socket.says(anEvent('message.deleted', { message: aMessage('p1', { user: ada }), hard_delete: true }))
    assert.deepEqual(listed(), ['p3'])
    server.socket.says(anEvent('channel.truncated', { channel: aThread('p3').channel }))
    assert.deepEqual(listed(), [])
  })

  it('counts unread threads from the start, and is emptied at the sign-out', async () => {
    const { client } = await adaAndThreads([aThread('p1')])
    assert.equal(client.threads.snapshot().unreadThreads, 1)
    await client.threads.load()
    await client.disconnectUser()
    const { threads, loaded, unreadThreads } = client.threads.snapshot()
    assert.deepEqual([threads, loaded, unreadThreads], [[], false, 0])
  })

  it('rejects a failed load, shows its error, and can be loaded again', async () => {
    const { client, server, listed } = await adaAndThreads([aThread('p1')])
    server.answers('POST', LIST, new Refusal(-1, 500, 'down'))
    await assert.rejects(client.threads.load(), { code: -1 })
    assert.deepEqual([client.threads.snapshot().loading, client.threads.snapshot().loaded], [false, false])
    server.answers('POST', LIST, { threads: [aThread('p1')] })
    await client.threads.load()
    assert.deepEqual(listed(), ['p1'])
  })
})
