import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { ChatClient } from '../chat-client.ts'
import { ChatClient as ServerClient } from '../server.ts'
import type { ChannelStateAnswer, Message } from '../shapes.ts'
import { aConnectedWorld, type Call, FakeServer, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMember, aMessage, anEvent, bo, cy, me, messages, posted } from '../testing/wire.ts'
import { type Channel, Channel as ChannelClass } from './channel.ts'

const QUERY = '/channels/messaging/tea/query'

async function adaInTea(answer: Partial<ChannelStateAnswer> = {}, fields: Record<string, unknown> = {}) {
  const world = await aConnectedWorld()
  world.server.answers('POST', QUERY, () => aChannel(fields, answer))
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  return { ...world, tea }
}

/** A history of this many messages, one per minute, paged like the server does [MSG-12]. */
async function adaInHistory(count: number) {
  const world = await aConnectedWorld()
  const all = messages(1, count)
  const at = (id: string) => all.findIndex((message) => message.id === id)
  world.server.answers('POST', QUERY, ({ body }: Call) => {
    const { limit = 25, id_lt, id_gt, id_around } = body.messages ?? {}
    let from = all.length - limit
    if (id_lt) from = at(id_lt) - limit
    if (id_gt) from = at(id_gt) + 1
    if (id_around) from = Math.max(0, Math.min(at(id_around) - Math.floor(limit / 2), all.length - limit))
    const to = id_lt ? at(id_lt) : from + limit
    return aChannel({}, { messages: all.slice(Math.max(0, from), to) })
  })
  const tea = world.client.channel('messaging', 'tea')
  await tea.watch()
  const bound = () => [tea.state.messages[0]?.id, tea.state.messages.at(-1)?.id]
  return { ...world, tea, all, bound }
}

describe('a channel that is deleted, or whose user signed out', () => {
  const ways = ['notification.removed_from_channel', 'channel.deleted', 'notification.channel_deleted'] as const
  const REPLIES = '/messages/m12/replies'
  const page = { messages: messages(1, 20), members: [aMember(ada), aMember(cy)], watchers: [cy], watcher_count: 1 }
  const replies = { messages: [aMessage('reply', { parent_id: 'm12', minute: 30 })] }
  const late: Record<string, [(tea: Channel) => Promise<unknown>, path: string, answer: object]> = {
    'what is asked anew': [(tea) => tea.query(), QUERY, aChannel({ name: 'Late' }, page)],
    'who watches again': [(tea) => tea.watch({ presence: true }), QUERY, aChannel({ name: 'Late' }, page)],
    'an older page': [(tea) => tea.loadOlder(), QUERY, aChannel({}, page)],
    'a jump': [(tea) => tea.jumpTo('m3'), QUERY, aChannel({}, page)],
    replies: [(tea) => tea.getReplies('m12'), REPLIES, replies],
    'a jump in a thread': [(tea) => tea.jumpTo('reply', { parentId: 'm12' }), REPLIES, replies],
  }
  for (const [what, [asks, path, answer]] of Object.entries(late))
    it(`is not filled again by a late answer to ${what}`, async () => {
      for (const type of ways) {
        const { client, server, tea } = await adaInHistory(40)
        const held = server.holds(path === REPLIES ? 'GET' : 'POST', path)
        const asking = assert.rejects(asks(tea), { code: 'CLIENT_CHANNEL_DISCONNECTED' })
        await settle()
        const event = { type, cid: 'messaging:tea', channel: aChannel().channel, member: aMember(ada), user: ada }
        server.socket.says(event)
        const before = tea.state
        await held.give(answer)
        await asking
        assert.deepEqual(tea.state, before)
        assert.deepEqual([tea.initialized, tea.disconnected], [false, true])
        // The client no longer finds it by its name.
        assert.notEqual(client.channel('messaging', 'tea'), tea)
      }
    })
})

