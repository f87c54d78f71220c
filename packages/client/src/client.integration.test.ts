import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { ago, now } from '../../../scripts/machine-time.ts'
import type { Channel } from './channels/channel.ts'
import type { ChatClient, ChatClientOptions } from './chat-client.ts'
import type { ChatError } from './chat-error.ts'
import type { SocketConstructor } from './connection/runner.ts'
import { agreed, type RealServer, startRealServer, until } from './testing/real-server.ts'
import { seeded } from './testing/seeded.ts'

let server: RealServer
beforeAll(async () => {
  server = await startRealServer()
})
afterAll(() => server.stop())

let count = 0

/** Ada and Bo, two new users for every test, in a channel both watch. */
async function adaAndBoTalk(transport: Transport) {
  const story = ++count
  const [adaID, boID, cyID] = [`ada-${story}`, `bo-${story}`, `cy-${story}`]
  await server.company.upsertUsers([
    { id: adaID, name: 'Ada' },
    { id: boID, name: 'Bo' },
    { id: cyID, name: 'Cy' },
  ])
  const made = server.company.channel('messaging', `tea-${story}`, {
    created_by_id: adaID,
    members: [adaID, boID],
    name: 'Tea',
  })
  await made.create()
  const [ada, bo] = await Promise.all([
    server.connects(adaID, transport.options),
    server.connects(boID, transport.options),
  ])
  const channelOf = async (client: ChatClient) => {
    const channel = client.channel('messaging', `tea-${story}`)
    await channel.watch()
    return channel
  }
  return { ada, bo, cyID, made, adas: await channelOf(ada), bos: await channelOf(bo) }
}

/** Sockets that a test can cut. */
const sockets: WebSocket[] = []

/** How events reach a client, and how a test cuts that. */
interface Transport {
  options: Partial<ChatClientOptions>
  cut(client: ChatClient): Promise<unknown>
}

const socket: Transport = {
  options: {
    random: () => 0,
    WebSocket: class extends WebSocket {
      constructor(url: string) {
        super(url)
        sockets.push(this)
      }
    } as unknown as SocketConstructor,
  },
  async cut() {
    for (const socket of sockets.splice(0)) socket.close()
  },
}

const longPoll: Transport = {
  options: {
    random: () => 0,
    enableWSFallback: true,
    WebSocket: class {
      constructor() {
        throw new Error('This network lets no socket through.')
      }
    } as unknown as SocketConstructor,
  },
  // The server ends the poll without the client's knowledge, as if it had dropped the connection.
  cut: (client) => client.request('GET', '/longpoll', { query: { close: true } }),
}

const transports = Object.entries({ 'over a socket': socket, 'over long polling': longPoll })

/** Cuts the connection and does not wait for the reconnect. */
async function loses(client: ChatClient, transport: Transport) {
  const before = client.connection.snapshot()
  await transport.cut(client)
  await until(client.connection, (now) => now !== before, 'the loss is noticed')
}

const texts = ({ state }: Channel) => state.messages.map(({ text }) => text)

/** Runs an action, waits for its events, and requires the state of a fresh query. */
async function eventsKeepUp(channel: Channel, me: string, action: () => Promise<unknown>, arrived: () => boolean) {
  await action()
  await until(channel, arrived)
  const again = await server.connects(me)
  const fresh = again.channel(channel.type, channel.id)
  await fresh.watch()
  await until(
    channel,
    () => JSON.stringify(agreed(channel, me)) === JSON.stringify(agreed(fresh, me)),
    'both agree',
  ).catch(() => {
    assert.deepEqual(agreed(channel, me), agreed(fresh, me))
  })
  await again.disconnectUser()
}

