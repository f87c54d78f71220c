import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { ChatClientOptions } from '../chat-client.ts'
import { aConnectedWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage } from '../testing/wire.ts'

const SEND = '/channels/messaging/tea/message'
const MILK = '/channels/messaging/milk/message'
const broken = new Refusal(-1, 500, 'the database is away')

async function adaInTea(options: Partial<ChatClientOptions> = {}) {
  const world = await aConnectedWorld(options)
  const { server, client } = world
  for (const id of ['tea', 'milk'])
    server.answers('POST', `/channels/messaging/${id}/query`, () => aChannel({ id, cid: `messaging:${id}` }))
  const [tea, milk] = [client.channel('messaging', 'tea'), client.channel('messaging', 'milk')]
  await Promise.all([tea.watch(), milk.watch()])
  const shown = (channel = tea) => channel.state.messages.map(({ text, status }) => `${text}: ${status}`)
  const said = (path = SEND) => server.callsTo('POST', path).map(({ body }) => body.message.text)
  const takes = (path = SEND) => server.answers('POST', path, (call: Call) => ({ message: stored(call) }))
  const breaks = (path = SEND) => server.answers('POST', path, () => Promise.reject(new TypeError('fetch failed')))
  return { ...world, tea, milk, shown, said, takes, breaks }
}

const stored = ({ body: { message } }: Call) => aMessage(message.id, { text: message.text, user: ada })

describe('a failed message', () => {
  it('[MSG-20] [MSG-33] is retried after a second, under its id, and is then shown as sent', async () => {
    const { server, client, clock, tea, shown, takes } = await adaInTea()
    await client.sendAgain()
    server.answers('POST', SEND, broken)
    const { id } = await tea.send({ text: 'hi' })
    assert.deepEqual(shown(), ['hi: failed'])
    takes()
    clock.advance(999)
    assert.equal(server.callsTo('POST', SEND).length, 1)
    clock.advance(1)
    await settle()
    assert.deepEqual(shown(), ['hi: received'])
    assert.deepEqual(new Set(server.callsTo('POST', SEND).map(({ body }) => body.message.id)), new Set([id]))
  })

  it('[MSG-20] is retried three times, with growing delays, and then waits for the user', async () => {
    const { server, client, clock, tea, shown } = await adaInTea()
    await client.sendAgain()
    server.answers('POST', SEND, broken)
    const { id } = await tea.send({ text: 'hi' })
    const tries = []
    for (let seconds = 1; seconds <= 60; seconds++) {
      const before = server.callsTo('POST', SEND).length
      clock.advance(1_000)
      await settle()
      if (server.callsTo('POST', SEND).length > before) tries.push(seconds)
    }
    assert.deepEqual(tries, [1, 3, 7])
    assert.deepEqual(shown(), ['hi: failed'])
    await tea.retry(id)
    clock.advance(60_000)
    await settle()
    assert.equal(server.callsTo('POST', SEND).length, 5)
  })

  it('[MSG-21] that was refused is not retried', async () => {
    const { server, client, clock, tea, shown } = await adaInTea()
    await client.sendAgain()
    server.answers('POST', SEND, new Refusal(17, 403, 'you may not'))
    await tea.send({ text: 'hi' })
    clock.advance(60_000)
    await settle()
    assert.equal(server.callsTo('POST', SEND).length, 1)
    assert.deepEqual(shown(), ['hi: failed'])
  })

  it('[MSG-21] that was refused or blocked is not retried after a reload either', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({ storage })
    first.server.answers('POST', SEND, new Refusal(17, 403, 'you may not'))
    await first.tea.send({ text: 'hi' })
    const stopped = (call: Call) => ({ message: { ...stored(call), type: 'error', text: 'Not here.' } })
    first.server.answers('POST', SEND, stopped)
    await first.tea.send({ text: 'ho' })

    const { server, client, clock, tea, shown } = await adaInTea({ storage })
    await client.sendAgain()
    clock.advance(60_000)
    await settle()
    assert.equal(server.callsTo('POST', SEND).length, 0)
    assert.deepEqual(shown(), ['hi: failed', 'ho: failed'])
    const [hi, ho] = tea.state.messages
    assert.deepEqual([hi?.error?.status, ho?.error?.message, ho?.error?.retry], [403, 'Not here.', false])
    server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    await tea.retry(hi!.id)
    assert.deepEqual(shown(), ['hi: received', 'ho: failed'])
  })

  it('is not retried unless the application enabled it', async () => {
    const { server, clock, tea } = await adaInTea()
    server.answers('POST', SEND, broken)
    await tea.send({ text: 'hi' })
    clock.advance(60_000)
    await settle()
    assert.equal(server.callsTo('POST', SEND).length, 1)
  })

  it('[MSG-22] edit is retried as an edit', async () => {
    const { server, client, clock, tea, shown, takes } = await adaInTea()
    await client.sendAgain()
    takes()
    const { id } = await tea.send({ text: 'hi' })
    server.answers('PUT', `/messages/${id}`, broken)
    await tea.edit(id, { text: 'hello' })
    server.answers('PUT', `/messages/${id}`, { message: aMessage(id, { text: 'hello', user: ada }) })
    clock.advance(1_000)
    await settle()
    assert.deepEqual(shown(), ['hello: received'])
    assert.equal(server.callsTo('POST', SEND).length, 1)
  })
})