describe('watching', () => {
  it('[CHN-12] requests the channel with its state, and watches it', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 3) })
    const [call] = server.callsTo('POST', QUERY)
    assert.deepEqual(call?.body, { state: true, watch: true, presence: false, data: {} })
    assert.equal(call?.query.connection_id, 'c1')
    assert.equal(tea.initialized, true)
    assert.equal(tea.state.messages.length, 3)
    assert.equal(tea.lastMessage()?.id, 'm3')
  })

  it('shares the request among concurrent callers', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', QUERY, () => aChannel())
    const tea = client.channel('messaging', 'tea')
    await Promise.all([tea.watch(), tea.watch()])
    assert.equal(server.callsTo('POST', QUERY).length, 1)
  })

  it('does not share a request with other options', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', QUERY, () => aChannel())
    const tea = client.channel('messaging', 'tea')
    const options = { presence: true, members: { limit: 5 } }
    await Promise.all([tea.watch(), tea.watch(options), tea.watch(options)])
    const asked = server.callsTo('POST', QUERY).map(({ body: { presence, members } }) => [presence, members?.limit])
    assert.deepEqual(asked, [
      [false, undefined],
      [true, 5],
    ])
  })

  it('of one caller does not end because another aborts its request', async () => {
    const { client, server } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea')
    const held = server.holds('POST', QUERY)
    const giveUp = new AbortController()
    const first = assert.rejects(tea.watch({}, { signal: giveUp.signal }), { code: 'ERR_CANCELED' })
    const second = tea.watch()
    await settle()
    giveUp.abort()
    await first
    await held.give(aChannel())
    await second
    assert.equal(tea.initialized, true)
  })

  it('and stopWatching run one after the other, and the last call wins', async () => {
    const { client, server } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea')
    const first = server.holds('POST', QUERY)
    const watching = tea.watch()
    const stopping = tea.stopWatching()
    const again = tea.watch()
    await settle()
    const said = () => server.calls.map(({ path }) => path.split('/').at(-1))
    assert.deepEqual(said(), ['query'])
    server.answers('POST', QUERY, aChannel())
    const stop = server.holds('POST', '/channels/messaging/tea/stop-watching')
    await first.give(aChannel())
    await watching
    await settle()
    assert.deepEqual(said(), ['query', 'stop-watching'])
    await stop.give({})
    await Promise.all([stopping, again])
    assert.deepEqual(said(), ['query', 'stop-watching', 'query'])
    assert.equal(tea.initialized, true)
    assert.equal(client.channel('messaging', 'tea'), tea)
  })

  it('is requested again on a new connection before a pending stopWatching', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea')
    const first = server.holds('POST', QUERY)
    const watching = tea.watch()
    const stopping = tea.stopWatching()
    await settle()
    server.socket.breaks()
    clock.advance(250)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    server.answers('POST', QUERY, aChannel())
    await first.give(aChannel())
    await Promise.all([watching, stopping])
    const said = server.calls.map(({ path }) => path.split('/').at(-1))
    assert.deepEqual([said, tea.initialized], [['query', 'query', 'stop-watching'], false])
  })

  it('ends as requested, though the watch call could have been aborted', async () => {
    const { client, server } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea')
    const held = server.holds('POST', QUERY)
    const watching = tea.watch({}, { signal: new AbortController().signal })
    const stopping = tea.stopWatching()
    await settle()
    await held.give(aChannel())
    await Promise.all([watching, stopping])
    assert.equal(tea.initialized, false)
  })

  it('create requests no state and watches nothing', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', QUERY, () => aChannel())
    const tea = client.channel('messaging', 'tea', { name: 'Tea', members: ['ada', 'bo'] })
    await tea.create()
    const [call] = server.callsTo('POST', QUERY)
    const data = { name: 'Tea', members: ['ada', 'bo'] }
    assert.deepEqual(call?.body, { state: false, watch: false, presence: false, data })
    assert.equal(tea.data.name, 'Tea')
    assert.deepEqual(tea.state.messages, [])
  })

  it.each<[string, (client: ChatClient) => Promise<unknown>]>([
    ['is created', (client) => client.channel('messaging', 'tea').create()],
    ['is listed without them', (client) => client.queryChannels({}, [], { message_limit: 0 })],
    ['is followed without its state', (client) => client.channel('messaging', 'tea').watch({ state: false })],
  ])('that %s leads to the messages it has', async (_, open) => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', '/channels', { channels: [aChannel()] })
    server.answers('POST', QUERY, ({ body }) =>
      aChannel({}, { messages: body.messages?.id_lt ? messages(1, 5) : body.messages ? messages(6, 30) : [] }),
    )
    await open(client)
    const tea = client.channel('messaging', 'tea')
    assert.deepEqual([tea.initialized, tea.state.messages], [true, []])
    await tea.loadOlder()
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length], ['m6', 25])
    await tea.loadOlder()
    await tea.loadOlder()
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length], ['m1', 30])
    assert.equal(server.callsTo('POST', QUERY).filter(({ body }) => body.messages).length, 2)
  })

  it('is not needed for a channel that was just created', async () => {
    const { client, server } = await aConnectedWorld()
    server.answers('POST', QUERY, () => aChannel())
    const tea = client.channel('messaging', 'tea')
    await tea.create()
    assert.equal(tea.initialized, true)
    assert.equal(tea.muteStatus().muted, false)
    await tea.sendEvent({ type: 'kettle-on' })
    assert.equal(server.callsTo('POST', '/channels/messaging/tea/event').length, 1)
  })

  it('from the middle of the history also fetches the channel’s state', async () => {
    const { client, server } = await aConnectedWorld()
    const page = {
      messages: messages(10, 34),
      read: [{ user: ada, last_read: '2026-01-05T08:00:00Z', unread_messages: 7 }],
    }
    server.answers('POST', QUERY, () => aChannel({ name: 'Green tea' }, page))
    const tea = client.channel('messaging', 'tea')
    await tea.watch({ messages: { id_around: 'm22' } })
    assert.equal(tea.initialized, true)
    assert.deepEqual(
      [tea.data.name, tea.countUnread(), Object.keys(tea.state.members)],
      ['Green tea', 7, ['ada', 'bo']],
    )
    assert.deepEqual([tea.state.messages.length, tea.state.sets.some(({ latest }) => latest)], [25, false])
  })

  it('adds a further page of members to the known ones', async () => {
    const { server, tea } = await adaInTea()
    server.answers('POST', QUERY, aChannel({}, { members: [aMember(cy)] }))
    await tea.query({ members: { limit: 30, offset: 2 } })
    assert.deepEqual(Object.keys(tea.state.members), ['ada', 'bo', 'cy'])
    await tea.query({ members: { limit: 1 } })
    assert.deepEqual(Object.keys(tea.state.members), ['cy'])
  })

  it('adds a further page of watchers to the known ones, and keeps the members', async () => {
    const { server, tea } = await adaInTea()
    server.answers('POST', QUERY, aChannel({}, { watchers: [ada, bo] }))
    await tea.query({ watchers: { limit: 2 } })
    server.answers('POST', QUERY, aChannel({}, { watchers: [cy], members: [aMember(ada)] }))
    await tea.query({ watchers: { limit: 2, offset: 2 } })
    assert.deepEqual(Object.keys(tea.state.watchers), ['ada', 'bo', 'cy'])
    assert.deepEqual(Object.keys(tea.state.members), ['ada', 'bo'])
  })

  it('[CHN-10] is required before calls that depend on it', async () => {
    const { client } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea')
    const refusal = {
      code: 'CLIENT_CHANNEL_NOT_INITIALIZED',
      message:
        "Channel messaging:tea hasn't been initialized yet. Make sure to call .watch() and wait for it to resolve.",
    }
    assert.throws(() => tea.muteStatus(), refusal)
    await assert.rejects(tea.sendEvent({ type: 'wave' }), refusal)
    await assert.rejects(tea.markRead(), refusal)
    await assert.rejects(tea.markUnread({ message_id: 'm1' }), refusal)
    assert.throws(() => tea.countUnread(), refusal)
    assert.throws(() => tea.countUnread(new Date(0)), refusal)
    assert.throws(() => tea.countUnreadMentions(), refusal)
    await assert.rejects(tea.letGo('older', 'm1'), refusal)
    await assert.rejects(tea.loadOlder(), refusal)
    await assert.rejects(tea.loadNewer(), refusal)
    await assert.rejects(tea.jumpTo('m1'), refusal)
    await assert.rejects(tea.jumpTo('latest'), refusal)
  })

  it('[CHN-10] no other method does nothing in silence before it', async () => {
    const methods = new Set<string>()
    for (let level = ChannelClass.prototype; level !== Object.prototype; level = Object.getPrototypeOf(level))
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level)))
        if (typeof value === 'function' && name !== 'constructor') methods.add(name)
    const silent: string[] = []
    for (const name of methods) {
      const { client, server } = await aConnectedWorld()
      const tea = client.channel('messaging', 'tea')
      server.calls.length = 0
      try {
        await (tea as unknown as Record<string, (...given: unknown[]) => unknown>)[name]!('m1')
        if (server.calls.length === 0) silent.push(name)
      } catch {}
    }
    const looks = ['composerIn', 'getClient', 'getConfig', 'lastMessage', 'lastRead', 'off', 'typistsIn']
    // A typing event that cannot be sent is no failure.
    assert.deepEqual(silent.sort(), [...looks, 'keystroke', 'stopTyping'].sort())
  })

  it('is not required again while the connection is lost: what is loaded stays usable', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 25) })
    await tea.stopWatching()
    assert.equal(tea.initialized, false)
    assert.equal(tea.countUnread(), 0)
    server.answers('POST', QUERY, aChannel({}, { messages: [] }))
    await tea.loadOlder()
    assert.equal(server.callsTo('POST', QUERY).at(-1)?.body.messages.id_lt, 'm1')
  })

  it('ignores an event that arrives before it, without an error', async () => {
    const { client, server } = await aConnectedWorld()
    const tea = client.channel('messaging', 'tea')
    server.socket.says(posted(aMessage('m1')))
    assert.deepEqual(
      tea.state.messages.map(({ id }) => id),
      ['m1'],
    )
    assert.equal(tea.countUnread(), 0)
  })

  it('keeps a message that arrived while the answer was on its way', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', QUERY)
    const tea = client.channel('messaging', 'tea')
    const watching = tea.watch()
    await settle()
    server.socket.says(posted(aMessage('m4', { minute: 4 })))
    await held.give(aChannel({}, { messages: messages(1, 3) }))
    await watching
    assert.deepEqual(
      tea.state.messages.map(({ id }) => id),
      ['m1', 'm2', 'm3', 'm4'],
    )
  })

  it.each([
    ['with a short page', { messages: { limit: 1 } }],
    ['from the middle of its history on', { messages: { id_around: 'm3' } }],
  ])(
    '[READ-14] counts once the messages that arrived while the answer was on its way, requested %s',
    async (_, asked) => {
      const { client, server } = await aConnectedWorld()
      const held = server.holds('POST', QUERY)
      const tea = client.channel('messaging', 'tea')
      const watching = tea.watch(asked)
      await settle()
      const [m7, m8, m9] = messages(7, 9) as [Message, Message, Message]
      for (const message of [m7, m8, m9]) server.socket.says(posted(message))
      // The answer knows the first two; its page has at most one of them.
      const page = 'limit' in asked.messages ? [m8] : messages(3, 4)
      const read = [{ user: ada, last_read: '2026-01-05T08:06:00Z', unread_messages: 2 }]
      await held.give(aChannel({ last_message_at: m8.created_at }, { messages: page, read }))
      await watching
      assert.deepEqual([tea.countUnread(), tea.state.read.ada?.unread_messages], [3, 3])
    },
  )

  it('from the middle of the history can page to all newest messages, though one arrived meanwhile', async () => {
    const { client, server } = await aConnectedWorld()
    const held = server.holds('POST', QUERY)
    const tea = client.channel('messaging', 'tea')
    const watching = tea.watch({ messages: { id_around: 'm50' } })
    await settle()
    server.socket.says(posted(aMessage('m100', { minute: 100 })))
    await held.give(aChannel({}, { messages: messages(38, 62) }))
    await watching
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(76, 100) }))
    await tea.jumpTo('latest')
    assert.deepEqual([tea.state.messages.length, tea.state.messages[0]?.id], [25, 'm76'])
  })

  it('[CHN-45] queries again, without messages, when an update freezes or unfreezes the channel', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 3) })
    server.answers('POST', QUERY, () => aChannel({ frozen: true, own_capabilities: ['read-events'] }))
    const before = tea.state.messages
    const changed: unknown[] = []
    tea.on('capabilities.changed', ({ own_capabilities }) => changed.push(own_capabilities))
    server.socket.says(anEvent('channel.updated', { channel: { ...tea.data, frozen: true } }))
    await settle()
    assert.equal(server.callsTo('POST', QUERY).at(-1)?.body.state, false)
    assert.equal(tea.state.messages, before)
    assert.deepEqual(tea.data.own_capabilities, ['read-events'])
    assert.deepEqual(changed, [['read-events']])
    server.socket.says(anEvent('channel.updated', { channel: { ...tea.data, name: 'Coffee' } }))
    await settle()
    assert.equal(server.callsTo('POST', QUERY).length, 2)
    server.answers('POST', QUERY, () => aChannel())
    server.socket.says(anEvent('channel.updated', { channel: { ...tea.data, frozen: false } }))
    await settle()
    assert.deepEqual(tea.data.own_capabilities, aChannel().channel.own_capabilities)
  })

  it('keeps the identity of everything unchanged', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 3) })
    const before = tea.snapshot()
    let changes = 0
    tea.subscribe(() => changes++)
    server.socket.says({ type: 'application.event', cid: 'messaging:tea' })
    assert.equal(tea.snapshot(), before)
    assert.equal(changes, 0)
    server.socket.says(anEvent('typing.start', { user: bo }))
    assert.equal(changes, 1)
    assert.equal(tea.snapshot().messages, before.messages)
    assert.equal(tea.snapshot().members, before.members)
  })

  it('is bounded while nothing shows its history', async () => {
    const { server, tea } = await adaInTea()
    const post = (from: number, to: number) => {
      for (const message of messages(from, to)) server.socket.says(posted(message))
    }
    post(1, 250)
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length], ['m51', 200])
    assert.equal(tea.state.sets[0]?.hasOlder, true)
    const close = tea.subscribe(() => {})
    post(251, 260)
    assert.equal(tea.state.messages.length, 210)
    close()
    post(261, 261)
    assert.deepEqual([tea.state.messages[0]?.id, tea.state.messages.length], ['m62', 200])
  })

  it('is bounded while only a list row or an event handler listens', async () => {
    const { server, tea } = await adaInTea()
    const heard: unknown[] = []
    tea.on('message.new', ({ message }) => heard.push(message.id))
    let changes = 0
    tea.preview.subscribe(() => changes++)
    tea.typists.subscribe(() => {})
    for (const message of messages(1, 250)) server.socket.says(posted(message))
    assert.deepEqual([heard.length, tea.state.messages.length], [250, 200])
    assert.ok(changes >= 250)
    assert.equal(tea.preview.snapshot(), tea.snapshot())
  })

  it('counts messages younger than a date, and mentions of the user', async () => {
    const { tea } = await adaInTea({
      messages: [...messages(1, 3), aMessage('m4', { minute: 4, mentioned_users: [ada] })],
    })
    assert.equal(tea.countUnread(new Date('2026-01-05T08:02:00.5Z')), 2)
    assert.equal(tea.countUnreadMentions(), 1)
    assert.equal(tea.lastRead()?.toISOString(), '2026-01-05T08:00:00.000Z')
  })
})

