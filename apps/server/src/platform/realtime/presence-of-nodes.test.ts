import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.ts'
import { Presence } from './presence.ts'
import type { SequencedBus } from './sequenced-bus.ts'

describe('who is online', () => {
  it('on one node comes with their first connection, and goes five seconds after the last', () => {
    const { clock, presence, changes } = aNode()
    presence.arrived('app', 'bo')
    presence.arrived('app', 'bo')
    presence.counted('app', 'bo', 2)
    assert.deepEqual([presence.isOnline('app', 'bo'), presence.isOnline('other', 'bo')], [true, false])
    assert.equal(presence.connectionsOf('app', 'bo'), 2)
    assert.deepEqual(changes, ['bo comes'])

    presence.left('app', 'bo')
    clock.advance(4_999)
    presence.left('app', 'bo')
    assert.equal(presence.isOnline('app', 'bo'), true)
    clock.advance(1)
    assert.deepEqual([presence.isOnline('app', 'bo'), presence.connectionsOf('app', 'bo')], [false, 0])
    assert.deepEqual(changes, ['bo comes', 'bo goes'])
    presence.left('app', 'bo')
    clock.advance(5_000)
    assert.deepEqual(changes, ['bo comes', 'bo goes'])
  })

  it('is so all the while for who comes back in time', () => {
    const { clock, presence, changes } = aNode()
    presence.arrived('app', 'bo')
    presence.left('app', 'bo')
    clock.advance(4_999)
    presence.arrived('app', 'bo')
    clock.advance(10_000)
    assert.deepEqual([presence.isOnline('app', 'bo'), changes], [true, ['bo comes']])
  })

  it('is nobody for a node that ends, and nobody is told', () => {
    const { clock, presence, changes, said } = aNode()
    presence.arrived('app', 'bo')
    presence.left('app', 'bo')
    said.length = 0
    presence.close()
    presence.left('app', 'bo')
    clock.advance(30_000)
    assert.deepEqual([said, changes], [[{ say: 'bye' }], ['bo comes']])
  })
})

