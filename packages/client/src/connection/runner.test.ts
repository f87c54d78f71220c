import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { compatibleWith } from '../chat-client.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { aConnectedWorld, aWorld, FakeServer, settle } from '../testing/fake-server.ts'
import { ada, me } from '../testing/wire.ts'
import { developmentToken } from '../token.ts'
import { ConnectionRunner } from './runner.ts'

const token = developmentToken('ada')

describe('the socket', () => {
  it('[CON-1] is opened with the json payload, api_key, authorization and auth type', async () => {
    const { client, server } = aWorld()
    const connecting = client.connectUser({ id: 'ada', name: 'Ada' }, token)
    await settle()
    const { url } = server.socket
    assert.equal(`${url.protocol}//${url.host}${url.pathname}`, 'wss://chat.example.com/connect')
    const { json, ...query } = Object.fromEntries(url.searchParams)
    assert.deepEqual(query, {
      api_key: 'key',
      authorization: token,
      'stream-auth-type': 'jwt',
      'X-Stream-Client': `parley-client compatible-with-${compatibleWith}`,
    })
    const { client_request_id, ...payload } = JSON.parse(json ?? '')
    assert.ok(client_request_id)
    assert.deepEqual(payload, {
      user_id: 'ada',
      user_details: { id: 'ada', name: 'Ada' },
      server_determines_connection_id: true,
    })
    server.socket.confirms()
    await connecting
  })

  it('[CON-2] [CON-3] sends a health check with the client id every 25 s', async () => {
    const { client, server, clock } = await aConnectedWorld()
    assert.match(client.clientID, /^ada--[0-9a-f-]{36}$/)
    clock.advance(24_999)
    assert.deepEqual(server.socket.sent, [])
    clock.advance(1)
    assert.deepEqual(server.socket.sent, [[{ type: 'health.check', client_id: client.clientID }]])
    server.socket.says({ type: 'health.check', connection_id: 'c1' })
    clock.advance(25_000)
    assert.equal(server.socket.sent.length, 2)
  })

  it('[CON-4] is discarded and opened again after 35 s without a frame', async () => {
    const { client, server, clock } = await aConnectedWorld()
    clock.advance(20_000)
    server.socket.says({ type: 'health.check', connection_id: 'c1' })
    clock.advance(34_999)
    assert.equal(client.connection.snapshot().at, 'connected')
    clock.advance(1)
    assert.equal(client.connection.snapshot().at, 'waiting')
    clock.advance(250)
    await settle()
    assert.equal(server.sockets.length, 2)
  })

  it('[CON-20] counts as connected with the first frame, a health.check with the own user', async () => {
    const { client, server } = aWorld()
    let isConnected = false
    const connecting = client.connectUser({ id: 'ada' }, token).then((user) => {
      isConnected = true
      return user
    })
    await settle()
    server.socket.onopen?.()
    await settle()
    assert.equal(isConnected, false)
    server.socket.confirms(me(ada, { total_unread_count: 3 }))
    assert.equal((await connecting).total_unread_count, 3)
    assert.deepEqual(client.connection.snapshot(), { at: 'connected', connectionId: 'c1' })
  })

  it('[CON-12] fails at once, with the reason, where no socket can be made', async () => {
    const reason = new ReferenceError('WebSocket is not defined')
    class NoSocket {
      constructor() {
        throw reason
      }
    }
    const { client } = aWorld({ WebSocket: NoSocket as never })
    await assert.rejects(client.connectUser({ id: 'ada' }, token), {
      code: 'CLIENT_CONNECTION_FAILED',
      message: 'initial WS connection could not be established: pass the option WebSocket',
      cause: reason,
    })
    assert.equal(client.user, undefined)
  })

  it('ignores frames it cannot read', async () => {
    const { client, server } = await aConnectedWorld()
    for (const frame of ['not json', '[]', '42', 'null', '{}']) server.socket.says(frame)
    assert.equal(client.connection.snapshot().at, 'connected')
  })

  it('survives an event with a wrong shape', async () => {
    const { client, server } = await aConnectedWorld()
    client.channel('messaging', 'tea')
    const heard: string[] = []
    client.on((event) => heard.push(event.type))
    server.socket.says({ type: 'message.new', cid: 'messaging:tea' })
    server.socket.says({ type: 'notification.mutes_updated' })
    server.socket.says({ type: 'application.event' })
    assert.deepEqual(heard, ['application.event'])
  })

  it('ignores frames of an older socket', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const heard: string[] = []
    client.on((event) => heard.push(event.type))
    const old = server.socket
    const { onmessage, onclose } = old
    old.breaks()
    clock.advance(250)
    await settle()
    onmessage?.({ data: JSON.stringify({ type: 'message.new', message: {} }) })
    onclose?.({ code: 1006, reason: '' })
    assert.deepEqual(heard, [])
    assert.equal(client.connection.snapshot().at, 'connecting')
  })
})