describe('paging', () => {
  it('[LIM-3] loads older pages of 25 until there are none', async () => {
    const { server, tea, bound } = await adaInHistory(59)
    assert.deepEqual(bound(), ['m35', 'm59'])
    await Promise.all([tea.loadOlder(), tea.loadOlder()])
    assert.deepEqual(server.callsTo('POST', QUERY).at(-1)?.body.messages, { limit: 25, id_lt: 'm35' })
    assert.equal(server.callsTo('POST', QUERY).length, 2, 'two askers share one page')
    assert.deepEqual(bound(), ['m10', 'm59'])
    await tea.loadOlder()
    await tea.loadOlder()
    assert.deepEqual(bound(), ['m1', 'm59'])
    assert.equal(server.callsTo('POST', QUERY).length, 3)
  })

  it('[LIM-3] jumps to a message with a page of 25 around it, and pages down to the live end', async () => {
    const { server, tea, bound } = await adaInHistory(59)
    await tea.jumpTo('m13')
    assert.deepEqual(server.callsTo('POST', QUERY).at(-1)?.body.messages, { limit: 25, id_around: 'm13' })
    assert.deepEqual(bound(), ['m1', 'm25'])
    server.socket.says(posted(aMessage('live', { created_at: '2026-01-05T09:00:00Z' })))
    assert.deepEqual(bound(), ['m1', 'm25'], 'a live message does not appear in the old window')
    await tea.loadNewer()
    assert.deepEqual(bound(), ['m1', 'live'])
    assert.equal(tea.state.sets.length, 1)
    await tea.loadNewer()
    assert.equal(server.callsTo('POST', QUERY).length, 3, 'there is nothing newer to ask for')
  })

  it('jumps within the loaded messages without a request, and back to the newest', async () => {
    const { server, tea, bound } = await adaInHistory(59)
    await tea.jumpTo('m40')
    assert.equal(server.callsTo('POST', QUERY).length, 1)
    await tea.jumpTo('m5')
    await tea.jumpTo('latest')
    assert.deepEqual(bound(), ['m35', 'm59'])
    await tea.jumpTo('m6')
    assert.deepEqual(bound(), ['m1', 'm25'])
    assert.equal(server.callsTo('POST', QUERY).length, 2)
  })

  it('jumping to the newest queries them when only live messages are loaded', async () => {
    const { server, tea, all, bound } = await adaInHistory(59)
    const cake = tea.getClient().channel('messaging', 'cake')
    server.answers('POST', '/channels/messaging/cake/query', ({ body }: Call) =>
      aChannel({ id: 'cake' }, { messages: body.messages?.id_around ? all.slice(0, 25) : all.slice(-25) }),
    )
    await cake.watch({ messages: { limit: 25, id_around: 'm13' } })
    await cake.jumpTo('latest')
    assert.equal(cake.state.messages.at(-1)?.id, 'm59')
    assert.deepEqual(bound(), ['m35', 'm59'])
  })

  it('joins pages that the application queries itself, if they are next to the shown ones', async () => {
    const { tea, bound } = await adaInHistory(99)
    await tea.query({ messages: { limit: 10, id_lt: 'm75' } })
    assert.deepEqual(bound(), ['m65', 'm99'])
    await tea.query({ messages: { limit: 10, id_lt: 'm20' } })
    assert.deepEqual(bound(), ['m65', 'm99'])
    await tea.jumpTo('m13')
    await tea.query({ messages: { limit: 10, id_gt: 'm25' } })
    assert.deepEqual(bound(), ['m1', 'm35'])
  })

  it('adds a page where it was requested, even after the reader has jumped elsewhere', async () => {
    const { server, tea, bound } = await adaInHistory(99)
    const held = server.holds('POST', QUERY)
    const paging = tea.loadOlder()
    await settle()
    server.answers('POST', QUERY, () => aChannel({}, { messages: messages(1, 25) }))
    await tea.jumpTo('m3')
    await held.give(aChannel({}, { messages: messages(50, 74) }))
    await paging
    assert.deepEqual(bound(), ['m1', 'm25'])
    await tea.jumpTo('latest')
    assert.deepEqual(bound(), ['m50', 'm99'])
  })

  it('keeps changes and deletions that arrived while a page was on its way', async () => {
    const { server, tea, bound } = await adaInHistory(99)
    const late = async (asking: () => Promise<unknown>, page: Message[], changed: Message, gone: Message) => {
      const held = server.holds('POST', QUERY)
      const asked = asking()
      await settle()
      server.socket.says(anEvent('message.updated', { message: { ...changed, text: 'Changed' } }))
      server.socket.says(anEvent('message.deleted', { message: gone, hard_delete: true }))
      await held.give(aChannel({}, { messages: page }))
      await asked
      const text = (id: string) => tea.state.messages.find((message) => message.id === id)?.text
      assert.deepEqual([text(changed.id), text(gone.id)], ['Changed', undefined])
    }
    const [, changed, gone] = messages(50, 74) as [Message, Message, Message]
    await late(() => tea.loadOlder(), messages(50, 74), changed, gone)
    assert.deepEqual(bound(), ['m50', 'm99'])
    assert.equal(tea.state.sets.find(({ current }) => current)?.hasOlder, true)
    const [, second, third] = messages(1, 25) as [Message, Message, Message]
    await late(() => tea.jumpTo('m13'), messages(1, 25), second, third)
  })

  it('evicts one end of a long list, and pages back to it', async () => {
    const { server, tea, bound } = await adaInHistory(99)
    await tea.loadOlder()
    await tea.letGo('older', 'm75')
    assert.deepEqual(bound(), ['m75', 'm99'])
    await tea.loadOlder()
    assert.deepEqual(server.callsTo('POST', QUERY).at(-1)?.body.messages, { limit: 25, id_lt: 'm75' })
    assert.deepEqual(bound(), ['m50', 'm99'])
  })

  it('in a thread loads the replies around the message, and shows the parent', async () => {
    const { server, tea } = await adaInHistory(59)
    server.answers('GET', '/messages/m40/replies', { messages: [aMessage('r7', { parent_id: 'm40' })] })
    await tea.jumpTo('r7', { parentId: 'm40' })
    const [call] = server.callsTo('GET', '/messages/m40/replies')
    assert.deepEqual([call?.query.id_around, call?.query.limit], ['r7', '50'])
    assert.deepEqual(
      tea.state.replies.m40?.map(({ id }) => id),
      ['r7'],
    )
  })
})

