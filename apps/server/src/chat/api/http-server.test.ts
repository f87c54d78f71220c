import assert from 'node:assert/strict'
import { request } from 'node:http'
import { createConnection } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, it, onTestFinished, vi } from 'vitest'
import { startServer } from '../../app.ts'
import { endpoints } from '../../operations.ts'
import { Validator } from '../../platform/http/validate.ts'
import { readSettings } from '../../platform/settings.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { AppServer, path } from '../../testing/test-user.ts'
import { exampleOf } from './examples.ts'

/** The timeout for a body that does not arrive. */
const BODY_MS = 30_000

onEveryStorage((fixture) => {
  it('[HTTP-19] [USR-2] an error has the reason, the field and the operation', async () => {
    const { ada } = await fixture.createApp('ada')
    const body = await ada.isRefused(4, 'POST', '/users', { body: { users: { ada: { name: 'Ada' } } } })
    assert.equal(body.message, 'UpdateUsers failed with error: "users.ada.id is a required field"')
    assert.deepEqual(body.exception_fields, { 'users.ada.id': 'users.ada.id is a required field' })
    assert.equal(body.StatusCode, 400)
    assert.deepEqual(body.details, [])
    assert.equal(typeof body.more_info, 'string')
    assert.match(body.duration, /^\d+\.\d\dms$/)
  })

  it('a path with an empty id is refused with a clear error', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const [method, address] of [
      ['DELETE', '/push_providers/firebase/'],
      ['GET', '/messages/'],
    ] as const) {
      const { message } = await ada.isRefused(16, method, address)
      assert.equal(
        message,
        `Call failed with error: "there is no ${method} ${address}; a part of the address is empty"`,
      )
    }
    assert.match((await ada.isRefused(16, 'GET', '/nowhere')).message, /there is no GET \/nowhere"$/)
  })

  it('[HTTP-19] every response carries its duration', async () => {
    const { ada } = await fixture.createApp('ada')
    const { duration } = await ada.does('GET', '/app')
    assert.match(duration, /^\d+\.\d\dms$/)
  })

  it('[HTTP-1] [HTTP-2] [HTTP-4] the caller is given by api_key, user_id and the authorization header', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await ada.does('GET', '/app')
    await ada.isRefused(2, 'GET', '/app', { query: { api_key: undefined } })
    await ada.isRefused(5, 'GET', '/app', { query: { user_id: 'bo' } })
    await ada.isRefused(5, 'GET', '/app', { headers: { Authorization: '' } })
    await appServer.does('GET', '/app', { query: { user_id: 'ada' } })
  })

  it('[ERR-16] a client that keeps sending a too large body still receives the error', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await appServer.does('PATCH', '/app', { body: { file_upload_config: { size_limit: 10 } } })
    const much = 'x'.repeat(20_000_000)
    const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${much}\r\n--b--\r\n`
    for (const [address, type, sent] of [
      ['/channels', 'application/json', JSON.stringify({ much })],
      [`${path(room)}/file`, 'multipart/form-data; boundary=b', file],
    ] as const) {
      const head = [
        `POST ${address}?api_key=${ada.app.key}&user_id=ada HTTP/1.1`,
        'Host: x',
        `Authorization: ${ada.token}`,
        `Content-Type: ${type}`,
        `Content-Length: ${sent.length}`,
        'Connection: close',
      ]
      const { status, body } = await raw(ada.url, `${head.join('\r\n')}\r\n\r\n${sent}`)
      assert.deepEqual([status, body.code], [413, 22])
    }
  })

  it('internal errors are logged, and refusals are not', async () => {
    const { ada } = await fixture.createApp('ada')
    const { faults, users, commit } = fixture.nodes[0]!.server
    const report = vi.spyOn(faults, 'report').mockImplementation(() => {})
    onTestFinished(() => report.mockRestore())
    await ada.does('GET', '/app')
    await ada.isRefused(4, 'POST', '/channels', { body: '{' })
    await ada.isRefused(16, 'GET', '/messages/nobody')
    assert.equal(report.mock.calls.length, 0)

    const fails = () => Promise.reject(new TypeError('x is undefined'))
    justBefore(commit, 'write', fails)
    const device = { id: 'phone', push_provider: 'firebase' }
    const { message } = await ada.isRefused(-1, 'POST', '/devices', { body: device })
    assert.equal(message.includes('undefined'), false)
    justBefore(users, 'get', fails)
    await ada.isRefused(3, 'GET', '/app')
    assert.deepEqual(
      report.mock.calls.map(([what, , fields]) => [what, fields]),
      [
        ['a call failed', { operation: 'CreateDevice' }],
        ['a call failed', { operation: 'GetApp' }],
      ],
    )
  })

  it('a body that is not a JSON object is refused with 4', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const body of ['{', '"text"', '[1]', '5', 'true', '{"users":', '{"filter_conditions":[]}', '\u0000'])
      await ada.isRefused(4, 'POST', '/channels', { body })
    await ada.does('POST', '/channels', { body: '' })
    const answer = await ada.call('POST', '/channels', { body: '{}', headers: { 'Content-Type': 'text/plain' } })
    assert.equal(answer.status, 201)
  })

  it('a list in place of a filter gets its own error', async () => {
    const { ada } = await fixture.createApp('ada')
    const body = await ada.isRefused(4, 'POST', '/channels', { body: { filter_conditions: [] } })
    assert.match(body.message, /expected object for field \\?"filter_conditions\\?" but got array/)
  })

  it('fields of the wrong type are named by their path', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const wrong: [body: object, field: string][] = [
      [{ state: 'yes' }, 'state'],
      [{ messages: { limit: 'ten' } }, 'messages.limit'],
      [{ messages: { limit: 1.5 } }, 'messages.limit'],
      [{ members: { limit: -1 } }, 'members.limit'],
      [{ data: { frozen: 1 } }, 'data.frozen'],
      [{ data: ['name'] }, 'data'],
    ]
    for (const [body, field] of wrong) {
      const refused = await ada.isRefused(4, 'POST', `${path(room)}/query`, { body })
      assert.deepEqual(Object.keys(refused.exception_fields), [field])
    }
  })

  it('the error for a wrong value lists the allowed ones', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const wrong: [path: string, body: object, text: string][] = [
      ['/channels', { sort: [{ field: 'name', direction: 2 }] }, 'sort.0.direction must be one of 1, -1'],
      ['/users/delete', { user_ids: ['ada'], user: 'none' }, 'user must be one of soft, hard, pruning'],
      [path(room), { reject_invite: 'no' }, 'expected boolean for field "reject_invite" but got string'],
      [path(room), { add_members: [5] }, 'expected string or object for field "add_members.0" but got number'],
      [path(room), { add_members: [{ name: 'Bo' }] }, 'add_members.0.user_id is a required field'],
    ]
    for (const [at, body, text] of wrong) {
      const refused = await appServer.isRefused(4, 'POST', at, { body })
      assert.equal(Object.values(refused.exception_fields)[0], text)
    }
    const settings: [body: object, text: string][] = [
      [{ max_message_length: 0 }, 'max_message_length must be >= 1'],
      [{ max_message_length: 'long' }, 'expected integer or null for field "max_message_length" but got string'],
      [{ automod: 'hard' }, 'automod must be one of disabled, simple, AI'],
      [{ blocklist_behavior: 'hard' }, 'blocklist_behavior must be one of flag, block, shadow_block'],
    ]
    for (const [body, text] of settings) {
      const refused = await appServer.isRefused(4, 'PUT', '/channeltypes/messaging', { body })
      assert.equal(Object.values(refused.exception_fields)[0], text)
    }
    const { exception_fields } = await ada.isRefused(4, 'GET', '/users', { query: { payload: '[5]' } })
    assert.deepEqual(exception_fields, { payload: 'expected object for field "payload" but got array' })
  })

  it('[ERR-16] [ERR-34] a huge body is refused with 22', async () => {
    const { ada } = await fixture.createApp('ada')
    const body = await ada.isRefused(22, 'POST', '/channels', { body: { text: 'a'.repeat(600_000) } })
    assert.equal(body.StatusCode, 413)
    assert.match(body.message, /^QueryChannels failed/)
  })

  it('keys such as __proto__ are ordinary text', async () => {
    const { ada } = await fixture.createApp('ada')
    const odd = '{"id":"ada","__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}},"toString":"me"}'
    const { users } = await ada.does('POST', '/users', { body: `{"users":{"ada":${odd}}}` })
    assert.equal(users.ada.role, 'user')
    assert.deepEqual(Object.getOwnPropertyDescriptor(users.ada, '__proto__')?.value, { role: 'admin' })
    assert.equal(users.ada.toString, 'me')
    assert.equal(({} as { x?: number }).x, undefined)
    await ada.isRefused(4, 'POST', '/channels', { body: '{"__proto__":{"limit":1},"limit":99}' })
    await ada.does('POST', '/channels', { body: '{"filter_conditions":{"__proto__":"x","constructor":1}}' })
  })

  it('NUL and lone surrogates, which no database stores, are dropped', async () => {
    const { ada } = await fixture.createApp('ada')
    const body = String.raw`{"users":{"ada":{"id":"ada","name":"A\u0000d\uD800a","mood\u0000":"\uDC00ok"}}}`
    const { users } = await ada.does('POST', '/users', { body })
    assert.equal(users.ada.name, 'Ad\uFFFDa')
    assert.equal(users.ada.mood, '\uFFFDok')
    const payload = String.raw`{"filter_conditions":{"name":"A\u0000d\uD800a"}}`
    const found = await ada.does('GET', '/users', { query: { payload } })
    assert.deepEqual(
      found.users.map((user: { id: string }) => user.id),
      ['ada'],
    )
  })

  it('NUL in a URL is dropped too', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.does('GET', '/app', { query: { user_id: 'a\0da' } })
    await ada.isRefused(16, 'GET', '/messages/%00')
    await ada.isRefused(2, 'GET', '/app', { query: { api_key: '\0' } })
    assert.equal((await ada.connects({ query: { api_key: '\0' } })).error.code, 2)
  })

  it('of a repeated parameter the last one counts', async () => {
    const { ada } = await fixture.createApp('ada')
    const twice = `${ada.url}/app?api_key=nobody&user_id=bo&api_key=${ada.app.key}&user_id=ada&user_id[x]=y`
    const answer = await fetch(twice, { headers: { Authorization: ada.token } })
    assert.equal(answer.status, 200)
  })

  it('[HTTP-27] a list in a URL may be several parameters of one name', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const sent = [await ada.sends(room, 'One'), await ada.sends(room, 'Two'), await ada.sends(room, 'Three')]
    const [one, two] = sent.map(({ id }) => id)
    for (const asked of [
      `ids=${one},${two}`,
      `ids=${one}&ids=${two}`,
      `ids[]=${one}&ids[]=${two}`,
      `ids[0]=${one}&ids[1]=${two}`,
    ]) {
      const { messages } = await ada.does('GET', `${path(room)}/messages?${asked}`)
      assert.deepEqual(
        messages.map(({ text }: { text: string }) => text),
        ['One', 'Two'],
        asked,
      )
    }
    const { server_side } = await appServer.does('GET', '/rate_limits?server_side=true&endpoints=Search&endpoints=Sync')
    assert.deepEqual(Object.keys(server_side), ['Search', 'Sync'])
  })

  it('an unknown path is 404 in the usual error format', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const [method, address] of [
      ['GET', '/nothing'],
      ['DELETE', '/app'],
      ['GET', '/channels/messaging'],
      ['POST', '/connect'],
      ['GET', '/%zz'],
      ['GET', `/messages/${'x'.repeat(3_000)}`],
    ] as const) {
      const { status, body, headers } = await ada.call(method, address, {
        headers: { Origin: 'https://elsewhere.example' },
      })
      assert.deepEqual([status, body.code, body.StatusCode], [404, 16, 404])
      // Otherwise a browser page would take it for a network failure.
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.match(headers.get('access-control-expose-headers')!, /x-client-request-id/)
    }
  })

  it('a call that offers an upgrade to HTTP/2 is answered normally', async () => {
    const { ada } = await fixture.createApp('ada')
    const offer = 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__'
    const head = `POST /channels?api_key=${ada.app.key} HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada.token}`
    const { status, body } = await raw(ada.url, `${head}\r\n${offer}\r\nContent-Length: 2\r\n\r\n{}`)
    assert.deepEqual([status, 'channels' in body], [201, true])
  })

  it('URL parameters may be long, in any language', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await ada.connects({ details: { about: 'я'.repeat(2_500), name: 'Я'.repeat(200) } })
    assert.equal(ada.me.about, 'я'.repeat(2_500))
    const payload = JSON.stringify({ filter_conditions: { about: 'я'.repeat(2_400), name: 'Я'.repeat(100) } })

    const { users } = await appServer.does('GET', '/users', { query: { payload } })

    assert.deepEqual(users, [])
  })

  it('[ERR-18] too large headers are refused with 24', async () => {
    const { ada } = await fixture.createApp('ada')
    const { status, body } = await raw(ada.url, `GET /app HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`)
    assert.equal(status, 431)
    assert.deepEqual([body.code, body.StatusCode], [24, 431])
    assert.match(body.message, /^Call failed with error: "/)
  })

  it('[ERR-17] [ERR-34] a body that does not arrive times out with 23', async () => {
    const { ada } = await fixture.createApp('ada')
    const head = [
      `POST /channels?api_key=${ada.app.key}&user_id=ada HTTP/1.1`,
      'Host: x',
      `Authorization: ${ada.token}`,
      'Content-Length: 100',
      'Expect: 100-continue',
      'Connection: close',
    ]
    const text = `${head.join('\r\n')}\r\n\r\n{"filter`
    const { status, body } = await raw(ada.url, text, () => fixture.clock.advance(30_000))
    assert.deepEqual([status, body.code, body.StatusCode], [408, 23, 408])
    assert.match(body.message, /^QueryChannels failed with error: "/)
  })

  it('a request that is not HTTP is refused with 4', async () => {
    const { ada } = await fixture.createApp('ada')
    const { status, body } = await raw(ada.url, 'HELLO\r\n\r\n')
    assert.deepEqual([status, body.code], [400, 4])
  })

  it('the request id is returned, whatever the response', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const [address, token] of [
      ['/app', ada.token],
      ['/app', 'wrong'],
      ['/nothing', ada.token],
      ['/%zz', ada.token],
    ] as const) {
      const { headers } = await ada.call('GET', address, {
        headers: { 'x-client-request-id': 'trace-7', Authorization: token },
      })
      assert.equal(headers.get('x-client-request-id'), 'trace-7', address)
    }
    assert.equal((await ada.call('GET', '/app')).headers.get('x-client-request-id'), null)
  })

  it('[SET-5] every response has the three rate-limit headers, even without limits', async () => {
    const { ada } = await fixture.createApp('ada')
    for (const [address, token] of [
      ['/app', ada.token],
      ['/app', 'wrong'],
      ['/nothing', ada.token],
    ] as const) {
      const { headers } = await ada.call('GET', address, { headers: { Authorization: token } })
      const number = (name: string) => Number(headers.get(name) ?? 'NaN')
      assert.ok(number('X-RateLimit-Limit') > 0, address)
      assert.ok(number('X-RateLimit-Remaining') > 0, address)
      const wait = number('X-RateLimit-Reset') - fixture.clock.now() / 1000
      assert.ok(wait > -1 && wait <= 61, `${address}: ${wait}`)
      assert.equal(headers.get('Retry-After'), null)
    }
  })

  it('a page can read every refusal, also those that no call comes to', async () => {
    const { ada } = await fixture.createApp('ada')
    const call = 'POST /app HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2'
    for (const [text, status] of [
      ['HELLO\r\n\r\n', 400],
      [`GET /app HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
      [`GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
      ['GET /users/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
      [`GET /polls/${'x'.repeat(2_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 404],
      [`${call}\r\nExpect: tea\r\n\r\n{}`, 417],
      [`${call}\r\nContent-Encoding: gzip\r\n\r\n{}`, 400],
      [
        'POST /app HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 600000\r\n\r\n'.concat(
          'x'.repeat(600_000),
        ),
        413,
      ],
      ['PUT /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', 404],
    ] as const) {
      const { head, body, ...answer } = await raw(ada.url, text)
      assert.deepEqual([answer.status, body.StatusCode], [status, status], text.slice(0, 100))
      assert.match(head, /^access-control-allow-origin: \*$/im, text.slice(0, 100))
      assert.match(head, /^access-control-expose-headers: .*X-RateLimit-Reset.*X-Server-Time/im, text.slice(0, 100))
      assert.match(head, /^x-ratelimit-remaining: \d+$/im, text.slice(0, 100))
    }
  })

  it('a page of any origin may call, with every method and our headers', async () => {
    const { ada } = await fixture.createApp('ada')
    const own = 'authorization,stream-auth-type,x-stream-client,x-stream-ext,x-client-request-id,content-type'
    const wanted = `${own},traceparent,tracestate,baggage,sentry-trace,*`
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${ada.url}/channels/messaging/tea/query`, {
        method: 'OPTIONS',
        headers: {
          Origin: 'https://elsewhere.example',
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': wanted,
        },
      })
      assert.ok(answer.ok)
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.ok(answer.headers.get('access-control-allow-methods')?.split(', ').includes(method))
      assert.equal(answer.headers.get('access-control-max-age'), '86400')
      const allowed = answer.headers.get('access-control-allow-headers')!.toLowerCase()
      for (const header of wanted.split(',')) assert.ok(allowed.includes(header), header)
    }
    assert.ok((await fetch(`${ada.url}/users`, { method: 'OPTIONS' })).ok)
    const { headers, status } = await ada.call('GET', '/app', {
      headers: { Origin: 'https://elsewhere.example', Authorization: 'wrong' },
    })
    assert.equal(status, 401)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.deepEqual(headers.get('access-control-expose-headers')!.split(', '), [
      ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'x-client-request-id'],
      'X-Server-Time',
    ])
  })

  it('[HTTP-32] every response carries the server time, an error too', async () => {
    const { ada } = await fixture.createApp('ada')
    fixture.clock.advance(3_600_000)
    for (const path of ['/app', '/nowhere', '/alive']) {
      const before = fixture.clock.now()
      const { headers } = await ada.call('GET', path)
      const said = Number(headers.get('x-server-time'))
      assert.ok(before <= said && said <= fixture.clock.now(), `${path}: ${said}`)
    }
  })

  it('responses and bodies may be compressed', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const asked = Buffer.from(JSON.stringify({ filter_conditions: { cid: room }, state: true }))
    const plain = await zipped(ada.url, ada, {}, asked)
    assert.equal(plain.encoding, undefined)
    assert.equal(JSON.parse(plain.bytes.toString()).channels[0].channel.cid, room)
    const both = await zipped(
      ada.url,
      ada,
      { 'Accept-Encoding': 'br, gzip', 'Content-Encoding': 'GZIP' },
      gzipSync(asked),
    )
    assert.equal(both.encoding, 'gzip')
    assert.equal(JSON.parse(gunzipSync(both.bytes).toString()).channels[0].channel.cid, room)
    const declined = await zipped(ada.url, ada, { 'Accept-Encoding': 'gzip;q=0' }, asked)
    assert.equal(declined.encoding, undefined)
    const bomb = await zipped(ada.url, ada, { 'Content-Encoding': 'gzip' }, gzipSync('a'.repeat(2_000_000)))
    assert.equal(bomb.status, 413)
    // The server does not read the body of a call to an unknown path.
    const headers = 'Host: x\r\nConnection: close\r\nContent-Encoding: gzip\r\nContent-Length: 10'
    const unread = await raw(ada.url, `GET /nowhere HTTP/1.1\r\n${headers}\r\n\r\nnot zipped`)
    assert.equal(unread.status, 404)
    const broken = await zipped(ada.url, ada, { 'Content-Encoding': 'gzip' }, Buffer.from('not zipped'))
    assert.deepEqual(JSON.parse(broken.bytes.toString()).exception_fields, { body: 'body is not valid gzip' })
    const untyped = await ada.isRefused(4, 'POST', '/channels', { body: '{}', headers: { 'Content-Type': 'json' } })
    assert.deepEqual(Object.keys(untyped.exception_fields), ['Content-Type'])
  })

  it('an aborted or too large compressed body is discarded', async () => {
    const { ada } = await fixture.createApp('ada')
    const { clock } = fixture
    const { after } = clock
    let waiting = 0
    let bodies = 0
    clock.after = (ms, task) => {
      const cancel = after.call(clock, ms, task)
      if (ms !== BODY_MS) return cancel
      bodies += 1
      waiting += 1
      return () => {
        waiting -= 1
        cancel()
      }
    }
    onTestFinished(() => {
      clock.after = after
    })
    const { hostname, port } = new URL(ada.url)
    const socket = createConnection(Number(port), hostname)
    const half = gzipSync(JSON.stringify({ filter_conditions: {} })).subarray(0, 12)
    const headers = `Host: x\r\nAuthorization: ${ada.token}\r\nContent-Encoding: gzip\r\nContent-Length: 100`
    socket.write(`POST /channels?api_key=${ada.app.key} HTTP/1.1\r\n${headers}\r\n\r\n`)
    socket.write(half)
    await eventually(async () => bodies === 1, 'the body is being read')
    socket.destroy()
    await eventually(async () => waiting === 0, 'nobody waits for it')
    const bomb = await zipped(ada.url, ada, { 'Content-Encoding': 'gzip' }, gzipSync('a'.repeat(2_000_000)))
    assert.deepEqual([bomb.status, bodies], [413, 2])
    await eventually(async () => waiting === 0, 'nobody waits for it either')
  })

  it('[SET-1] [SET-4] a client receives no secret of the app', async () => {
    const { ada } = await fixture.createApp('ada')
    const { app } = await ada.does('GET', '/app')
    assert.deepEqual(Object.keys(app).sort(), [
      'async_url_enrich_enabled',
      'auto_translation_enabled',
      'file_upload_config',
      'image_upload_config',
      'name',
    ])
    assert.equal(JSON.stringify(app).includes(ada.app.secret), false)
  })

  it('the API page names every operation and its shapes', async () => {
    const { ada } = await fixture.createApp('ada')
    const page = (await (await fetch(`${ada.url}/docs/json`)).json()) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string; requestBody?: object; responses: object }>>
    }
    assert.match(page.openapi, /^3\./)
    const send = page.paths['/channels/{type}/{id}/message']?.post
    assert.equal(send?.operationId, 'SendMessage')
    assert.ok(send.requestBody)
    assert.ok(Object.hasOwn(send.responses, '4XX'))
    assert.equal((await fetch(`${ada.url}/docs`)).status, 200)
  })

  it('the API page supports code generators: each operation has a unique id, each shape a location', async () => {
    const { ada } = await fixture.createApp('ada')
    const text = await (await fetch(`${ada.url}/docs/json`)).text()
    const page = JSON.parse(text) as {
      paths: Record<string, Record<string, { operationId: string }>>
      components: { schemas: Record<string, object> }
    }
    const ids = Object.values(page.paths).flatMap((calls) => Object.values(calls).map(({ operationId }) => operationId))
    assert.equal(new Set(ids).size, endpoints.length)
    const named = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!)
    assert.deepEqual(
      [...new Set(named)].filter((name) => !Object.hasOwn(page.components.schemas, name)),
      [],
    )
    for (const name of ['User', 'Channel', 'Message', 'Member', 'Read']) assert.ok(named.includes(name), name)
  })

  it('the API page shows a recorded call of every operation', async () => {
    const { ada } = await fixture.createApp('ada')
    const page = await (await fetch(`${ada.url}/docs/json`)).json()
    for (const { name, method, path: pattern, answer, body, form } of endpoints) {
      // Calls are always refused.
      if (['CreateCall', 'GetCallToken'].includes(name)) continue
      const example = exampleOf({ method, path: pattern })
      assert.ok(example, `${method} ${pattern} has no example; npm run examples collects them`)
      new Validator(answer).check(example.answer)
      if (body && example.body) new Validator(body).check(example.body)
      const shown = page.paths[pattern.replace(/:(\w+)/g, '{$1}')][method.toLowerCase()]
      const [success] = Object.values(shown.responses) as { content: Record<string, { example?: object }> }[]
      assert.deepEqual(success!.content['application/json']!.example, example.answer)
      if (form) assert.ok(shown.requestBody.content['multipart/form-data'])
    }
  })

  it('/health is public, and /metrics counts calls and sockets', async () => {
    const { ada } = await fixture.createApp('ada')
    await ada.connects()
    assert.deepEqual(await (await fetch(`${ada.url}/health`)).json(), { status: 'ok' })
    const metrics = await (await fetch(`${ada.url}/metrics`)).text()
    assert.match(metrics, /parley_call_seconds_count\{operation="UpdateUsers",ok="true"\} [1-9]/)
    assert.match(metrics, /parley_call_seconds_count\{operation="GetApp",ok="false"\} [1-9]/)
    assert.match(metrics, /parley_connections [1-9]/)
    assert.match(metrics, /parley_deliveries_total \d/)
  })
})

