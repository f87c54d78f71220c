import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it, onTestFinished } from 'vitest'
import type { ChatClientOptions } from '../chat-client.ts'
import { answeredError, ChatError } from '../chat-error.ts'
import { soon } from '../on-demand.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { aWorld, type Call, Refusal, settle } from '../testing/fake-server.ts'
import { aChannel, ada, aMessage, me, posted } from '../testing/wire.ts'
import { developmentToken } from '../token.ts'
import { type LongPoll, type LongPollSignal, longPollStep } from './long-poll.ts'
import { type LongPollAnswer, LongPollSocket } from './long-poll-socket.ts'

const token = developmentToken('ada')
const coded = (code: number) => answeredError({ code, message: 'no', StatusCode: 400 }, 400)
const health = (connectionID: string) => ({
  event: { type: 'health.check', connection_id: connectionID, cid: '*', me: me(ada) },
})

/** A client whose sockets never open; `polls` are the answers to its polls, in order. */
async function aPollingWorld(options: Partial<ChatClientOptions> & { token?: () => string } = {}) {
  const { token: given = token, ...rest } = options
  // As after a page's first moments: the code for events is loaded.
  await soon.fetch()
  const world = aWorld({ enableWSFallback: true, ...rest })
  const polls: PromiseWithResolvers<unknown>[] = []
  let connections = 0
  const respond = ({ query }: Call) => {
    if (query.close) return {}
    if (query.json) return health(`p${++connections}`)
    const poll = Promise.withResolvers<unknown>()
    polls.push(poll)
    return poll.promise
  }
  world.server.answers('GET', '/longpoll', respond)
  const connecting = world.client.connectUser({ id: 'ada' }, given)
  await settle()
  world.server.socket.breaks()
  await settle()
  await connecting
  await settle()
  return {
    ...world,
    callsToLongPoll: () => world.server.callsTo('GET', '/longpoll'),
    /** Answers the open poll. */
    async hears(...events: object[]) {
      polls.at(-1)?.resolve({ events })
      await settle()
    },
    async fails(refusal: Refusal | TypeError) {
      const poll = polls.at(-1)
      if (refusal instanceof TypeError) poll?.reject(refusal)
      else poll?.resolve(refusal)
      await settle()
    },
    polls: () => polls.length,
  }
}

/** A browser that reports its network state, until the test ends. */
function aBrowser(): EventTarget {
  const browser = new EventTarget()
  const { addEventListener, removeEventListener } = globalThis
  onTestFinished(() => void Object.assign(globalThis, { addEventListener, removeEventListener }))
  globalThis.addEventListener = browser.addEventListener.bind(browser) as typeof addEventListener
  globalThis.removeEventListener = browser.removeEventListener.bind(browser) as typeof removeEventListener
  return browser
}

describe('the state machine', () => {
  const anySignal: fc.Arbitrary<LongPollSignal> = fc.oneof(
    fc.constantFrom<LongPollSignal>(
      { type: 'connect' },
      { type: 'opened', connectionId: 'p1' },
      { type: 'answered' },
      { type: 'waited' },
      { type: 'pause' },
      { type: 'resume' },
      { type: 'disconnect' },
    ),
    fc
      .constantFrom(
        coded(46),
        coded(9),
        coded(17),
        new ChatError('gone', { code: 'ERR_NETWORK' }),
        new ChatError('late', { code: 'ECONNABORTED' }),
      )
      .map((error): LongPollSignal => ({ type: 'failed', error })),
  )

  it('[LPL-1] knows the states INIT, CONNECTING, CONNECTED, DISCONNECTED and CLOSED, and no other', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(fc.array(anySignal, { maxLength: 30 }), (signals) => {
        let poll: LongPoll = { at: 'INIT' }
        reached.add(poll.at)
        for (const signal of signals) {
          const before: LongPoll = poll
          const [next, ...effects] = longPollStep(before, signal)
          poll = next
          reached.add(poll.at)
          // Only a connection that the server knows is polled, and CLOSED is final.
          if (effects.some((effect) => effect.do === 'poll')) assert.equal(poll.at, 'CONNECTED')
          if (before.at === 'CLOSED') assert.equal(poll, before)
        }
      }),
      { numRuns: 500 },
    )
    assert.deepEqual([...reached].sort(), ['CLOSED', 'CONNECTED', 'CONNECTING', 'DISCONNECTED', 'INIT'])
  })

  it('[LPL-1] closes from every state, and sends the end to the server if that knows the connection', () => {
    const leaves = (poll: LongPoll) => longPollStep(poll, { type: 'disconnect' })
    const disconnected = { at: 'DISCONNECTED' }
    assert.deepEqual(leaves({ at: 'INIT' }), [disconnected])
    assert.deepEqual(leaves({ at: 'CONNECTING' }), [disconnected, { do: 'cancel' }])
    const connected: LongPoll = { at: 'CONNECTED', connectionId: 'p1', failures: 2, paused: true }
    assert.deepEqual(leaves(connected), [disconnected, { do: 'cancel' }, { do: 'end', connectionId: 'p1' }])
    const [again, ...effects] = longPollStep(disconnected as LongPoll, { type: 'connect' })
    assert.deepEqual([again, effects], [{ at: 'CONNECTING' }, [{ do: 'connect' }]])
  })

  it('[LPL-10] waits longer after each failure, and starts over after an answer', () => {
    let poll: LongPoll = { at: 'CONNECTED', connectionId: 'p1', failures: 0, paused: false }
    const waits: number[] = []
    for (let i = 0; i < 3; i++) {
      const [next, effect] = longPollStep(poll, { type: 'failed', error: coded(9) })
      assert.ok(effect?.do === 'wait')
      waits.push(effect.ms)
      poll = next
    }
    assert.deepEqual(waits, [250, 500, 750])
    const [fresh, again] = longPollStep(poll, { type: 'answered' })
    assert.deepEqual(fresh, { at: 'CONNECTED', connectionId: 'p1', failures: 0, paused: false })
    assert.equal(again?.do, 'poll')
  })
})

