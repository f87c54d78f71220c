import assert from 'node:assert/strict'
import { it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import type { Bus } from './bus.ts'
import type { Connection } from './connection.ts'
import { Hub, type HubSources } from './hub.ts'
import { Presence } from './presence.ts'
import { Resync } from './resync.ts'
import { SequencedBus } from './sequenced-bus.ts'

const app = 'app'
const room = 'messaging:tea'

it('who watched or was online on a node that died without a word is counted no more, and again when it was not dead', async () => {
  const net = new Net()
  const [here, there] = [aNode('here', net), aNode('there', net)]
  await here.comes('ada')
  await there.comes('bo')
  assert.deepEqual([here.watchers(), here.isOnline('bo')], [2, true])

  net.cuts('there')
  await net.lives(15_000)
  assert.deepEqual([here.watchers(), here.isOnline('bo')], [2, true])
  await net.lives(10_000)
  assert.deepEqual([here.watchers(), here.isOnline('bo')], [1, false])
  assert.deepEqual(here.stopped, ['bo'])

  net.joins('there')
  await net.lives(10_000)
  assert.deepEqual([here.watchers(), here.isOnline('bo')], [2, true])
  assert.deepEqual([there.watchers(), there.isOnline('ada')], [2, true])
})

it('who came and went while a node was not reached for a moment is known there a moment later', async () => {
  const net = new Net()
  const [here, there] = [aNode('here', net), aNode('there', net)]
  await here.comes('ada')
  await there.comes('bo')
  net.cuts('there')
  await there.comes('cy')
  there.leaves('bo')
  await net.lives(6_000)
  net.joins('there')
  assert.deepEqual([here.isOnline('bo'), here.isOnline('cy')], [true, false])

  await net.lives(6_000)
  assert.deepEqual([here.isOnline('bo'), here.isOnline('cy'), here.isOnline('ada')], [false, true, true])
  assert.deepEqual([there.isOnline('bo'), there.isOnline('cy'), there.isOnline('ada')], [false, true, true])
  assert.deepEqual([here.watchers(), there.watchers(), here.stopped], [2, 2, ['bo']])

  net.cuts('there')
  there.leaves('cy')
  await net.lives(6_000)
  net.joins('there')
  await net.lives(12_000)
  assert.deepEqual([here.watchers(), here.stopped], [1, ['bo', 'cy']])
})

it('a node that failed to read while a user began to watch has asked the other nodes for watchers', async () => {
  const net = new Net()
  const [here, there] = [aNode('here', net), aNode('there', net)]
  await there.comes('bo')
  here.isWithoutDatabase(true)
  await assert.rejects(here.comes('ada'), /away/)
  here.isWithoutDatabase(false)
  await here.comes('cy')
  assert.equal(here.watchers(), 3)
})

it('as many as a node may have are known to another one that begins', async () => {
  const net = new Net()
  const here = aNode('here', net)
  for (let i = 0; i < 4_500; i++) here.presence.arrived(app, `user-${i}`)
  here.presence.counted(app, 'user-3000', 2)
  const there = aNode('there', net)
  await net.lives(1_000)
  const known = Array.from({ length: 4_500 }, (_, i) => there.presence.connectionsOf(app, `user-${i}`))
  assert.deepEqual([known.filter((count) => count === 1).length, known[3_000]], [4_499, 2])
  assert.ok(net.longest < 200_000)
})

it('a node that shuts down removes its watchers', async () => {
  const net = new Net()
  const [here, there] = [aNode('here', net), aNode('there', net)]
  await here.comes('ada')
  await there.comes('bo')
  there.presence.close()
  assert.equal(here.watchers(), 1)
  // Its connections end after that.
  there.leaves('bo')
  await net.lives(10_000)
  assert.equal(here.isOnline('bo'), false)
})

it('a user who reconnects to another node within five seconds of a shutdown was never offline', async () => {
  const net = new Net()
  const [here, there] = [aNode('here', net), aNode('there', net)]
  await there.comes('bo')
  await there.comes('cy')
  there.presence.close()
  assert.equal(here.presence.connectionsOf(app, 'bo'), 0)
  await net.lives(2_000)
  await here.comes('bo')
  await net.lives(1_000)
  assert.deepEqual(here.news, ['bo is online', 'cy is online'])
  await net.lives(5_000)
  assert.deepEqual(here.news, ['bo is online', 'cy is online', 'cy is offline'])
})

function aNode(name: string, net: Net) {
  const bus = net.busOf(name)
  const stopped: string[] = []
  const news: string[] = []
  const changed = (_app: string, userId: string, online: boolean) =>
    void news.push(`${userId} is ${online ? 'online' : 'offline'}`)
  let isAway = false
  const sequencedBus: SequencedBus = new SequencedBus(name, bus, () => {
    presence.askAll()
    resync.begin()
  })
  const resync = new Resync(net.clock, () => hub.catchUp(), assert.ifError)
  const presence: Presence = new Presence(net.clock, sequencedBus, changed, {
    gone: (node) => hub.nodeGone(node),
    back: () => resync.begin(),
  })
  const sources: Partial<HubSources> = {
    unreadStates: async () => new Map(),
    mutes: async () => ({ users: [], channels: [] }),
    async newestSeqs() {
      if (isAway) throw new Error('The database is away.')
      return new Map()
    },
    arrived: (app, userId) => presence.arrived(app, userId),
    left: (app, userId) => presence.left(app, userId),
    counted: (app, userId, count) => presence.counted(app, userId, count),
    watchingChanged: (_app, _cid, userId, watching) => {
      if (!watching) stopped.push(userId)
    },
  }
  const hub: Hub = new Hub(name, net.clock, bus, sources as HubSources)
  const connections = new Map<string, Connection>()
  return {
    presence,
    stopped,
    news,
    async comes(userId: string) {
      const connection = { id: userId, app, userId, anonymous: false, watching: new Set(), following: new Set() }
      connections.set(userId, connection as unknown as Connection)
      await hub.attach(connection as unknown as Connection)
      await Promise.all([hub.watch(connection as unknown as Connection, [room]), net.lives(1_000)])
    },
    isWithoutDatabase(isSo: boolean) {
      isAway = isSo
    },
    leaves: (userId: string) => hub.detach(connections.get(userId)!),
    watchers: () => hub.watcherCount(app, room),
    isOnline: (userId: string) => presence.isOnline(app, userId),
  }
}

/** Delivers the messages of one node to the others, unless they are cut off. */
class Net {
  readonly clock = new FakeClock()
  /** Characters of the longest message. */
  longest = 0
  #nodes = new Map<string, Map<string, (text: string) => void>>()
  #cut = new Set<string>()

  busOf(node: string): Bus {
    const subscriptions = new Map<string, (text: string) => void>()
    this.#nodes.set(node, subscriptions)
    return {
      publish: (subject, text) => {
        this.longest = Math.max(this.longest, text.length)
        for (const [other, subscribers] of this.#nodes)
          if (other !== node && !this.#cut.has(node) && !this.#cut.has(other)) subscribers.get(subject)?.(text)
      },
      subscribe(subject, receive) {
        subscriptions.set(subject, receive)
        return () => void subscriptions.delete(subject)
      },
      request: () => Promise.reject(new Error('no node is there')),
      serve() {},
      async settled() {},
      onReturn() {},
      async close() {},
    }
  }

  cuts(node: string) {
    this.#cut.add(node)
  }

  joins(node: string) {
    this.#cut.delete(node)
  }

  /** Time goes by for all. */
  async lives(ms: number) {
    for (let passed = 0; passed < ms; passed += 1_000) {
      await new Promise((resolve) => setImmediate(resolve))
      this.clock.advance(1_000)
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
}
