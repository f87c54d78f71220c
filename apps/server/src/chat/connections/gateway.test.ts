import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection as connectTcp } from 'node:net'
import { it } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, sign } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('[CON-1] [CON-20] the first frame is a health check with the connection’s id and the own user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'One')
    await bo.sends(room, 'Two')

    const first = await ada.connects()
    assert.equal(first.type, 'health.check')
    assert.equal(first.cid, '*')
    assert.match(first.connection_id, /^[0-9a-f-]{36,73}$/)
    assert.deepEqual([first.me.id, first.me.name, first.me.online], ['ada', 'Ada', true])
    assert.deepEqual([first.me.unread_count, first.me.total_unread_count, first.me.unread_channels], [2, 2, 1])
    assert.deepEqual([first.me.devices, first.me.mutes, first.me.channel_mutes], [[], [], []])
  })

  it('all connect parameters may be headers', async () => {
    const { ada } = await fixture.createApp('ada')
    const url = new URL(`${ada.url.replace(/^http/, 'ws')}/connect`)
    url.searchParams.set('api_key', ada.app.key)
    url.searchParams.set('json', JSON.stringify({ user_details: { id: 'ada' } }))
    const socket = new WebSocket(url, { headers: { Authorization: ada.token, 'stream-auth-type': 'jwt' } })
    const frame = await new Promise<string>((resolve) => socket.on('message', (data) => resolve(String(data))))
    socket.close()
    assert.equal(JSON.parse(frame).me.id, 'ada')
  })

  it('a new user is created, with all their details but role and teams', async () => {
    const { appServer } = await fixture.createApp()
    const bo = appServer.user('bo')
    const details = { name: 'Bo', favourite: 'tea', role: 'admin', teams: ['red'], invisible: false }
    const { me } = await bo.connects({ details })
    assert.deepEqual([me.name, me.favourite, me.role, me.teams], ['Bo', 'tea', 'user', []])
  })

  it('user details are merged on connecting, and an id alone changes nothing', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await ada.connects({ details: { favourite: 'tea', image: 'https://example.com/ada.png' } })
    const again = await ada.device().connects({ details: { mood: 'fine' } })
    assert.deepEqual(
      [again.me.name, again.me.favourite, again.me.mood, again.me.image],
      ['Ada', 'tea', 'fine', 'https://example.com/ada.png'],
    )
    const before = again.me.updated_at
    fixture.clock.advance(1)
    const third = await ada.device().connects()
    assert.equal(third.me.updated_at, before)
    assert.equal(appServer.app.id, ada.app.id)
  })

  it('[CON-26] connecting with the same details as before, or only an id, changes nothing', async () => {
    const { ada } = await fixture.createApp('ada')
    const privacy_settings = { read_receipts: { enabled: false } }
    const { me } = await ada.connects({ details: { name: 'Ada L.', mood: 'fine', language: 'de', privacy_settings } })
    fixture.clock.advance(1)
    const json = JSON.stringify({ user_id: 'ada', user_details: null })
    for (const what of [{ details: me }, { details: { name: null, image: null } }, { query: { json } }]) {
      const again = await ada.device().connects(what)
      assert.deepEqual([again.me.updated_at, again.me.name, again.me.mood], [me.updated_at, 'Ada L.', 'fine'])
    }
    assert.equal((await ada.receivedTypes()).includes('user.updated'), false)
  })

  it('[CON-11] a refusal comes as a frame with both envelopes, then the socket ends with 1000', async () => {
    const { ada } = await fixture.createApp('ada')
    const frame = await ada.connects({ token: 'wrong' })
    assert.equal(frame.type, 'connection.error')
    assert.deepEqual([frame.error.code, frame.error.StatusCode], [5, 401])
    assert.match(frame.error.message, /^Connect failed with error: "/)
    await ada.ends()
    assert.equal(ada.closed?.code, 1000)
  })

  it('[CON-1] an error in the connect parameters is sent in a frame too', async () => {
    const { ada } = await fixture.createApp('ada')
    const refused = async (json: string | object) => {
      const device = ada.device()
      const text = typeof json === 'string' ? json : JSON.stringify(json)
      return (await device.connects({ query: { json: text } })).error.code
    }
    assert.equal(await refused('{'), 4)
    assert.equal(await refused('5'), 4)
    assert.equal(await refused('[5]'), 4)
    assert.equal(await refused({ user_id: 'ada', user_details: 5 }), 4)
    assert.equal(await refused({ user_id: 'bo' }), 5)
    assert.equal(await refused({ user_details: { id: 'ada', name: 5 } }), 4)
    assert.equal(await refused({ user_details: { id: 'ada', invisible: 'yes' } }), 4)
    assert.equal(await refused({ user_details: { id: 'ada', note: 'x'.repeat(6_000) } }), 22)
    assert.equal(await refused({ user_id: 'bo', user_details: { id: 'ada' } }), 5)
    assert.equal(await refused({ user_id: 'ada', user_details: { id: 'bo' } }), 5)
    assert.equal(await refused({ user_details: { id: 'bo' } }), 5)
  })

  it('[AUTH-12] the server’s own token opens no socket', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const both = sign(ada.app.secret, { server: true, user_id: 'ada' })
    for (const token of [appServer.token, both]) assert.equal((await ada.device().connects({ token })).error.code, 5)
  })

  it('[CON-2] a health check is answered, alone or as a list with one; anything else is ignored', async () => {
    const { ada } = await fixture.createApp('ada')
    const { connection_id } = await ada.connects()
    ada.events.length = 0
    for (const noise of ['hello', '', '{}', '[]', 'null', '5', '[null]', '{"type":"message.new"}', '{"type":7}'])
      ada.whispers(noise)
    ada.whispers('{"type":"health.check","client_id":"ada--1"}')
    ada.whispers('[{"type":"health.check","client_id":"ada--1"}]')
    for (const _ of [1, 2]) assert.equal((await ada.receives('health.check')).connection_id, connection_id)
    assert.deepEqual(
      ada.events.filter((event) => event.type !== 'user.presence.changed'),
      [],
    )
  })

  it('an oversized frame ends the socket', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.connects()
    ada.whispers('x'.repeat(70_000))
    await ada.ends()
  })

  it('[CON-21] an idle socket receives a health check at least every 30 s', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.connects()
    ada.events.length = 0
    fixture.clock.advance(30_000)
    const check = await ada.receives('health.check')
    assert.equal(check.connection_id, ada.connectionId)
    assert.equal(check.me, undefined)
  })

  it('[CON-21] who was silent for 60 s is dropped, and asked to come back by a code that is not 1000', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await ada.connects()
    await bo.connects()
    bo.events.length = 0
    fixture.clock.advance(55_000)
    await bo.receives('health.check')
    await bo.received()
    assert.deepEqual([ada.closed], [undefined])
    fixture.clock.advance(5_000)
    await ada.ends()
    assert.notEqual(ada.closed?.code, 1000)
    await bo.received()
    assert.ok(!bo.closed)
  })

  it('[CON-21] who sends nothing but pings of the protocol is not silent', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.connects()
    fixture.clock.advance(55_000)
    await ada.pings()
    fixture.clock.advance(50_000)
    await ada.received()
    assert.ok(!ada.closed)
  })

  it('[AUTH-19] a live socket receives an error when its token expires, and ends', async () => {
    const { ada } = await fixture.createApp('ada')
    const exp = Math.floor(fixture.clock.now() / 1000) + 20
    await ada.connects({ token: sign(ada.app.secret, { user_id: 'ada', exp }) })
    fixture.clock.advance(10_000)
    await ada.received()
    fixture.clock.advance(15_000)
    const { error } = await ada.receives('connection.error')
    assert.equal(error.code, 40)
    assert.match(error.message, /JWTAuth error: token is expired/)
    await ada.ends()
    assert.equal(ada.closed?.code, 1000)
  })

  it('[AUTH-14] a live socket receives an error when its token is revoked, and ends; a newer token stays', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const now = Math.floor(fixture.clock.now() / 1000)
    const newer = ada.device()
    await ada.connects({ token: sign(ada.app.secret, { user_id: 'ada', iat: now - 60 }) })
    await newer.connects({ token: sign(ada.app.secret, { user_id: 'ada', iat: now }) })
    const set = { revoke_tokens_issued_before: new Date((now - 30) * 1000).toISOString() }
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set }] } })
    fixture.clock.advance(5_000)
    assert.equal((await ada.receives('connection.error')).error.code, 40)
    await ada.ends()
    await newer.received()
    assert.ok(!newer.closed)
  })

  it('[AUTH-14] connected users receive an error when the app revokes all tokens, also without any call', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const anonymous = appServer.user('!anon')
    await anonymous.connects({ token: '' })
    const now = Math.floor(fixture.clock.now() / 1000)
    await ada.connects({ token: sign(ada.app.secret, { user_id: 'ada', iat: now - 60 }) })
    const { users } = fixture.nodes[0]!.server
    const revoke_tokens_issued_before = new Date((now - 30) * 1000).toISOString()
    await appServer.does('PATCH', '/app', { body: { revoke_tokens_issued_before } })
    users.clear()
    fixture.clock.advance(5_000)
    assert.equal((await ada.receives('connection.error')).error.code, 40)
    await ada.ends()
    await anonymous.received()
    assert.ok(!anonymous.closed)
  })

  it('[USR-20] who is shut out in the middle of connecting does not stay', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { hub } = fixture.nodes[0]!.server
    const attach = hub.attach
    const shutOutMeanwhile = () => {
      hub.attach = async (connection) => {
        hub.attach = attach
        await appServer.does('POST', '/users/ada/deactivate', { body: {} })
        return attach.call(hub, connection)
      }
    }
    shutOutMeanwhile()
    const { error } = await ada.connects()
    assert.deepEqual([error.code, error.StatusCode], [5, 401])
    await ada.ends()
    await appServer.does('POST', '/users/ada/reactivate', { body: {} })
    shutOutMeanwhile()
    const json = JSON.stringify({ user_details: { id: 'ada' } })
    await ada.isRefused(5, 'GET', '/longpoll', { query: { json } })
    assert.equal(hub.connectionsOf(appServer.app.id, 'ada'), 0)
  })

  it('nothing follows a goodbye, however long its reader keeps the socket open', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const json = encodeURIComponent(JSON.stringify({ user_details: { id: 'ada' } }))
    const { host, hostname, port } = new URL(ada.url)
    const socket = connectTcp({ host: hostname, port: Number(port) })
    let received = ''
    const ended = once(socket, 'close')
    const isTold = (text: string) =>
      new Promise<void>((resolve) => {
        const look = () => void (received.includes(text) && resolve())
        socket.on('data', look)
        look()
      })
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
    })
    socket.write(
      [
        `GET /connect?api_key=${ada.app.key}&authorization=${ada.token}&stream-auth-type=jwt&json=${json} HTTP/1.1`,
        ...[`Host: ${host}`, 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      ].join('\r\n'),
    )
    await isTold('connection_id')
    await bo.sends(room, 'Welcome')
    await isTold('Welcome')
    await appServer.does('POST', '/users/ada/deactivate', { body: {} })
    await isTold('connection.error')
    await bo.sends(room, 'Now we are among ourselves')
    await bo.receives('message.new', ({ message }) => message.text.startsWith('Now'))
    // The answer to the goodbye: a masked close frame with nothing in it.
    socket.write(Buffer.from([0x88, 0x80, 0, 0, 0, 0]))
    await ended
    assert.equal(received.includes('among ourselves'), false)
  })

  it('[ERR-29] [ERR-34] a user has at most 50 sockets; one more is refused with 71', async () => {
    const { ada } = await fixture.createApp('ada')
    const devices = Array.from({ length: 50 }, () => ada.device())
    for (const device of devices) assert.equal((await device.connects()).type, 'health.check')
    const frame = await ada.connects()
    assert.deepEqual([frame.error.code, frame.error.StatusCode], [71, 429])
    await devices[0]!.leaves()
    await devices[1]!.received()
    assert.equal((await ada.connects()).type, 'health.check')
    for (const device of [ada, ...devices.slice(1)]) await device.leaves()
  })

  it('an invalid address does not stop the server', async () => {
    const { ada } = await fixture.createApp('ada')
    const { hostname, port } = new URL(ada.url)
    for (const address of [
      '//',
      'http://',
      '*',
      '/connect?%',
      '/connect?json=%7B',
      '/connect?json=[]&api_key=%00',
      '',
    ]) {
      const lines = [`GET ${address} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket']
      const shake = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
      await new Promise<void>((resolve) => {
        const socket = connectTcp({ host: hostname, port: Number(port) }, () => {
          socket.write(`${[...lines, ...shake].join('\r\n')}\r\n\r\n`)
        })
        socket.on('data', () => socket.destroy())
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      })
    }
    assert.equal((await ada.connects()).type, 'health.check')
  })

  it('NUL in an address is dropped, however it is written', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const nul of ['%00', '%0%000']) {
      const socket = new WebSocket(`${ada.url.replace(/^http/, 'ws')}/connect?json={}&api_key=unknown${nul}`)
      const [frame] = await once(socket, 'message')
      assert.equal(JSON.parse(String(frame)).error.code, 2)
    }
  })

  it('a socket opens also where a slash ends its address', async () => {
    const { ada } = await fixture.createApp('ada')
    const socket = new WebSocket(`${ada.url.replace(/^http/, 'ws')}/connect/?json={}&api_key=unknown`)
    const [frame] = await once(socket, 'message')
    assert.equal(JSON.parse(String(frame)).error.code, 2)
  })

  it('no socket opens at another address', async () => {
    const { ada } = await fixture.createApp('ada')
    const socket = new WebSocket(`${ada.url.replace(/^http/, 'ws')}/elsewhere`)
    await new Promise((resolve) => socket.on('error', resolve))
  })

  it('[HTTP-3] watching needs a socket: without one 4, with one that is gone 46', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const body of [{ watch: true }, { presence: true }]) {
      const refused = await ada.isRefused(4, 'POST', `${path(room)}/query`, { body })
      assert.match(refused.message, /Watch or Presence requires an active websocket connection/)
      await ada.isRefused(4, 'POST', '/channels', { body })
    }
    const gone = await ada.isRefused(46, 'POST', '/channels', {
      body: { watch: true },
      query: { connection_id: 'gone' },
    })
    assert.equal(gone.StatusCode, 400)
    await bo.connects()
    await ada.isRefused(46, 'POST', '/channels', { body: { watch: true }, query: { connection_id: bo.connectionId! } })
  })
})

onEveryTransport((fixture) => {
  it('[CHN-46] [CHN-47] users who start or stop watching are published to the others, once per user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)

    await bo.watches(room)
    const start = await ada.receives('user.watching.start')
    assert.deepEqual([start.user.id, start.watcher_count, start.cid], ['bo', 2, room])
    const tablet = bo.device()
    const state = await tablet.watches(room)
    assert.equal(state.watcher_count, 2)
    assert.deepEqual(state.watchers?.map((user) => user.id).sort(), ['ada', 'bo'])

    await bo.leaves()
    await tablet.does('POST', `${path(room)}/stop-watching`, { body: {} })
    const stop = await ada.receives('user.watching.stop')
    assert.deepEqual([stop.user.id, stop.watcher_count], ['bo', 1])
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => type.startsWith('user.watching')),
      [],
    )
  })

  it('[CHN-21] a user who stopped watching receives no more events of the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], {}, 'livestream')
    await bo.watches(room)
    await bo.does('POST', `${path(room)}/stop-watching`, { body: {} })
    await ada.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { mood: 'fine' } }] } })
    await appServer.does('POST', `${path(room)}`, { body: { data: { name: 'Tea' } } })
    assert.equal((await bo.receivedTypes()).includes('channel.updated'), false)
    await bo.isRefused(4, 'POST', `${path(room)}/stop-watching`, { body: {}, query: { connection_id: undefined } })
  })

  it('[CHN-46] anonymous watchers are counted on all nodes, and neither named nor published', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], {}, 'livestream')
    await ada.watches(room)
    const comes = async ({ url }: { url: string }) => {
      const anonymous = appServer.user('!anon', url)
      anonymous.token = ''
      await anonymous.connects({ query: { json: '{}' } })
      const { watcher_count } = await anonymous.opensChannel(room, { watch: true })
      return { anonymous, watcher_count }
    }
    const first = await comes(fixture.nodes[0]!)
    const second = await comes(fixture.nodes.at(-1)!)
    assert.deepEqual([first.watcher_count, second.watcher_count], [2, 3])

    const { watcher_count, watchers } = await ada.opensChannel(room)
    assert.deepEqual([watcher_count, watchers?.map(({ id }) => id)], [3, ['ada']])
    await first.anonymous.leaves()
    await second.anonymous.leaves()
    await eventually(async () => (await ada.opensChannel(room)).watcher_count === 1, 'both are gone')
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => type.startsWith('user.watching')),
      [],
    )
  })

  it('a database that is away for a moment ends no server', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { server } = fixture.nodes.at(-1)!
    const desk = bo.device(fixture.nodes.at(-1)!.url)
    await ada.watches(room)
    await desk.connects()
    bo.connectionId = desk.connectionId
    const unheard: unknown[] = []
    const note = (error: unknown) => void unheard.push(error)
    process.on('unhandledRejection', note)

    const { watch } = server.hub
    server.hub.watch = () => Promise.reject(new Error('The database is away.'))
    await bo.isRefused(-1, 'POST', `${path(room)}/query`, { body: { watch: true } })
    server.hub.watch = watch
    await bo.opensChannel(room, { watch: true })
    await ada.receives('user.watching.start')
    const asked = Promise.withResolvers<void>()
    const { get } = server.channels
    server.channels.get = () => {
      asked.resolve()
      return Promise.reject(new Error('The database is away.'))
    }
    await desk.leaves()
    await asked.promise
    server.channels.get = get
    await bo.sends(room, 'Still there?')
    await ada.receives('message.new')
    process.off('unhandledRejection', note)
    assert.deepEqual(unheard, [])
  })

  it('what a connection watches ends with it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)
    await bo.leaves()
    assert.equal((await ada.receives('user.watching.stop')).watcher_count, 1)
    await bo.connects()
    await ada.sends(room, 'Still there?')
    await bo.receives('notification.message_new')
    assert.equal((await bo.receivedTypes()).includes('message.new'), false)
  })
})