describe('the nodes of a cluster', () => {
  it('tell each other who comes, who goes and how often somebody is there', () => {
    const { clock, presence, said } = aNode()
    assert.deepEqual(said.splice(0), [{ say: 'hello' }])
    presence.arrived('app', 'bo')
    presence.counted('app', 'bo', 1)
    presence.counted('app', 'bo', 3)
    presence.counted('app', 'nobody', 1)
    presence.left('app', 'bo')
    assert.deepEqual(said.splice(0), [
      { say: 'online', users: ['app|bo'] },
      { say: 'connections', user: 'app|bo', count: 3 },
    ])
    clock.advance(5_000)
    assert.deepEqual(
      said.filter(({ say }) => say !== 'beat'),
      [{ say: 'offline', users: ['app|bo'] }],
    )
    assert.ok(said.some(({ say }) => say === 'beat'))
  })

  it('add up who is where', () => {
    const { presence, hears, changes } = aNode()
    presence.arrived('app', 'bo')
    hears('there', {
      say: 'here',
      users: [
        ['app|bo', 2],
        ['app|ada', 1],
      ],
      last: true,
    })
    hears('yonder', { say: 'online', users: ['app|cy'] })
    hears('yonder', { say: 'connections', user: 'app|cy', count: 4 })
    hears('yonder', { say: 'connections', user: 'app|nobody', count: 4 })
    assert.deepEqual(
      [...presence.onlineUsers()],
      [
        { app: 'app', userId: 'bo', connections: 3 },
        { app: 'app', userId: 'ada', connections: 1 },
        { app: 'app', userId: 'cy', connections: 4 },
      ],
    )
    assert.deepEqual(presence.otherNodes, ['there', 'yonder'])
    assert.deepEqual(changes, ['bo comes', 'ada comes', 'cy comes'])
    assert.deepEqual([presence.connectionsOf('app', 'bo'), presence.connectionsOf('app', 'nobody')], [3, 0])
    hears('there', { say: 'offline', users: ['app|bo', 'app|ada'] })
    assert.deepEqual([presence.isOnline('app', 'bo'), presence.isOnline('app', 'ada')], [true, false])
    assert.deepEqual(changes, ['bo comes', 'ada comes', 'cy comes', 'ada goes'])
  })

  it('say everything to one that asks, or that they did not know, and ask one that only says it is alive', () => {
    const { presence, hears, said } = aNode()
    presence.arrived('app', 'bo')
    const all = { say: 'here', users: [['app|bo', 1]], last: true }
    said.length = 0
    hears('there', { say: 'hello' })
    hears('there', { say: 'hello' })
    hears('there', { say: 'beat' })
    assert.deepEqual(said.splice(0), [all, all])
    hears('yonder', { say: 'online', users: [] })
    assert.deepEqual(said.splice(0), [all])
    hears('far', { say: 'beat' })
    assert.deepEqual(said.splice(0), [all, { say: 'hello' }])
  })

  it('say it in parts, since the bus takes only so much, and hear it so', () => {
    const { presence, hears, said, changes } = aNode()
    const ids = Array.from({ length: 2_001 }, (_, i) => `user-${i}`)
    for (const id of ids) presence.arrived('app', id)
    said.length = 0
    hears('there', { say: 'hello' })
    const parts = said.map(({ users, last }) => [(users as unknown[]).length, last])
    assert.deepEqual(parts, [
      [2_000, false],
      [1, true],
    ])

    changes.length = 0
    hears('there', { say: 'online', users: ['app|gone'] })
    hears('there', { say: 'here', users: [['app|ada', 1]], last: false })
    assert.deepEqual(changes, ['gone comes'])
    hears('there', { say: 'here', users: [['app|cy', 2]], last: true })
    assert.deepEqual(changes, ['gone comes', 'gone goes', 'ada comes', 'cy comes'])
    hears('there', { say: 'here', users: [['app|cy', 1]], last: true })
    assert.deepEqual(changes.slice(4), ['ada goes'])
    assert.equal(presence.connectionsOf('app', 'cy'), 1)
  })

  it('give those of one that ends five seconds to come to another', () => {
    const { clock, presence, hears, changes, nodes } = aNode()
    hears('there', {
      say: 'here',
      users: [
        ['app|ada', 1],
        ['app|bo', 1],
      ],
      last: true,
    })
    hears('there', { say: 'bye' })
    hears('there', { say: 'bye' })
    assert.deepEqual([nodes, presence.otherNodes], [['there ended'], []])
    clock.advance(4_999)
    presence.arrived('app', 'bo')
    assert.equal(presence.isOnline('app', 'ada'), true)
    clock.advance(1)
    assert.deepEqual([presence.isOnline('app', 'ada'), presence.isOnline('app', 'bo')], [false, true])
    assert.deepEqual(changes, ['ada comes', 'bo comes', 'ada goes'])
  })

  it('take one for dead that was not heard for sixteen seconds, and hear that it is not', () => {
    const { clock, presence, hears, changes, nodes, forgotten } = aNode()
    hears('there', { say: 'here', users: [['app|ada', 1]], last: true })
    clock.advance(5_000)
    hears('there', { say: 'beat' })
    for (let i = 0; i < 3; i++) clock.advance(5_000)
    assert.deepEqual(nodes, [])
    clock.advance(5_000)
    assert.deepEqual([nodes, forgotten, changes], [['there died'], ['there'], ['ada comes', 'ada goes']])
    hears('there', { say: 'beat' })
    hears('there', { say: 'beat' })
    assert.deepEqual([nodes, presence.otherNodes], [['there died', 'there is back'], ['there']])
  })
})

/** A node of a cluster; what the others say is brought by hand. */
function aNode() {
  const clock = new FakeClock()
  // Nothing happens but by hand.
  clock.stop(0)
  const said: Record<string, unknown>[] = []
  const changes: string[] = []
  const nodes: string[] = []
  const forgotten: string[] = []
  let read: (news: { node: string }) => void = () => {}
  const sequencedBus = {
    send: (_: string, news: Record<string, unknown>) => void said.push(news),
    receive(_: string, reads: typeof read) {
      read = reads
      return () => {}
    },
    forget: (node: string) => void forgotten.push(node),
  } as unknown as SequencedBus
  const presence = new Presence(
    clock,
    sequencedBus,
    (_, id, online) => void changes.push(`${id} ${online ? 'comes' : 'goes'}`),
    {
      gone: (node, { dead }) => void nodes.push(`${node} ${dead ? 'died' : 'ended'}`),
      back: (node) => void nodes.push(`${node} is back`),
    },
  )
  return {
    clock,
    presence,
    said,
    changes,
    nodes,
    forgotten,
    hears: (node: string, news: object) => read({ node, ...news }),
  }
}