describe('connecting', () => {
  it('[CON-12] fails for good without a confirmation within 15 s, and leaves no state behind', async () => {
    const { client, server, clock } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    clock.advance(15_000)
    await assert.rejects(connecting, {
      message: 'initial WS connection could not be established',
      code: 'CLIENT_CONNECTION_FAILED',
      transport: true,
    })
    assert.equal(client.userID, undefined)
    const second = client.connectUser({ id: 'bo' }, developmentToken('bo'))
    await settle()
    server.socket.confirms(me({ ...ada, id: 'bo' }))
    assert.equal((await second).id, 'bo')
  })

  it('is retried within the 15 s', async () => {
    const { client, server, clock } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    server.socket.breaks()
    clock.advance(250)
    await settle()
    assert.equal(server.sockets.length, 2)
    server.socket.confirms()
    await connecting
  })

  it('rejects with the server’s refusal', async () => {
    const { client, server } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    server.socket.refuses(43, 'Connect failed')
    await assert.rejects(connecting, { code: 43, status: 401, message: 'error code 43: Connect failed' })
    assert.equal(client.connection.snapshot().at, 'closed')
  })

  it('ends with a disconnect during it, and leaves no socket', async () => {
    const { client, server } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    const closed = client.disconnectUser()
    await assert.rejects(connecting, { code: 'CLIENT_CONNECTION_CLOSED' })
    await closed
    assert.equal(server.socket.closedWith, 1000)
  })

  it('opens no socket when the disconnect comes before the token', async () => {
    const { client, server } = aWorld()
    const { promise, resolve } = Promise.withResolvers<string>()
    const connecting = client.connectUser({ id: 'ada' }, () => promise)
    const rejected = assert.rejects(connecting)
    await client.disconnectUser()
    resolve(token)
    await settle()
    await rejected
    assert.equal(server.sockets.length, 0)
  })

  it('does not use the token of a user who signed out while it was loading', async () => {
    const { client, server } = aWorld()
    const slow = Promise.withResolvers<string>()
    const gone = assert.rejects(client.connectUser({ id: 'ada' }, () => slow.promise))
    void client.disconnectUser()
    const fast = Promise.withResolvers<string>()
    const connecting = client.connectUser({ id: 'bo' }, () => fast.promise)
    slow.resolve(token)
    await settle()
    await gone
    assert.equal(server.sockets.length, 0)
    fast.resolve(developmentToken('bo'))
    await settle()
    assert.equal(server.socket.url.searchParams.get('authorization'), developmentToken('bo'))
    server.socket.confirms(me({ ...ada, id: 'bo' }))
    await connecting
  })

  it('[AUTH-17] loads another token when the server reports it expired, at first and later', async () => {
    let loads = 0
    const { client, server } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, () => `${developmentToken('ada')}${++loads}`)
    await settle()
    server.socket.refuses(40)
    await settle()
    assert.equal(server.socket.url.searchParams.get('authorization'), `${developmentToken('ada')}2`)
    server.socket.confirms()
    await connecting
    server.socket.refuses(40)
    await settle()
    assert.equal(server.sockets.length, 3)
    assert.equal(loads, 3)
  })

  it('does not load a token on an ordinary reconnect', async () => {
    let loads = 0
    const { server, clock } = await aConnectedWorld({
      token: () => {
        loads++
        return token
      },
    })
    server.socket.breaks()
    clock.advance(250)
    await settle()
    assert.equal(server.sockets.length, 2)
    assert.equal(loads, 1)
  })

  it('[AUTH-18] a fixed token that has expired is one rejection and no loop', async () => {
    const { client, server, clock } = aWorld()
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    server.socket.refuses(40)
    await assert.rejects(connecting, { code: 40 })
    clock.advance(60_000)
    await settle()
    assert.equal(server.sockets.length, 1)
  })

  it('[AUTH-18] gives later callers the error with which it ended', async () => {
    const { client, server } = await aConnectedWorld()
    server.socket.refuses(40)
    await assert.rejects(client.queryChannels({}), { code: 40 })
    await client.closeConnection()
    await assert.rejects(client.queryChannels({}), { code: 'CLIENT_CONNECTION_CLOSED' })
  })

  it('[CON-13] throws for a second connect while one is running', async () => {
    const runner = new ConnectionRunner({
      fallback: false,
      longPoll: { call: () => new Promise(() => {}), payload: () => ({}) },
      clock: new FakeClock(),
      random: () => 0,
      Socket: new FakeServer().Socket,
      url: () => 'wss://chat.example.com/connect',
      clientID: () => 'ada--1',
      token: async () => 'token',
      isRenewable: () => false,
      heard: () => {},
      tell: () => {},
      recover: () => {},
      log: () => {},
    })
    const first = runner.connect()
    await assert.rejects(runner.connect(), {
      message: "You've called connect twice, can only attempt 1 connection at the time",
      code: 'CLIENT_CONNECT_TWICE',
    })
    void runner.disconnect()
    await assert.rejects(first)
  })
})