describe('changing the channel', () => {
  const updating = async (use: (tea: Channel) => Promise<unknown>) => {
    const { server, tea } = await adaInTea()
    server.answers('POST', '/channels/messaging/tea', { channel: { ...tea.data, name: 'Coffee' }, members: [] })
    await use(tea)
    return { tea, body: server.callsTo('POST', '/channels/messaging/tea')[0]?.body }
  }
  const stripped = async (field: string) => {
    const { body } = await updating((tea) => tea.update({ ...tea.data, [field]: 'mine', name: 'Coffee' }))
    assert.equal(body.data.name, 'Coffee')
    assert.equal(field in body.data, false, field)
  }

  it('[CHN-14] update replaces its data', async () => {
    const { tea, body } = await updating((channel) => channel.update({ name: 'Coffee', colour: 'brown' }))
    assert.deepEqual(body, { data: { name: 'Coffee', colour: 'brown' } })
    assert.equal(tea.data.name, 'Coffee')
    assert.ok(tea.data.own_capabilities, 'what is only for me stays')
  })

  it('[CHN-15] update posts a message with it', async () => {
    const { body } = await updating((tea) => tea.update({ name: 'Coffee' }, { text: 'renamed' }))
    assert.deepEqual(body.message, { text: 'renamed' })
  })

  it('[CHN-30] strips config', () => stripped('config'))
  it('[CHN-31] strips id and cid', async () => {
    await stripped('id')
    await stripped('cid')
  })
  it('[CHN-32] strips type', () => stripped('type'))
  it('[CHN-33] strips created_by, created_at and updated_at', async () => {
    for (const field of ['created_by', 'created_at', 'updated_at']) await stripped(field)
  })
  it('[CHN-34] strips member_count', () => stripped('member_count'))
  it('[CHN-35] strips last_message_at', () => stripped('last_message_at'))
  it('[CHN-36] strips own_capabilities', () => stripped('own_capabilities'))

  it('[CHN-16] [CHN-50] sets slow mode and turns it off', async () => {
    assert.deepEqual((await updating((tea) => tea.enableSlowMode(30))).body, { cooldown: 30 })
    assert.deepEqual((await updating((tea) => tea.disableSlowMode())).body, { cooldown: 0 })
  })

  it('[MEM-2] adds members', async () => {
    const { body } = await updating((tea) => tea.addMembers(['cy'], { text: 'welcome' }, { hide_history: true }))
    assert.deepEqual(body, { add_members: ['cy'], message: { text: 'welcome' }, hide_history: true })
  })

  it('[MEM-3] removes members', async () => {
    assert.deepEqual((await updating((tea) => tea.removeMembers(['bo']))).body, { remove_members: ['bo'] })
  })

  it('[MEM-4] makes moderators', async () => {
    assert.deepEqual((await updating((tea) => tea.addModerators(['bo']))).body, { add_moderators: ['bo'] })
  })

  it('[MEM-5] removes the moderator role', async () => {
    assert.deepEqual((await updating((tea) => tea.demoteModerators(['bo']))).body, { demote_moderators: ['bo'] })
  })

  it('[MEM-6] assigns channel roles', async () => {
    const assign_roles = [{ user_id: 'bo', channel_role: 'channel_moderator' }]
    assert.deepEqual((await updating((tea) => tea.assignRoles(assign_roles))).body, { assign_roles })
  })

  it('[MEM-7] invites', async () => {
    assert.deepEqual((await updating((tea) => tea.inviteMembers(['cy']))).body, { invites: ['cy'] })
  })

  it('[MEM-8] accepts an invitation', async () => {
    const { body } = await updating((tea) => tea.acceptInvite({ message: { text: 'here I am' } }))
    assert.deepEqual(body, { accept_invite: true, message: { text: 'here I am' } })
  })

  it('[MEM-9] rejects an invitation', async () => {
    assert.deepEqual((await updating((tea) => tea.rejectInvite())).body, { reject_invite: true })
  })

  it('[CHN-17] updatePartial sets and unsets', async () => {
    const { server, tea } = await adaInTea()
    server.answers('PATCH', '/channels/messaging/tea', { channel: { ...tea.data, name: 'Coffee' }, members: [] })
    await tea.updatePartial({ set: { name: 'Coffee' }, unset: ['colour'] })
    const [call] = server.callsTo('PATCH', '/channels/messaging/tea')
    assert.deepEqual(call?.body, { set: { name: 'Coffee' }, unset: ['colour'] })
    assert.equal(tea.data.name, 'Coffee')
  })

  it('[CHN-48] dispatches an event when an update has changed the user’s capabilities', async () => {
    const { server, tea } = await adaInTea()
    const changed: unknown[] = []
    tea.on('capabilities.changed', ({ own_capabilities }) => changed.push(own_capabilities))
    const channel = { ...tea.data, frozen: true, own_capabilities: ['read-channel'] }
    server.answers('PATCH', '/channels/messaging/tea', { channel, members: [] })
    await tea.updatePartial({ set: { frozen: true } })
    assert.deepEqual(changed, [['read-channel']])
    await tea.updatePartial({ set: { frozen: true } })
    assert.equal(changed.length, 1)
  })
})