describe('the states of a connection', () => {
  function aPoll(answers: ((query: Record<string, unknown>) => Promise<LongPollAnswer>)[]) {
    const seen: string[] = []
    const clock = new FakeClock()
    const poll: LongPollSocket = new LongPollSocket({
      clock,
      random: () => 0,
      payload: () => ({ user_id: 'ada' }),
      recover: () => {},
      forgotten: () => seen.push(poll.state),
      call: (query) => {
        const answer = answers.shift()
        return answer ? answer(query) : new Promise(() => {})
      },
    })
    return { poll, clock, seen }
  }

  it('[LPL-1] [LPL-6] code 46 leads from CONNECTED over DISCONNECTED to CONNECTING, without an id', async () => {
    const asked: Record<string, unknown>[] = []
    const { poll, seen } = aPoll([
      async () => health('p1'),
      async () => Promise.reject(coded(46)),
      async (query) => {
        asked.push(query)
        return health('p2')
      },
    ])
    assert.equal(poll.state, 'CONNECTING')
    await settle()
    assert.deepEqual(seen, ['DISCONNECTED'])
    assert.deepEqual(asked, [{ json: { user_id: 'ada' } }])
    assert.equal(poll.state, 'CONNECTED')
    poll.close()
    assert.equal(poll.state, 'DISCONNECTED')
  })

  it('[LPL-7] a coded error that is not retryable ends in CLOSED', async () => {
    const { poll } = aPoll([async () => health('p1'), async () => Promise.reject(coded(17))])
    const frames: unknown[] = []
    poll.onmessage = ({ data }) => frames.push(data)
    await settle()
    assert.equal(poll.state, 'CLOSED')
    assert.equal((frames.at(-1) as { error: { code: number } }).error.code, 17)
  })
})