describe('losing and restoring the connection', () => {
  it('[CON-6] is announced 5 s after the loss, and at once when it is back', async () => {
    const { client, server, clock } = await aConnectedWorld({ random: () => 1 })
    const told: boolean[] = []
    client.on('connection.changed', ({ online }) => told.push(online))
    server.socket.breaks()
    clock.advance(1_000)
    await settle()
    server.socket.breaks()
    clock.advance(2_000)
    await settle()
    server.socket.breaks()
    clock.advance(1_999)
    assert.deepEqual(told, [])
    clock.advance(1)
    assert.deepEqual(told, [false])
    assert.equal(client.online.snapshot(), false)
    clock.advance(10_000)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    assert.deepEqual(told, [false, true])
  })

  it('[CON-6] is not announced when it is back within 5 s', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const told: boolean[] = []
    client.on('connection.changed', ({ online }) => told.push(online))
    server.socket.breaks()
    clock.advance(250)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    clock.advance(20_000)
    assert.deepEqual(told, [])
  })

  it('[CON-6] is also announced when the loss is final, and when it is opened again', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const told: boolean[] = []
    client.on('connection.changed', ({ online }) => told.push(online))
    server.socket.refuses(99)
    assert.equal(client.connection.snapshot().at, 'closed')
    clock.advance(4_999)
    assert.deepEqual(told, [])
    clock.advance(1)
    assert.deepEqual(told, [false])
    const opening = client.openConnection()
    await settle()
    server.socket.confirms(me(ada), 'c2')
    await opening
    assert.deepEqual(told, [false, true])
  })

  it('[CON-7] is retried without end once there was a connection', async () => {
    const { client, server, clock } = await aConnectedWorld({ random: () => 1 })
    const at = () => client.connection.snapshot().at
    server.socket.breaks()
    for (let second = 0; second < 120; second++) {
      clock.advance(1_000)
      await settle()
      if (at() === 'connecting') server.socket.breaks()
    }
    while (at() === 'waiting') {
      clock.advance(1_000)
      await settle()
    }
    server.socket.confirms(me(ada), 'c2')
    assert.equal(at(), 'connected')
  })

  it('[CON-7] discards a socket that fails without closing, and opens another one', async () => {
    const { client, server, clock } = await aConnectedWorld()
    const [failed] = server.sockets
    failed?.onerror?.({})
    assert.equal(client.connection.snapshot().at, 'waiting')
    assert.equal(failed?.closedWith, 4_000)
    clock.advance(250)
    await settle()
    assert.equal(server.sockets.length, 2)
  })

  it('[CON-4] a page that slept for longer than 35 s checks at once when it is shown again', async () => {
    const page = new EventTarget()
    const { addEventListener } = globalThis
    globalThis.addEventListener = page.addEventListener.bind(page) as typeof addEventListener
    try {
      const { client, server, clock } = await aConnectedWorld()
      const at = () => client.connection.snapshot().at
      // Timers sleep with the page, the clock does not.
      clock.isSet(30_000)
      server.socket.says({ type: 'health.check', connection_id: 'c1' })
      clock.isSet(30_000)
      page.dispatchEvent(new Event('pageshow'))
      assert.equal(at(), 'connected')
      clock.isSet(6_000)
      page.dispatchEvent(new Event('pageshow'))
      assert.equal(at(), 'waiting')
    } finally {
      Object.assign(globalThis, { addEventListener })
    }
  })

  it('[CON-9] the browser’s offline event ends every attempt; its online event starts one 10 ms later', async () => {
    const listeners = new Map<string, () => void>()
    const { addEventListener } = globalThis
    globalThis.addEventListener = ((type: string, listener: () => void, { signal }: { signal: AbortSignal }) => {
      listeners.set(type, listener)
      signal.addEventListener('abort', () => listeners.delete(type))
    }) as never
    try {
      const { client, server, clock } = await aConnectedWorld()
      listeners.get('offline')?.()
      clock.advance(60_000)
      await settle()
      assert.equal(server.sockets.length, 1)
      listeners.get('online')?.()
      clock.advance(9)
      await settle()
      assert.equal(server.sockets.length, 1)
      clock.advance(1)
      await settle()
      assert.equal(server.sockets.length, 2)
      await client.disconnectUser()
      assert.deepEqual([...listeners.keys()], [], 'nothing of it stays')
    } finally {
      Object.assign(globalThis, { addEventListener })
    }
  })

  it('reconnects after a close with 1000 that the client did not request', async () => {
    const { client, server, clock } = await aConnectedWorld()
    server.socket.breaks(1000)
    assert.equal(client.connection.snapshot().at, 'waiting')
    clock.advance(250)
    await settle()
    assert.equal(server.sockets.length, 2)
  })

  it('[CON-11] closes with code 1000 on request, and waits a second at most', async () => {
    const { client, server, clock } = await aConnectedWorld()
    await client.disconnectUser()
    assert.equal(server.socket.closedWith, 1000)

    const deaf = await aConnectedWorld()
    deaf.server.socket.close = () => {}
    let isClosed = false
    const closing = deaf.client.disconnectUser().then(() => {
      isClosed = true
    })
    deaf.clock.advance(999)
    await settle()
    assert.equal(isClosed, false)
    deaf.clock.advance(1)
    await closing
    clock.advance(60_000)
    await settle()
    assert.equal(server.sockets.length, 1, 'nothing comes after the end')
  })
})