describe('with a limit', () => {
  it('[ERR-9] [ERR-34] calls above it are refused with 9 until the minute is over', async () => {
    const clock = new FakeClock()
    const env = { PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: 'sqlite::memory:', RATE_LIMIT_PER_MINUTE: '2' }
    const key = { API_KEY: 'tea', API_SECRET: 'a secret that is long' }
    const running = await startServer({ ...readSettings({ ...env, ...key }), port: 0 }, clock)
    try {
      const appServer = new AppServer(
        running.url,
        { id: 'tea', key: 'tea', secret: key.API_SECRET, name: 'tea', created_at: 0, settings_json: '{}' },
        clock,
      )
      await appServer.createUsers('ada')
      const ada = appServer.user('ada')
      clock.advance(60_000 - (clock.now() % 60_000))
      const left = async () => (await ada.call('GET', '/app')).headers.get('X-RateLimit-Remaining')
      assert.deepEqual([await left(), await left()], ['1', '0'])

      const refused = await ada.call('GET', '/app')
      assert.deepEqual([refused.status, refused.body.code], [429, 9])
      assert.equal(refused.headers.get('X-RateLimit-Remaining'), '0')
      const wait = Number(refused.headers.get('Retry-After'))
      assert.ok(wait >= 58 && wait <= 60, `${wait} seconds`)

      await appServer.does('GET', '/app')
      await ada.does('POST', '/channels', { body: {} })
      await ada.does('GET', '/app', { headers: { 'X-Stream-Client': 'stream-chat-android' } })
      clock.advance(60_000)
      await ada.does('GET', '/app')
    } finally {
      await running.stop()
    }
  })
})

/** Sends text to the server's port and returns the response. */
function raw(
  url: string,
  text: string,
  isExpected = () => {},
): Promise<{ status: number; head: string; body: { code: number; StatusCode: number; message: string } }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = createConnection({ host: hostname, port: Number(port) }, () => socket.write(text))
    socket.on('data', (data) => {
      heard += data
      if (!heard.startsWith('HTTP/1.1 100')) return
      heard = ''
      isExpected()
    })
    socket.on('error', reject)
    socket.on('close', () => {
      const [head = '', body = ''] = heard.split('\r\n\r\n')
      resolve({ status: Number(head.split(' ')[1]), head, body: JSON.parse(body) })
    })
  })
}

/** Queries channels without `fetch`, which decompresses by itself. */
function zipped(
  url: string,
  { app, token, id }: { app: { key: string }; token: string; id: string },
  headers: Record<string, string>,
  body: Buffer,
): Promise<{ status: number; encoding: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${url}/channels?api_key=${app.key}&user_id=${id}`,
      { method: 'POST', headers: { Authorization: token, 'Content-Type': 'application/json', ...headers } },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk) => chunks.push(chunk))
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            encoding: answer.headers['content-encoding'],
            bytes: Buffer.concat(chunks),
          }),
        )
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}