describe('while offline', () => {
  it('[CON-24] nothing is retried, and after the reconnect all of it at once, per channel and in order', async () => {
    const { server, client, clock, tea, milk, shown, said, takes, breaks } = await adaInTea()
    await client.sendAgain()
    server.socket.breaks()
    for (const path of [SEND, MILK]) breaks(path)
    for (const text of ['one', 'two', 'three']) await tea.send({ text })
    await milk.send({ text: 'four' })
    assert.deepEqual(shown(), ['one: failed', 'two: failed', 'three: failed'])
    const before = said().length
    for (const path of [SEND, MILK]) takes(path)
    while (server.sockets.length === 1) {
      clock.advance(1_000)
      await settle()
    }
    assert.equal(said().length, before)
    server.socket.confirms(undefined, 'c2')
    await settle()
    assert.deepEqual(said().slice(before), ['one', 'two', 'three'])
    assert.deepEqual(shown(), ['one: received', 'two: received', 'three: received'])
    assert.deepEqual(shown(milk), ['four: received'])
  })

  it('[MSG-20] [CON-24] a new connection starts the three retries over, and waits a second for the first', async () => {
    const { server, client, clock, tea } = await adaInTea()
    await client.sendAgain()
    server.answers('POST', SEND, broken)
    await tea.send({ text: 'hi' })
    const tried = () => server.callsTo('POST', SEND).length
    /** The second in which it is sent again, within the given number. */
    const triesWithin = async (seconds: number) => {
      const tries = []
      for (let second = 1; second <= seconds; second++) {
        const before = tried()
        clock.advance(1_000)
        await settle()
        if (tried() > before) tries.push(second)
      }
      return tries
    }
    assert.deepEqual(await triesWithin(12), [1, 3, 7])
    for (const connection of ['c2', 'c3']) {
      const sockets = server.sockets.length
      const before = tried()
      server.socket.breaks()
      while (server.sockets.length === sockets) {
        clock.advance(1_000)
        await settle()
      }
      assert.equal(tried(), before, 'nothing goes without a connection')
      server.socket.confirms(undefined, connection)
      await settle()
      assert.equal(tried(), before + 1, 'it goes at once')
      assert.deepEqual(await triesWithin(12), [1, 3, 7])
    }
  })

  it('[MSG-33] unsent messages of an earlier page are sent once their channel is queried', async () => {
    const storage = new Map<string, unknown>()
    const first = await adaInTea({ storage })
    first.server.holds('POST', SEND)
    first.tea.send({ text: 'one' })
    first.clock.advance(1)
    first.tea.send({ text: 'two' })
    await settle()
    const world = await aConnectedWorld({ storage })
    await world.client.sendAgain()
    world.server.answers('POST', '/channels/messaging/tea/query', () => aChannel())
    world.server.answers('POST', SEND, (call: Call) => ({ message: stored(call) }))
    const tea = world.client.channel('messaging', 'tea')
    await tea.watch()
    world.clock.advance(0)
    await settle()
    assert.deepEqual(
      tea.state.messages.map(({ text, status }) => `${text}: ${status}`),
      ['one: received', 'two: received'],
    )
    assert.deepEqual(
      world.server.callsTo('POST', SEND).map(({ body }) => body.message.text),
      ['one', 'two'],
    )
  })
})