describe('openConnection', () => {
  it('needs a user', async () => {
    const message = 'No user is set on this client; call connectUser or connectAnonymousUser first'
    await assert.rejects(aWorld().client.openConnection(), { message, code: 'CLIENT_NO_USER' })
  })

  it('opens one socket, however often it is called, and keeps the user', async () => {
    const { client, server } = await aConnectedWorld()
    await client.closeConnection()
    assert.equal(client.userID, 'ada')
    const opening = [client.openConnection(), client.openConnection()]
    await settle()
    server.socket.confirms(me(ada), 'c2')
    await Promise.all(opening)
    await client.openConnection()
    assert.equal(server.sockets.length, 2)
  })

  it('retries at once where a lost connection waits for its next attempt, and continues when that fails', async () => {
    const { client, server, clock } = await aConnectedWorld({ random: () => 1 })
    server.socket.breaks()
    const opening = client.openConnection()
    clock.advance(10)
    await settle()
    assert.equal(server.sockets.length, 2)
    server.socket.breaks()
    clock.advance(2_000)
    await settle()
    assert.equal(server.sockets.length, 3)
    server.socket.confirms(me(ada), 'c2')
    await opening
  })

  it('is what connecting the same user does after closeConnection', async () => {
    const { client, server } = await aConnectedWorld()
    await client.closeConnection()
    const connecting = client.connectUser({ id: 'ada' }, token)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    assert.equal((await connecting).id, 'ada')
    assert.equal(client.connection.snapshot().at, 'connected')
  })
})