describe('calls that send one request each', () => {
  async function sent(use: (tea: Channel) => Promise<unknown>) {
    const { server, tea } = await adaInTea()
    await use(tea)
    const { method, path, query, body } = server.calls.at(-1) as Call
    const { api_key: _, connection_id: __, user_id, ...own } = query
    return [method, path.replace('/channels/messaging/tea', '…'), own, body]
  }

  it('[CHN-18] delete', async () => {
    const call = await sent((tea) => tea.delete({ hard_delete: true }))
    assert.deepEqual(call, ['DELETE', '…', { hard_delete: 'true' }, undefined])
  })

  it('[CHN-20] truncate', async () => {
    const at = '2026-01-05T08:30:00Z'
    const call = await sent((tea) => tea.truncate({ truncated_at: at, message: { text: 'cleared' } }))
    assert.deepEqual(call, ['POST', '…/truncate', {}, { truncated_at: at, message: { text: 'cleared' } }])
  })

  it('[CHN-21] stopWatching', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 2) })
    await tea.stopWatching()
    const [call] = server.callsTo('POST', '/channels/messaging/tea/stop-watching')
    assert.deepEqual([call?.body, call?.query.connection_id], [{}, 'c1'])
    assert.deepEqual([tea.state.messages.length, tea.initialized], [2, false])
  })

  it('[CHN-22] hide', async () => {
    assert.deepEqual(await sent((tea) => tea.hide('ada', true)), [
      'POST',
      '…/hide',
      {},
      { user_id: 'ada', clear_history: true },
    ])
  })

  it('[CHN-23] show', async () => {
    assert.deepEqual(await sent((tea) => tea.show()), ['POST', '…/show', {}, {}])
    assert.deepEqual(await sent((tea) => tea.show('ada')), ['POST', '…/show', {}, { user_id: 'ada' }])
  })

  it('[CHN-24] sendEvent', async () => {
    const call = await sent((tea) => tea.sendEvent({ type: 'wave', hand: 'left' }))
    assert.deepEqual(call, ['POST', '…/event', {}, { event: { type: 'wave', hand: 'left' } }])
  })

  it('[CHN-25] createCall', async () => {
    const call = await sent((tea) => tea.createCall({ id: 'call-1', type: 'audio' }))
    assert.deepEqual(call, ['POST', '…/call', {}, { id: 'call-1', type: 'audio' }])
  })

  it('[CHN-28] mute', async () => {
    const call = await sent((tea) => tea.mute({ expiration: 60_000 }))
    assert.deepEqual(call, [
      'POST',
      '/moderation/mute/channel',
      {},
      { channel_cid: 'messaging:tea', expiration: 60_000 },
    ])
  })

  it('[CHN-29] unmute', async () => {
    const call = await sent((tea) => tea.unmute())
    assert.deepEqual(call, ['POST', '/moderation/unmute/channel', {}, { channel_cid: 'messaging:tea' }])
  })

  it('[MEM-10] queryMembers', async () => {
    const payload = {
      type: 'messaging',
      id: 'tea',
      filter_conditions: { name: 'Bo' },
      sort: [{ field: 'created_at', direction: 1 }],
      limit: 3,
    }
    const call = await sent((tea) => tea.queryMembers({ name: 'Bo' }, { created_at: 1 }, { limit: 3 }))
    assert.deepEqual(call, ['GET', '/members', { payload: JSON.stringify(payload) }, undefined])
  })

  it('[MEM-11] partialUpdateMember', async () => {
    const call = await sent((tea) => tea.partialUpdateMember('bo', { set: { shift: 'late' } }))
    assert.deepEqual(call, ['PATCH', '…/member/bo', {}, { set: { shift: 'late' } }])
  })

  it('[MEM-17] archive', async () => {
    assert.deepEqual(await sent((tea) => tea.archive()), ['PATCH', '…/member/ada', {}, { set: { archived: true } }])
  })
  it('[MEM-18] unarchive', async () => {
    assert.deepEqual(await sent((tea) => tea.unarchive()), ['PATCH', '…/member/ada', {}, { set: { archived: false } }])
  })
  it('[MEM-19] pin', async () => {
    assert.deepEqual(await sent((tea) => tea.pin()), ['PATCH', '…/member/ada', {}, { set: { pinned: true } }])
  })
  it('[MEM-20] unpin', async () => {
    assert.deepEqual(await sent((tea) => tea.unpin()), ['PATCH', '…/member/ada', {}, { set: { pinned: false } }])
  })

  it('[MSG-8] sendMessage, which leaves the state to the event', async () => {
    const { server, tea } = await adaInTea()
    await tea.sendMessage({ text: 'hi', mentioned_users: ['bo'] }, { skip_push: true })
    const [call] = server.callsTo('POST', '/channels/messaging/tea/message')
    assert.deepEqual(call?.body, { message: { text: 'hi', mentioned_users: ['bo'] }, skip_push: true })
    assert.deepEqual(tea.state.messages, [])
  })

  it('[MSG-9] getMessagesById', async () => {
    assert.deepEqual(await sent((tea) => tea.getMessagesById(['a', 'b'])), [
      'GET',
      '…/messages',
      { ids: 'a,b' },
      undefined,
    ])
  })

  it('getReplies, a page of 50, which is added to the state', async () => {
    const { server, tea } = await adaInTea()
    const replies = [aMessage('r1', { parent_id: 'm1' }), aMessage('r2', { parent_id: 'm1', minute: 1 })] as Message[]
    server.answers('GET', '/messages/m1/replies', { messages: replies })
    await tea.getReplies('m1')
    assert.equal(server.callsTo('GET', '/messages/m1/replies')[0]?.query.limit, '50')
    assert.deepEqual(
      tea.state.replies.m1?.map(({ id }) => id),
      ['r1', 'r2'],
    )
    await tea.getReplies('m1', { id_lt: 'r1', limit: 5 }, { created_at: -1 })
    const { limit, id_lt, sort } = server.callsTo('GET', '/messages/m1/replies')[1]?.query ?? {}
    assert.deepEqual([limit, id_lt, sort], ['5', 'r1', '[{"field":"created_at","direction":-1}]'])
  })

  it('[MSG-16] sendAction, which replaces or removes the message', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 2) })
    const form_data = { image_action: 'shuffle' }
    server.answers('POST', '/messages/m1/action', { message: aMessage('m1', { minute: 1, text: 'another' }) })
    await tea.sendAction('m1', form_data)
    assert.deepEqual(server.callsTo('POST', '/messages/m1/action')[0]?.body, { message_id: 'm1', form_data })
    assert.equal(tea.state.messages[0]?.text, 'another')
    server.answers('POST', '/messages/m1/action', {})
    await tea.sendAction('m1', { image_action: 'cancel' })
    assert.deepEqual(
      tea.state.messages.map(({ id }) => id),
      ['m2'],
    )
  })

  it('[RXN-1] sendReaction', async () => {
    const call = await sent((tea) => tea.sendReaction('m1', { type: 'love', score: 2 }, { enforce_unique: true }))
    assert.deepEqual(call, [
      'POST',
      '/messages/m1/reaction',
      {},
      { reaction: { type: 'love', score: 2 }, enforce_unique: true },
    ])
  })

  it('[RXN-2] deleteReaction', async () => {
    assert.deepEqual(await sent((tea) => tea.deleteReaction('m1', '👍')), [
      'DELETE',
      `/messages/m1/reaction/${encodeURIComponent('👍')}`,
      {},
      undefined,
    ])
  })

  it('[RXN-3] getReactions', async () => {
    const call = await sent((tea) => tea.getReactions('m1', { limit: 10, offset: 20 }))
    assert.deepEqual(call, ['GET', '/messages/m1/reactions', { limit: '10', offset: '20' }, undefined])
  })

  it('[READ-2] markRead', async () => {
    assert.deepEqual(await sent((tea) => tea.markRead()), ['POST', '…/read', {}, {}])
    assert.deepEqual(await sent((tea) => tea.markRead({ message_id: 'm1' })), [
      'POST',
      '…/read',
      {},
      { message_id: 'm1' },
    ])
  })

  it('[READ-3] markUnread', async () => {
    assert.deepEqual(await sent((tea) => tea.markUnread({ message_id: 'm1' })), [
      'POST',
      '…/unread',
      {},
      { message_id: 'm1' },
    ])
  })

  it('[READ-17] markUnread refuses a message that cannot be among the newest 100', async () => {
    const { server, tea } = await adaInTea({ messages: messages(1, 101) })
    const refusal = {
      code: 'CLIENT_MARK_UNREAD_TOO_OLD',
      message: 'Error marking message unread. Cannot mark unread messages older than the newest 100 channel messages.',
    }
    await assert.rejects(tea.markUnread({ message_id: 'm1' }), refusal)
    assert.equal(server.callsTo('POST', '/channels/messaging/tea/unread').length, 0)
    await tea.markUnread({ message_id: 'm2' })
    assert.equal(server.callsTo('POST', '/channels/messaging/tea/unread').length, 1)
  })

  it('none for read calls in a channel without a read state', async () => {
    const { server, tea } = await adaInTea({}, { config: { read_events: false } })
    server.calls.length = 0
    assert.equal(await tea.markRead(), null)
    assert.equal(await tea.markUnread({ message_id: 'm1' }), null)
    assert.equal(server.calls.length, 0)
  })

  it('takes a signal that aborts it', async () => {
    const { tea } = await adaInTea()
    await assert.rejects(tea.show(undefined, { signal: AbortSignal.abort() }), { code: 'ERR_CANCELED' })
  })
})