describe('when the socket fails', () => {
  it('[LPL-9] is used only where the application enabled it', async () => {
    const { client, server } = aWorld()
    client.connectUser({ id: 'ada' }, token).catch(() => {})
    await settle()
    server.socket.breaks()
    await settle()
    assert.equal(server.callsTo('GET', '/longpoll').length, 0)
    assert.equal(client.connection.snapshot().at, 'waiting')
  })

  it('[LPL-9] is not used when the server answered', async () => {
    const { client, server } = aWorld({ enableWSFallback: true })
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    server.socket.refuses(43)
    await assert.rejects(connecting, { code: 43 })
    assert.equal(server.callsTo('GET', '/longpoll').length, 0)
  })

  it('[CON-10] waits 6 s for the socket instead of 15 s, and then polls', async () => {
    const { client, server, clock } = aWorld({ enableWSFallback: true })
    server.answers('GET', '/longpoll', ({ query }) => (query.json ? health('p1') : new Promise(() => {})))
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    clock.advance(5_999)
    await settle()
    assert.equal(server.callsTo('GET', '/longpoll').length, 0)
    clock.advance(1)
    await settle()
    await connecting
    assert.deepEqual(client.connection.snapshot(), { at: 'connected', connectionId: 'p1', over: 'longpoll' })
  })

  it('[LPL-2] connects with json, polls with connection_id, and ends with close', async () => {
    const { client, callsToLongPoll, hears } = await aPollingWorld()
    const [connect, poll] = callsToLongPoll()
    const { client_request_id, ...payload } = JSON.parse(connect?.query.json ?? '')
    assert.ok(client_request_id)
    assert.deepEqual(payload, { user_id: 'ada', user_details: { id: 'ada' }, server_determines_connection_id: true })
    assert.deepEqual(
      [connect?.query.api_key, connect?.query.user_id, connect?.query.connection_id],
      ['key', 'ada', undefined],
    )
    assert.equal(connect?.headers.Authorization, token)
    assert.deepEqual(poll?.query, { api_key: 'key', user_id: 'ada', connection_id: 'p1' })
    await hears()
    assert.deepEqual(callsToLongPoll()[2]?.query, poll?.query)
    await client.disconnectUser()
    assert.deepEqual(callsToLongPoll()[3]?.query, {
      api_key: 'key',
      user_id: 'ada',
      connection_id: 'p1',
      close: 'true',
    })
  })

  it('[LPL-3] polls again after 30 s without an answer', async () => {
    const { client, clock, polls } = await aPollingWorld()
    clock.advance(29_999)
    await settle()
    assert.equal(polls(), 1)
    clock.advance(1)
    await settle()
    assert.equal(polls(), 2)
    assert.equal(client.connection.snapshot().at, 'connected')
  })

  it('[LPL-4] fails after 8 s without a connection, and so does the first connection', async () => {
    const { client, server, clock } = aWorld({ enableWSFallback: true })
    server.answers('GET', '/longpoll', () => new Promise(() => {}))
    const connecting = client.connectUser({ id: 'ada' }, token)
    connecting.catch(() => {})
    await settle()
    server.socket.breaks()
    await settle()
    clock.advance(7_999)
    await settle()
    assert.deepEqual(client.connection.snapshot().at, 'connecting')
    clock.advance(1)
    await assert.rejects(connecting, { message: 'initial WS connection could not be established', transport: true })
    assert.equal(client.userID, undefined)
  })

  it('[LPL-5] ends within 2 s, also without an answer', async () => {
    const { client, server, clock } = await aPollingWorld()
    server.answers('GET', '/longpoll', () => new Promise(() => {}))
    let isClosed = false
    client.disconnectUser().then(() => {
      isClosed = true
    })
    await settle()
    assert.ok(clock.waits.includes(2_000))
    clock.advance(2_000)
    await settle()
    assert.ok(isClosed)
    assert.deepEqual(clock.waits, [])
  })

  it('[LPL-12] delivers the same events in the same order', async () => {
    const { client, server, hears } = await aPollingWorld()
    const heard: string[] = []
    client.on('message.new', ({ message }) => heard.push(message.id))
    const events = ['m1', 'm2', 'm3', 'm4'].map((id, minute) => posted(aMessage(id, { minute })))
    await hears(events[0]!, events[1]!)
    await hears(events[2]!)
    await hears()
    await hears(events[3]!)
    assert.deepEqual(heard, ['m1', 'm2', 'm3', 'm4'])
    assert.equal(server.sockets.length, 1)
  })

  it('[LPL-6] connects again when the server has dropped it, reports that, and reloads its channels', async () => {
    const { client, callsToLongPoll, fails, server } = await aPollingWorld()
    const told: unknown[] = []
    client.on('connection.changed', ({ online }) => told.push(online))
    client.on('connection.recovered', () => told.push('recovered'))
    await fails(new Refusal(46, 400, 'connection id not found'))
    await settle()
    assert.equal(callsToLongPoll()[2]?.query.connection_id, undefined)
    assert.ok(callsToLongPoll()[2]?.query.json)
    assert.deepEqual(client.connection.snapshot(), { at: 'connected', connectionId: 'p2', over: 'longpoll' })
    assert.deepEqual(told, [false, true, 'recovered'])
    await client.getUnreadCount()
    assert.equal(server.callsTo('GET', '/unread')[0]?.query.connection_id, 'p2')
  })

  it('[LPL-7] ends for good with a coded error that is not retryable', async () => {
    const { client, fails, polls } = await aPollingWorld()
    const told: boolean[] = []
    client.on('connection.changed', ({ online }) => told.push(online))
    await fails(new Refusal(99, 403, 'suspended'))
    const connection = client.connection.snapshot()
    assert.ok(connection.at === 'closed' && connection.error?.code === 99)
    assert.deepEqual(told, [false])
    assert.equal(polls(), 1)
  })

  it('[LPL-8] continues with a fresh token after the old one expired, with backoff when that repeats', async () => {
    let loads = 0
    const tokens = () => `${token}${loads++ || ''}`.replace(/\.devtoken(\d*)$/, '.devtoken$1')
    const { client, callsToLongPoll, fails, clock } = await aPollingWorld({ token: tokens })
    await fails(new Refusal(40, 401, 'expired'))
    assert.equal(loads, 2)
    assert.equal(callsToLongPoll().at(-1)?.headers.Authorization, `${token}1`)
    await fails(new Refusal(40, 401, 'expired'))
    assert.equal(loads, 2, 'the second reload waits')
    clock.advance(250)
    await settle()
    assert.equal(loads, 3)
    assert.equal(callsToLongPoll().at(-1)?.headers.Authorization, `${token}2`)
    assert.equal(client.connection.snapshot().at, 'connected')
  })

  it('[LPL-10] stays connected through network failures and retryable errors, and waits before the next poll', async () => {
    const { client, clock, fails, polls } = await aPollingWorld()
    await fails(new TypeError('fetch failed'))
    assert.deepEqual([client.connection.snapshot().at, polls()], ['connected', 1])
    clock.advance(250)
    await settle()
    assert.equal(polls(), 2)
    await fails(new Refusal(9, 429, 'too many'))
    clock.advance(499)
    await settle()
    assert.equal(polls(), 2)
    clock.advance(1)
    await settle()
    assert.deepEqual([client.connection.snapshot().at, polls()], ['connected', 3])
  })

  it('reloads its channels after a failed poll, whose answer may be lost', async () => {
    const { client, server, clock, fails, hears } = await aPollingWorld()
    server.answers('POST', '/channels', { channels: [aChannel()] })
    const [tea] = await client.queryChannels({})
    server.answers('POST', '/channels', { channels: [aChannel({}, { messages: [aMessage('m1')] })] })
    await fails(new TypeError('fetch failed'))
    clock.advance(250)
    await settle()
    assert.deepEqual(
      tea?.state.messages.map(({ id }) => id),
      ['m1'],
    )
    const asked = server.callsTo('POST', '/channels').length
    await hears()
    assert.equal(server.callsTo('POST', '/channels').length, asked)
  })

  it('[LPL-10] pauses while the browser is offline', async () => {
    const browser = aBrowser()
    const { client, clock, polls } = await aPollingWorld()
    assert.ok(client.connection.snapshot().at === 'connected')
    browser.dispatchEvent(new Event('offline'))
    clock.advance(120_000)
    await settle()
    assert.deepEqual([client.connection.snapshot().at, polls()], ['connected', 1])
    browser.dispatchEvent(new Event('online'))
    await settle()
    assert.equal(polls(), 2)
  })

  it('retries the socket after five minutes, and switches to it without a gap', async () => {
    const { client, server, clock, hears, polls } = await aPollingWorld()
    const heard: string[] = []
    client.on('message.new', ({ message }) => heard.push(message.id))
    clock.advance(300_000)
    await settle()
    assert.equal(server.sockets.length, 2)
    await hears(posted(aMessage('m1')))
    client.on('connection.recovered', () => heard.push('recovered'))
    server.socket.confirms(me(ada), 'c9')
    await settle()
    assert.deepEqual(client.connection.snapshot(), { at: 'connected', connectionId: 'c9' })
    assert.equal(server.callsTo('GET', '/longpoll').at(-1)?.query.close, 'true')
    const before = polls()
    server.socket.says(posted(aMessage('m2', { minute: 1 })))
    clock.advance(60_000)
    assert.deepEqual([heard, polls()], [['m1', 'recovered', 'm2'], before])
  })

  it('discards a socket that still does not open, and retries five minutes later', async () => {
    const { client, server, clock } = await aPollingWorld()
    clock.advance(300_000)
    await settle()
    clock.advance(6_000)
    assert.equal(server.socket.closedWith, 4_000)
    clock.advance(294_000)
    await settle()
    assert.equal(server.sockets.length, 3)
    assert.equal(client.connection.snapshot().at, 'connected')
  })
})