describe.each(transports)('%s', (_, transport) => {
  describe('two users on a real server', () => {
    it('[MSG-8] [MSG-26] [MSG-19] send messages and receive each other’s', async () => {
      const { adas, bos, bo } = await adaAndBoTalk(transport)
      const sent = await adas.send({ text: 'Hello Bo' })
      assert.equal(sent.status, 'received')
      await until(bos, () => texts(bos).includes('Hello Bo'))
      await until(bo.unread, ({ total, channels }) => total === 1 && channels === 1)
      assert.equal(bos.countUnread(), 1)
      await bos.send({ text: 'Hello Ada' })
      await until(adas, () => texts(adas).length === 2)
      assert.deepEqual(texts(adas), ['Hello Bo', 'Hello Ada'])
      assert.deepEqual(texts(bos), ['Hello Bo', 'Hello Ada'])
      assert.equal(bos.countUnread(), 0)
      assert.ok(adas.state.messages.every(({ status }) => status === 'received'))
    })

    it('write faster than the network, and the messages are in the order they were written', async () => {
      const { adas, bos } = await adaAndBoTalk(transport)
      const said = Array.from({ length: 20 }, (_, i) => `Line ${i + 1}`)
      const [first] = await Promise.all(said.map((text) => adas.send({ text })))
      const edits = said.map((_, i) => `Line 1, said ${i + 2} times`)
      await Promise.all(edits.map((text) => adas.edit(first!.id, { text })))
      const heard = [edits.at(-1), ...said.slice(1)]
      await until(bos, () => texts(bos).length === 20 && texts(bos)[0] === heard[0])
      assert.deepEqual(texts(bos), heard)
      assert.deepEqual(texts(adas), heard)
    })

    it('[READ-2] [READ-15] read each other’s messages', async () => {
      const { adas, bos, bo } = await adaAndBoTalk(transport)
      const sent = await adas.send({ text: 'Read me' })
      await until(bos, ({ unreadCount }) => unreadCount === 1)
      await bos.markRead()
      await until(bos, ({ unreadCount }) => unreadCount === 0)
      await until(bo.unread, ({ total }) => total === 0)
      await until(adas, ({ read }) => read[bo.userID!]?.last_read_message_id === sent.id)
    })

    it('[TYP-4] [TYP-5] see each other type', async () => {
      const { adas, bos } = await adaAndBoTalk(transport)
      await bos.keystroke()
      await until(adas.typists, (typists) => typists.length === 1)
      assert.equal(adas.typists.snapshot()[0]?.name, 'Bo')
      await bos.stopTyping()
      await until(adas.typists, (typists) => typists.length === 0)
    })

    it('[CHN-57] find the same channel by its members', async () => {
      const { ada, bo } = await adaAndBoTalk(transport)
      const members = [ada.userID!, bo.userID!]
      const adas = ada.channel('messaging', { members })
      await adas.watch()
      const bos = bo.channel('messaging', { members: members.toReversed() })
      await bos.watch()
      assert.equal(adas.cid, bos.cid)
      await adas.send({ text: 'Just us' })
      await until(bos, () => texts(bos).includes('Just us'))
    })

    it('[LIM-3] [MSG-12] page through a long history and jump into it', async () => {
      const { ada, adas, bo } = await adaAndBoTalk(transport)
      const ids: string[] = []
      for (let i = 1; i <= 80; i++)
        ids.push(
          (await server.company.channel('messaging', adas.id).sendMessage({ text: `m${i}`, user_id: bo.userID }))
            .message.id,
        )
      const reader = await server.connects(ada.userID!, transport.options)
      const channel = reader.channel('messaging', adas.id)
      await channel.watch()
      assert.equal(channel.state.messages.length, 25)
      await channel.loadOlder()
      assert.deepEqual([texts(channel)[0], texts(channel).length], ['m31', 50])
      await channel.jumpTo(ids[9]!)
      assert.deepEqual([texts(channel)[0], texts(channel).at(-1)], ['m1', 'm25'])
      await channel.loadNewer()
      assert.deepEqual([texts(channel)[0], texts(channel).at(-1), channel.state.sets.length], ['m1', 'm80', 1])
    })

    it('[CON-24] lose the connection, and get everything sent meanwhile', async () => {
      const { ada, adas, bos } = await adaAndBoTalk(transport)
      const reader = await server.connects(ada.userID!, transport.options)
      const channel = reader.channel('messaging', adas.id)
      await channel.watch()
      const recovered = Promise.withResolvers<void>()
      reader.on('connection.recovered', () => recovered.resolve())
      await loses(reader, transport)
      await bos.send({ text: 'Are you there?' })
      await recovered.promise
      await until(channel, () => texts(channel).includes('Are you there?'))
      await bos.send({ text: 'And now?' })
      await until(channel, () => texts(channel).length === 2)
    })

    it('are removed from one channel while offline, and go on in the others', async () => {
      const { ada, bo, made, bos } = await adaAndBoTalk(transport)
      const members = [ada.userID!, bo.userID!]
      const [adas, others] = [ada, bo].map((client) => client.channel('messaging', { members })) as [Channel, Channel]
      await Promise.all([adas.watch(), others.watch()])
      await bo.closeConnection()
      await Promise.all([made.removeMembers([bo.userID!]), adas.send({ text: 'Still there?' })])
      await bo.openConnection()
      assert.deepEqual([bos.disconnected, texts(others)], [true, ['Still there?']])
      await adas.send({ text: 'Good' })
      await until(others, () => texts(others).includes('Good'))
    })

    it('[AUTH-15] [AUTH-17] go on with a fresh token when the old one expires', async () => {
      const id = `dee-${++count}`
      await server.company.upsertUser({ id })
      const second = Math.floor(now().getTime() / 1_000)
      let loads = 0
      const dee = server.newClient(transport.options)
      await dee.connectUser({ id }, () => server.company.createToken(id, loads++ === 0 ? second - 60 : second + 3_600))
      assert.equal(loads, 2)
      assert.equal((await dee.getUnreadCount()).total_unread_count, 0)
    })

    it('[CON-18] [CON-25] sync the events since a time, and query the channels again when that is too long ago', async () => {
      const { ada, adas, bos } = await adaAndBoTalk(transport)
      // Events in the very millisecond of the given time are not included.
      const since = ago(1).toISOString()
      const sent = await bos.send({ text: 'Meanwhile' })
      const { events } = await ada.sync([adas.cid], since)
      assert.deepEqual(
        events.flatMap((event) => (event.type === 'message.new' ? [event.message.id] : [])),
        [sent.id],
      )
      const longAgo = ago(31 * 24 * 60 * 60 * 1_000).toISOString()
      await assert.rejects(ada.sync([adas.cid], longAgo), { code: 4 })
      const [again] = await ada.queryChannels({ cid: { $in: [adas.cid] } })
      assert.equal(again, adas)
      assert.deepEqual(texts(adas), ['Meanwhile'])
    })

    it('[AUTH-6] are refused with another user’s signature', async () => {
      const id = `eve-${++count}`
      const forged = `${server.company.createToken(id).split('.').slice(0, 2).join('.')}.forged`
      await assert.rejects(server.newClient(transport.options).connectUser({ id }, forged), { code: 43 })
    })
  })

  if (transport === socket)
    it('[CON-23] a channel beyond the 30 that are reloaded at once is reloaded before it is used', async () => {
      const id = `fay-${++count}`
      const { company } = server
      await company.upsertUser({ id })
      const made = Array.from({ length: 31 }, (_, n) =>
        company.channel('messaging', `${id}-${n}`, { created_by_id: id, members: [id] }),
      )
      await Promise.all(made.map((channel) => channel.create()))
      const reader = await server.connects(id, transport.options)
      const own = { members: { $in: [id] } }
      const first = await reader.queryChannels(own, [], { limit: 30 })
      const [last] = await reader.queryChannels(own, [], { limit: 30, offset: 30 })
      const stale = last as Channel
      const recovered = Promise.withResolvers<void>()
      reader.on('connection.recovered', () => recovered.resolve())
      await loses(reader, transport)
      const quiet = company.channel('messaging', stale.id)
      await quiet.sendMessage({ text: 'Meanwhile', user_id: id })
      await recovered.promise
      assert.deepEqual(
        [first.length, first.every(({ initialized }) => initialized), stale.initialized],
        [30, true, false],
      )
      await until(stale, () => stale.initialized)
      assert.deepEqual(texts(stale), ['Meanwhile'])
      await quiet.sendMessage({ text: 'Now', user_id: id })
      await until(stale, () => texts(stale).includes('Now'))
    })

  describe('the state after events equals a fresh query', () => {
    it('for messages, edits, quotes and deletions', async () => {
      const { ada, adas, bos } = await adaAndBoTalk(transport)
      const me = ada.userID!
      const keepsUp = (action: () => Promise<unknown>, arrived: () => boolean) =>
        eventsKeepUp(adas, me, action, arrived)
      const find = (text: string) => adas.state.messages.find((message) => message.text === text)

      await keepsUp(
        () => bos.send({ text: 'one' }),
        () => find('one') !== undefined,
      )
      await keepsUp(
        () => adas.send({ text: 'two', quoted_message_id: find('one')!.id }),
        () => find('two')?.status === 'received',
      )
      await keepsUp(
        () => bos.edit(find('one')!.id, { text: 'one!' }),
        () => find('one!') !== undefined,
      )
      const [first] = adas.state.messages
      await keepsUp(
        () => bos.send({ text: 'three' }),
        () => find('three') !== undefined,
      )
      const three = find('three')!.id
      await keepsUp(
        () => bos.remove(first!.id),
        () => adas.state.messages[0]?.type === 'deleted',
      )
      await keepsUp(
        () => bos.remove(three, { hard: true }),
        () => adas.state.messages.every(({ id }) => id !== three),
      )
    })

    it('for reactions', async () => {
      const { ada, adas, bos } = await adaAndBoTalk(transport)
      const me = ada.userID!
      const { id } = await bos.send({ text: 'like me' })
      const groups = () => adas.state.messages[0]?.reaction_groups ?? {}
      await until(adas, () => texts(adas).length === 1)
      await eventsKeepUp(
        adas,
        me,
        () => adas.react(id, 'love'),
        () => groups().love?.count === 1,
      )
      await eventsKeepUp(
        adas,
        me,
        () => bos.react(id, { type: 'love', score: 3 }),
        () => groups().love?.sum_scores === 4,
      )
      await eventsKeepUp(
        adas,
        me,
        () => adas.react(id, 'wow', { enforce_unique: true }),
        () => groups().wow?.count === 1,
      )
      await eventsKeepUp(
        adas,
        me,
        () => adas.unreact(id, 'wow'),
        () => groups().wow === undefined,
      )
    })

    it('for read positions and unread marks', async () => {
      const { ada, adas, bos } = await adaAndBoTalk(transport)
      const me = ada.userID!
      await bos.send({ text: 'one' })
      const { id } = await bos.send({ text: 'two' })
      await eventsKeepUp(
        adas,
        me,
        () => bos.send({ text: 'three' }),
        () => adas.state.unreadCount === 3,
      )
      await eventsKeepUp(
        adas,
        me,
        () => adas.markRead(),
        () => adas.state.unreadCount === 0,
      )
      await eventsKeepUp(
        adas,
        me,
        () => adas.markUnread({ message_id: id }),
        () => adas.state.unreadCount === 2,
      )
      await eventsKeepUp(
        adas,
        me,
        () => adas.send({ text: 'four' }),
        () => adas.state.unreadCount === 0,
      )
    })

    it('for members and the channel itself', async () => {
      const { ada, adas, cyID, made } = await adaAndBoTalk(transport)
      const me = ada.userID!
      const members = () => Object.keys(adas.state.members).length
      await eventsKeepUp(
        adas,
        me,
        () => made.addMembers([cyID]),
        () => members() === 3,
      )
      await eventsKeepUp(
        adas,
        me,
        () => made.removeMembers([cyID]),
        () => members() === 2,
      )
      await eventsKeepUp(
        adas,
        me,
        () => made.updatePartial({ set: { name: 'Coffee' } }),
        () => adas.data.name === 'Coffee',
      )
      await eventsKeepUp(
        adas,
        me,
        () => made.updatePartial({ set: { frozen: true } }),
        () => adas.data.frozen === true,
      )
    })

    // A seed that once failed stays; others can be tried with STORY_SEEDS=3,4,5.
    const seeds = process.env.STORY_SEEDS?.split(',').map(Number) ?? [5, 10, 25, 28]
    it.each(seeds)('for random actions of two users (seed %i)', async (seed) => {
      const { ada, adas, bo, bos, cyID, made } = await adaAndBoTalk(transport)
      const random = seeded(seed)
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]
      const done: string[] = []
      const act = async () => {
        const [who, me] = random() < 0.5 ? [adas, ada.userID!] : [bos, bo.userID!]
        const alive = who.state.messages.filter(({ type, status }) => type === 'regular' && status === 'received')
        const mine = pick(alive.filter(({ user }) => user.id === me))
        const any = pick(alive)
        const deeds: Record<string, (() => Promise<unknown>) | undefined> = {
          send: () => who.send({ text: `${done.length}`, quoted_message_id: random() < 0.3 ? any?.id : undefined }),
          'send twice at once': () =>
            Promise.all([who.send({ text: 'a' }), (who === adas ? bos : adas).send({ text: 'b' })]),
          reply:
            any && (() => who.send({ text: `re ${done.length}`, parent_id: any.id, show_in_channel: random() < 0.3 })),
          'lose the connection': random() < 0.3 ? () => loses(ada, transport) : undefined,
          edit: mine && (() => who.edit(mine.id, { text: `edited ${done.length}` })),
          remove: mine && (() => who.remove(mine.id, { hard: random() < 0.5 })),
          react: any && (() => who.react(any.id, pick(['love', 'wow'])!, { enforce_unique: random() < 0.5 })),
          unreact: any?.own_reactions[0] && (() => who.unreact(any.id, any.own_reactions[0]!.type)),
          'mark read': () => who.markRead(),
          // Only the user gets this event; to the others, Bo's read position does not change.
          'mark unread': who === adas && any ? () => adas.markUnread({ message_id: any.id }) : undefined,
          rename: () => made.updatePartial({ set: { name: `Tea ${done.length}` } }),
          'add Cy': cyID in adas.state.members ? undefined : () => made.addMembers([cyID]),
          'remove Cy': cyID in adas.state.members ? () => made.removeMembers([cyID]) : undefined,
          pin: any && (() => server.company.pinMessage(any.id, null, me)),
        }
        const [name, deed] = pick(Object.entries(deeds).filter(([, possible]) => possible)) ?? []
        done.push(`${who === adas ? 'Ada' : 'Bo'}: ${name}`)
        // A message that the other user has just deleted cannot be edited; that error is expected.
        await deed?.().catch((error: ChatError) => assert.ok(error.code === 16 || error.code === 4, error))
      }
      for (let chapter = 0; chapter < 6; chapter++) {
        try {
          await eventsKeepUp(
            adas,
            ada.userID!,
            async () => {
              for (let i = 0; i < 6; i++) await act()
              await until(ada.connection, ({ at }) => at === 'connected')
            },
            () => adas.initialized,
          )
        } catch (error) {
          throw new Error(`After: ${done.slice(-12).join(' · ')}`, { cause: error })
        }
      }
    })
  })
})