describe('calls that throw before any request', () => {
  const refused = async (use: (tea: Channel) => Promise<unknown>, message: string) => {
    const { server, tea } = await adaInTea()
    server.calls.length = 0
    await assert.rejects(use(tea), { message })
    assert.equal(server.calls.length, 0)
  }

  it('[RXN-5] a reaction without message id', () =>
    refused((tea) => tea.sendReaction('', { type: 'love' }), 'Sending a reaction needs a message id'))
  it('[RXN-6] an empty reaction', async () => {
    const message = 'Sending a reaction needs a non-empty reaction'
    await refused((tea) => tea.sendReaction('m1', { type: '' }), message)
    await refused((tea) => tea.sendReaction('m1', {} as never), message)
    await refused((tea) => tea.sendReaction('m1', undefined as never), message)
  })
  it('[RXN-7] deleting a reaction without message id', () =>
    refused((tea) => tea.deleteReaction('', 'love'), 'Deleting a reaction needs a message id and a reaction type'))
  it('[RXN-8] deleting a reaction without type', () =>
    refused((tea) => tea.deleteReaction('m1', ''), 'Deleting a reaction needs a message id and a reaction type'))
  it('[MEM-12] a member update without user id', () =>
    refused((tea) => tea.partialUpdateMember('', {}), 'A user id is needed to update a member'))

  const onServer = async (use: (tea: Channel) => Promise<unknown>, message: string) => {
    const server = new FakeServer()
    const client = new ServerClient('key', 'secret', { baseURL: 'https://chat.example.com', fetch: server.fetch })
    await assert.rejects(use(client.channel('messaging', 'tea')), { message, code: 'CLIENT_MEMBER_ID_MISSING' })
    assert.equal(server.calls.length, 0)
  }
  it('[MEM-13] archiving without user id', () => onServer((tea) => tea.archive(), 'A user id is needed to archive'))
  it('[MEM-14] unarchiving without user id', () =>
    onServer((tea) => tea.unarchive(), 'A user id is needed to unarchive'))
  it('[MEM-15] pinning a channel without user id', () => onServer((tea) => tea.pin(), 'A user id is needed to pin'))
  it('[MEM-16] unpinning a channel without user id', () =>
    onServer((tea) => tea.unpin(), 'A user id is needed to unpin'))
})

