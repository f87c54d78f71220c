import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { type RealServer, startRealServer } from '../testing/real-server.ts'
import { aChannel, ada, aMessage, bo } from '../testing/wire.ts'
import { Search } from './search.ts'

async function adaSearches() {
  const world = await aConnectedWorld()
  const { server } = world
  server.answers('POST', '/channels', { channels: [aChannel()] })
  server.answers('GET', '/users', { users: [ada, bo] })
  server.answers('GET', '/search', ({ query }: Call) => {
    const { next, message_filter_conditions } = JSON.parse(query.payload!)
    const words = message_filter_conditions.text.$autocomplete
    const id = next ? 'm2' : 'm1'
    return { results: [{ message: aMessage(id, { text: `${words} ${id}` }) }], next: next ? undefined : 'n2' }
  })
  const search = new Search(world.client, { limit: 2 })
  const found = () => {
    const { channels, users, messages } = search.snapshot()
    return [
      channels.map(({ channel }) => channel.cid),
      users.map(({ id }) => id),
      messages.map(({ message }) => message.text),
    ]
  }
  return { ...world, search, found }
}

describe('a search', () => {
  it('queries own channels, other users, and messages in own channels', async () => {
    const { server, search, found, client } = await adaSearches()
    await search.setText(' tea ')
    assert.deepEqual(found(), [['messaging:tea'], ['bo'], ['tea m1']])
    const { filter_conditions, watch, limit } = server.callsTo('POST', '/channels')[0]?.body ?? {}
    assert.deepEqual(
      [filter_conditions, watch, limit],
      [{ members: { $in: ['ada'] }, name: { $autocomplete: 'tea' } }, false, 2],
    )
    const people = JSON.parse(server.callsTo('GET', '/users')[0]?.query.payload ?? '')
    assert.deepEqual(people.filter_conditions, {
      $or: [{ id: { $autocomplete: 'tea' } }, { name: { $autocomplete: 'tea' } }],
    })
    const words = JSON.parse(server.callsTo('GET', '/search')[0]?.query.payload ?? '')
    assert.deepEqual(words, {
      filter_conditions: { members: { $in: ['ada'] } },
      message_filter_conditions: { text: { $autocomplete: 'tea' } },
      limit: 2,
    })
    // Results are not watched, and are no channels of the client yet.
    assert.equal(client.channel('messaging', 'tea').initialized, false)
  })

  it('can query only messages, in one channel or of a kind', async () => {
    const { server, search, found } = await adaSearches()
    const mine = { 'user.id': 'ada' }
    await search.setText('tea', { cid: 'messaging:tea', messages: mine })
    assert.deepEqual(found(), [[], [], ['tea m1']])
    await search.loadMoreMessages()
    assert.deepEqual(found(), [[], [], ['tea m1', 'tea m2']])
    const asked = server.callsTo('GET', '/search').map(({ query }) => JSON.parse(query.payload!))
    const words = { ...mine, text: { $autocomplete: 'tea' } }
    const page = { filter_conditions: { cid: 'messaging:tea' }, message_filter_conditions: words, limit: 2 }
    assert.deepEqual(asked, [page, { ...page, next: 'n2' }])
    assert.deepEqual([server.callsTo('POST', '/channels'), server.callsTo('GET', '/users')], [[], []])
  })

  it('restarts with another text; late answers to the old one are dropped', async () => {
    const { server, search, found } = await adaSearches()
    const held = server.holds('GET', '/search')
    const first = search.setText('te')
    await settle()
    assert.equal(search.snapshot().searching, true)
    server.answers('GET', '/search', { results: [{ message: aMessage('m9', { text: 'tea' }) }] })
    await search.setText('tea')
    await held.give({ results: [{ message: aMessage('late') }] })
    await first
    assert.deepEqual(found()[2], ['tea'])
    assert.deepEqual([search.snapshot().searching, search.snapshot().error], [false, undefined])
  })

  it('finds nothing for an empty text, without a request', async () => {
    const { server, search, found } = await adaSearches()
    await search.setText('tea')
    server.calls.length = 0
    await search.setText('  ')
    assert.deepEqual([found(), search.snapshot().searching], [[[], [], []], false])
    assert.deepEqual(server.calls, [])
  })

  it('shows results although one source fails, with that error', async () => {
    const { server, search, found } = await adaSearches()
    server.answers('GET', '/users', new Refusal(17, 403, 'not you'))
    await search.setText('tea')
    assert.deepEqual(found(), [['messaging:tea'], [], ['tea m1']])
    assert.equal(search.snapshot().error?.code, 17)
  })

  it('loads the next page of messages', async () => {
    const { server, search, found } = await adaSearches()
    await search.setText('tea')
    assert.equal(search.snapshot().hasMore, true)
    await search.loadMoreMessages()
    assert.deepEqual(found()[2], ['tea m1', 'tea m2'])
    assert.equal(search.snapshot().hasMore, false)
    await search.loadMoreMessages()
    assert.equal(server.callsTo('GET', '/search').length, 2)
  })
})

describe('on a real server', () => {
  let server: RealServer
  beforeAll(async () => {
    server = await startRealServer()
  })
  afterAll(() => server.stop())

  it('users find each other, their channels and the messages in them', async () => {
    await server.company.upsertUsers([
      { id: 'ada', name: 'Ada' },
      { id: 'teresa', name: 'Teresa' },
    ])
    const room = server.company.channel('messaging', 'tea', {
      name: 'Tea time',
      created_by_id: 'ada',
      members: ['ada', 'teresa'],
    })
    await room.create()
    await room.sendMessage({ text: 'A pot of tea', user_id: 'teresa' })
    const search = new Search(await server.connects('ada'))
    await search.setText('te')
    const { channels, users, error } = search.snapshot()
    assert.equal(error, undefined)
    assert.deepEqual(
      channels.map(({ channel }) => channel.name),
      ['Tea time'],
    )
    assert.deepEqual(
      users.map(({ id }) => id),
      ['teresa'],
    )
    for (const words of ['tea', 'po of']) {
      await search.setText(words, { cid: 'messaging:tea' })
      assert.deepEqual(
        search.snapshot().messages.map(({ message }) => message.text),
        ['A pot of tea'],
      )
    }
  })
})
