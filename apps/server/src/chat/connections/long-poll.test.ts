import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'vitest'
import { Connection, Outbox } from '../../platform/realtime/connection.ts'
import { textFrame } from '../../platform/realtime/frames.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type ReceivedEvent, type TestUser } from '../../testing/test-user.ts'
import { PollWire } from './poll-wire.ts'

const HOLD_MS = 25_000
const FORGOTTEN_MS = 60_000
const ROUND_MS = 5_000

/** A user whose network blocks sockets. */
class Poller {
  readonly testUser: TestUser
  /** Where each poll goes, in turn: behind a load balancer that is anywhere. */
  readonly urls: readonly string[]
  #polls = 0
  constructor(testUser: TestUser, urls: readonly string[]) {
    this.testUser = testUser
    this.urls = urls
  }

  async connects(): Promise<ReceivedEvent> {
    const { id } = this.testUser
    const json = JSON.stringify({ user_id: id, user_details: { id } })
    const { event } = await this.testUser.does('GET', '/longpoll', { query: { json, connection_id: undefined } })
    this.testUser.connectionId = event.connection_id
    // The first to come of oneself is that one is there.
    await this.receives('user.presence.changed')
    return event
  }

  async polls(): Promise<ReceivedEvent[]> {
    return (await this.#elsewhere().does('GET', '/longpoll')).events
  }

  /** Polls until an event of this type came; gives all that came with it. */
  async receives(type: string): Promise<ReceivedEvent[]> {
    const received: ReceivedEvent[] = []
    while (!received.some((event) => event.type === type)) received.push(...(await this.polls()))
    return received
  }

  isRefused(code: number) {
    return this.#elsewhere().isRefused(code, 'GET', '/longpoll')
  }

  async leaves() {
    await this.#elsewhere().does('GET', '/longpoll', { query: { close: 'true' } })
  }

  /** The same user on the next node. */
  #elsewhere(): TestUser {
    const device = this.testUser.device(this.urls[this.#polls++ % this.urls.length])
    device.connectionId = this.testUser.connectionId
    return device
  }
}

onEveryTransport((fixture) => {
  const urls = () => fixture.nodes.map((node) => node.url)

  it('[LPL-2] [LPL-12] a poll receives what a socket receives, in the same order, on whichever node it comes in', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'before')
    const poller = new Poller(bo, urls())
    const first = await poller.connects()
    assert.deepEqual([first.type, first.cid, first.me.id, first.me.total_unread_count], ['health.check', '*', 'bo', 1])

    const socket = bo.device()
    await socket.watches(room)
    const elsewhere = bo.device(urls().at(-1))
    elsewhere.connectionId = bo.connectionId
    const { watcher_count, watchers } = await elsewhere.opensChannel(room, { watch: true })
    assert.deepEqual([watcher_count, watchers?.map(({ id }) => id)], [1, ['bo']])

    const waiting = poller.receives('typing.stop')
    const sent = await ada.sends(room, 'one')
    await ada.does('POST', `/messages/${sent.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await ada.does('POST', `${path(room)}/event`, { body: { event: { type: 'typing.start' } } })
    await ada.does('DELETE', `/messages/${sent.id}`)
    await ada.does('POST', `${path(room)}/event`, { body: { event: { type: 'typing.stop' } } })

    const received = await waiting
    const bySocket = await socket.received()
    const facts = (events: readonly ReceivedEvent[]) => events.filter(({ type }) => !type.startsWith('user.'))
    assert.deepEqual(facts(received), facts(bySocket))
    assert.equal(received.find(({ type }) => type === 'message.new')?.total_unread_count, 2)

    await elsewhere.does('POST', `${path(room)}/stop-watching`, { body: {} })
    await ada.sends(room, 'two')
    assert.deepEqual(
      (await poller.receives('notification.message_new')).map(({ type }) => type),
      ['notification.message_new'],
    )
  })

  it('[LPL-12] however much has happened, and however long it is, all of it comes', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const poller = new Poller(bo, urls())
    await poller.connects()
    const attachments = Array.from({ length: 30 }, () => ({ type: 'file', title: '\\'.repeat(2_500) }))
    const texts = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
    for (const text of texts) await ada.sends(room, text, { attachments })

    const received: string[] = []
    while (received.length < texts.length)
      for (const { message } of await poller.polls()) if (message) received.push(message.text)
    assert.deepEqual(received, texts)
  })

  it('[LPL-2] [LPL-11] a poll is held for 25 s, answered with nothing, and the connection ends on request', async () => {
    const { bo } = await fixture.createApp('bo')
    const poller = new Poller(bo, urls())
    await poller.connects()
    const connection = fixture.nodes.flatMap(({ server }) => server.hub.connections.get(bo.connectionId!) ?? [])[0]!
    const heardBefore = connection.lastReceivedAt
    fixture.clock.advance(1)
    const poll = poller.polls()
    await eventually(() => connection.lastReceivedAt > heardBefore, 'the poll is held')
    const heldTo = fixture.clock.now() + HOLD_MS
    fixture.clock.advance(HOLD_MS)
    assert.deepEqual(await poll, [])
    assert.ok(fixture.clock.now() < heldTo + 10_000, 'no longer')

    await poller.leaves()
    await poller.isRefused(46)
    await poller.leaves()
    bo.connectionId = `${randomUUID()}-${randomUUID()}`
    await poller.isRefused(46)
  })

  it('[LPL-11] a client that does not poll for 60 s is disconnected, with its watches', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const poller = new Poller(bo, urls())
    await poller.connects()
    await bo.opensChannel(room, { watch: true })
    await ada.watches(room)
    await ada.received()

    const { connectionId } = bo
    const isKnown = () => fixture.nodes.some(({ server }) => server.hub.connections.has(connectionId!))
    for (let waited = 0; waited <= FORGOTTEN_MS; waited += ROUND_MS) {
      if (waited < FORGOTTEN_MS) assert.ok(isKnown(), `forgotten after ${waited} ms`)
      fixture.clock.advance(ROUND_MS)
      // No time passes until this arrives: a node whose beats are late counts as dead, with its watchers.
      await bo.does('POST', `${path(room)}/event`, { body: { event: { type: 'typing.start' } } })
      await ada.receives('typing.start')
      ada.whispers(JSON.stringify([{ type: 'health.check', client_id: 'ada' }]))
      await ada.received().then((events) => ada.events.push(...events))
    }
    // Where a node asks for watchers again, the answer may need longer than the time that passed here.
    const { user } = await ada.receives('user.watching.stop', ({ watcher_count }) => watcher_count === 1)
    assert.equal(user.id, 'bo')
    await poller.isRefused(46)
  })

  it('an abandoned answer is given to the next poll', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const poller = new Poller(bo, urls())
    await poller.connects()
    for (const url of urls()) {
      const away = new AbortController()
      const query = new URLSearchParams({ api_key: bo.app.key, user_id: 'bo', connection_id: bo.connectionId! })
      const headers = { Authorization: bo.token, 'stream-auth-type': 'jwt' }
      const lost = fetch(`${url}/longpoll?${query}`, { headers, signal: away.signal })
      await new Promise((resolve) => setTimeout(resolve, 50))
      away.abort()
      await assert.rejects(lost)
      await ada.sends(room, `through ${url}`)
      const [event] = await poller.receives('notification.message_new')
      assert.equal(event!.message.text, `through ${url}`)
    }
  })
})

onEveryStorage((fixture) => {
  it('[LPL-2] a second poll relieves the first, and only the owner may poll', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const poller = new Poller(bo, [bo.url])
    await poller.connects()
    const first = poller.polls()
    const second = poller.polls()
    assert.deepEqual(await Promise.race([first, second]), [])
    await ada.sends(room, 'for the second')
    const events = (await Promise.all([first, second])).flat()
    assert.deepEqual(
      events.map(({ type }) => type),
      ['notification.message_new'],
    )

    ada.connectionId = bo.connectionId
    await new Poller(ada, [ada.url]).isRefused(46)
    const stranger = bo.device()
    stranger.connectionId = bo.connectionId
    stranger.token = ''
    await stranger.isRefused(46, 'GET', '/longpoll')
    await ada.isRefused(4, 'GET', '/longpoll', { query: { json: '{"user_details":', connection_id: undefined } })
    await bo.isRefused(5, 'GET', '/longpoll', {
      query: { json: JSON.stringify({ user_details: { id: 'ada' } }), connection_id: undefined },
    })
    await bo.isRefused(5, 'GET', '/longpoll', { query: { json: '{}', user_id: 'ada', connection_id: undefined } })
  })
})

it('a client that does not fetch its events is dropped before they fill the memory', async () => {
  let ended = 0
  const outbox = new Outbox()
  const wire = new PollWire(() => {
    ended += 1
  })
  const connection = new Connection({ id: 'c', app: 'a', userId: 'bo', anonymous: false, now: 0 }, wire, outbox)
  connection.begin()
  const frame = textFrame(Buffer.from(JSON.stringify({ text: 'x'.repeat(60_000) })))
  let sent = 0
  while (ended === 0 && sent < 1_000) {
    connection.send(frame)
    sent += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.deepEqual([ended, outbox.dropped, wire.isOver], [1, 1, true])
  assert.ok(sent < 200)
})