describe('events against a fresh query', () => {
  it('the state after events equals the state of a fresh query', async () => {
    const { client, server, tea } = await adaInTea({ messages: messages(1, 2) })
    const m3 = aMessage('m3', { minute: 3 })
    const own = aMessage('m4', { minute: 4, user: ada })
    const edited = aMessage('m1', { minute: 1, text: 'better', updated_at: '2026-01-05T08:20:00Z' })
    server.socket.says(posted(m3))
    server.socket.says(posted(own))
    server.socket.says(anEvent('message.updated', { message: edited }))
    server.socket.says(
      anEvent('message.deleted', { message: { ...messages(2, 2)[0], type: 'deleted' }, hard_delete: true }),
    )
    server.socket.says(anEvent('member.removed', { member: aMember(bo), user: bo, channel_member_count: 1 }))
    server.socket.says(anEvent('user.watching.start', { user: ada, watcher_count: 1 }))

    const reads = [
      { user: ada, last_read: own.created_at, last_read_message_id: 'm4', unread_messages: 0 },
      { user: bo, last_read: m3.created_at, last_read_message_id: 'm3', unread_messages: 0 },
    ]
    const fresh = aChannel(
      { member_count: 1, last_message_at: own.created_at },
      { messages: [edited, m3, own], members: [aMember(ada)], read: reads as never, watchers: [ada], watcher_count: 1 },
    )
    const other = await aConnectedWorld({ own: me(ada) })
    other.server.answers('POST', QUERY, () => fresh)
    const again = other.client.channel('messaging', 'tea')
    await again.watch()
    assert.deepEqual(JSON.parse(JSON.stringify(tea.state)), JSON.parse(JSON.stringify(again.state)))
    assert.equal(client.channel('messaging', 'tea'), tea)
  })
})
