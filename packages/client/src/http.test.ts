import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, onTestFinished } from 'vitest'
import { ChatClient, compatibleWith } from './chat-client.ts'
import { ChatError } from './chat-error.ts'
import { FakeClock } from './testing/fake-clock.ts'
import { FakeServer, settle } from './testing/fake-server.ts'
import { ada, me } from './testing/wire.ts'
import { developmentToken, type TokenOrProvider } from './token.ts'

type Answerer = (request: IncomingMessage & { url: string }, response: ServerResponse) => void

/** Ada, connected, and a real HTTP server that answers her calls. */
async function adaCalls(answer: Answerer, token: TokenOrProvider = developmentToken('ada'), timeout?: number) {
  const seen: { url: URL; headers: IncomingMessage['headers'] }[] = []
  const http = createServer((request, response) => {
    seen.push({ url: new URL(request.url ?? '', 'http://server'), headers: request.headers })
    answer(request as IncomingMessage & { url: string }, response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const clock = new FakeClock()
  const sockets = new FakeServer()
  const baseURL = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const client = new ChatClient('key', { baseURL, clock, random: () => 0, WebSocket: sockets.Socket, timeout })
  const connected = client.connectUser({ id: 'ada' }, token)
  await settle()
  sockets.socket.confirms(me(ada), 'c1')
  await connected
  return { client, clock, seen, http }
}

const json = (status: number, body: object): Answerer => {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
const coded = (code: number, status: number) => json(status, { code, message: 'no', StatusCode: status })

/** The error of a call, as an application sees it. */
async function failure(call: Promise<unknown>): Promise<ChatError> {
  const error = await call.then(
    () => assert.fail('The call succeeded.'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof ChatError)
  return error
}

describe('every call', () => {
  it('[HTTP-1] carries api_key', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    await client.getAppSettings()
    assert.equal(seen[0]?.url.searchParams.get('api_key'), 'key')
  })

  it('[HTTP-2] carries user_id once a user is set', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    await client.getAppSettings()
    assert.equal(seen[0]?.url.searchParams.get('user_id'), 'ada')
  })

  it('[HTTP-3] carries connection_id once connected, and no longer when it is not', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    await client.getAppSettings()
    assert.equal(seen[0]?.url.searchParams.get('connection_id'), 'c1')
    void client.closeConnection()
    await client.getAppSettings()
    assert.equal(seen[1]?.url.searchParams.has('connection_id'), false)
  })

  it('[HTTP-4] [CON-19] carries the token as it is, with the auth type jwt', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    await client.getAppSettings()
    assert.equal(seen[0]?.headers.authorization, developmentToken('ada'))
    assert.equal(seen[0]?.headers['stream-auth-type'], 'jwt')
    assert.match(String(seen[0]?.headers['x-client-request-id']), /^[0-9a-f-]{36}$/)
  })

  it('sends no cookies, and leaves no timer behind when it is answered', async () => {
    const sent: (RequestInit | undefined)[] = []
    const fetch = async (_: unknown, init?: RequestInit) => {
      sent.push(init)
      return new Response('{}')
    }
    const clock = new FakeClock()
    const client = new ChatClient('key', { baseURL: 'https://chat.example.com', clock, fetch })
    client.connectUser({ id: 'ada' }, developmentToken('ada')).catch(() => {})
    await settle()
    const waits = [...clock.waits]
    await client.request('POST', '/x', { body: { a: 1 } })
    assert.deepEqual(
      sent.map((init) => [init?.credentials, init?.body, new Headers(init?.headers).get('content-type')]),
      [['omit', '{"a":1}', 'application/json']],
    )
    assert.deepEqual(clock.waits, waits)
    await client.disconnectUser()
  })

  it('[HTTP-16] names the version of the SDK it is compatible with', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    await client.getAppSettings()
    assert.equal(compatibleWith, '8.45.0')
    assert.ok(String(seen[0]?.headers['x-stream-client']).includes('8.45.0'))
  })

  it('writes its query in the wire format', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    const query = { ids: ['a', 'b'], payload: { filter: 1 }, limit: 3, missing: undefined }
    await client.request('GET', '/anything', { query })
    const asked = Object.fromEntries(seen[0]?.url.searchParams ?? [])
    assert.deepEqual([asked.ids, asked.payload, asked.limit, 'missing' in asked], ['a,b', '{"filter":1}', '3', false])
  })
})

describe('success and failure', () => {
  it('[HTTP-7] every status from 200 to 299 is a success', async () => {
    for (const status of [200, 201, 202, 299]) {
      const { client } = await adaCalls(json(status, { done: status }))
      assert.equal((await client.request<{ done: number }>('GET', '/x')).done, status)
    }
  })

  it('[HTTP-6] any other status is a failure', async () => {
    for (const status of [304, 400, 404, 500]) {
      const { client } = await adaCalls((_, response) => response.writeHead(status).end())
      assert.equal((await failure(client.request('GET', '/x'))).message, `error HTTP code: ${status}`)
    }
  })

  it('[HTTP-17] [HTTP-11] a refusal without chat code is ERR_BAD_REQUEST', async () => {
    const { client } = await adaCalls((_, response) => response.writeHead(404).end('not here'))
    const error = await failure(client.request('GET', '/x'))
    assert.deepEqual([error.code, error.status, error.response], ['ERR_BAD_REQUEST', 404, 'not here'])
  })

  it('[HTTP-17] [HTTP-12] a server error or an unreadable answer is ERR_BAD_RESPONSE', async () => {
    const broken = await adaCalls((_, response) => response.writeHead(502).end('<html>'))
    assert.equal((await failure(broken.client.request('GET', '/x'))).code, 'ERR_BAD_RESPONSE')
    const unreadable = await adaCalls((_, response) => response.writeHead(200).end('{"half'))
    const error = await failure(unreadable.client.request('GET', '/x'))
    assert.deepEqual([error.code, error.status, error.response], ['ERR_BAD_RESPONSE', 200, '{"half'])
  })

  it('[HTTP-17] [HTTP-8] no answer at all is ERR_NETWORK', async () => {
    const { client } = await adaCalls((_, response) => response.destroy())
    const error = await failure(client.request('GET', '/x'))
    assert.equal(error.code, 'ERR_NETWORK')
    assert.ok(error.cause)
  })

  it('[HTTP-17] [HTTP-9] [HTTP-5] no answer within 3000 ms is ECONNABORTED', async () => {
    const asked = Promise.withResolvers<void>()
    const { client, clock } = await adaCalls(() => asked.resolve())
    let isOver = false
    const call = failure(client.request('GET', '/x')).finally(() => {
      isOver = true
    })
    await asked.promise
    clock.advance(2_999)
    await settle()
    assert.equal(isOver, false)
    clock.advance(1)
    assert.equal((await call).code, 'ECONNABORTED')
  })

  it('[HTTP-18] the application can set another timeout', async () => {
    const asked = Promise.withResolvers<void>()
    const { client, clock } = await adaCalls(() => asked.resolve(), undefined, 10_000)
    const call = failure(client.request('GET', '/x'))
    await asked.promise
    clock.advance(10_000)
    assert.equal((await call).code, 'ECONNABORTED')
  })

  it('[HTTP-17] [HTTP-10] an aborted call is ERR_CANCELED', async () => {
    const asked = Promise.withResolvers<void>()
    const { client } = await adaCalls(() => asked.resolve())
    const giveUp = new AbortController()
    const call = failure(client.getAppSettings({ signal: giveUp.signal }))
    await asked.promise
    giveUp.abort()
    assert.equal((await call).code, 'ERR_CANCELED')
    assert.equal((await failure(client.getAppSettings({ signal: AbortSignal.abort() }))).code, 'ERR_CANCELED')
  })

  it('[HTTP-10] a call that waits for its token can be aborted as well, and is never sent', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    void client.disconnectUser()
    const token = Promise.withResolvers<string>()
    client.connectUser({ id: 'ada' }, () => token.promise).catch(() => {})
    await settle()
    const giveUp = new AbortController()
    const call = failure(client.getAppSettings({ signal: giveUp.signal }))
    giveUp.abort()
    assert.equal((await call).code, 'ERR_CANCELED')
    token.resolve(developmentToken('ada'))
    await settle()
    assert.equal(seen.length, 0)
    void client.disconnectUser()
  })

  it('[ERR-1] a refusal has its code, and the server’s rate limit', async () => {
    const { client } = await adaCalls((_, response) =>
      response
        .writeHead(429, { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1700000000' })
        .end(JSON.stringify({ code: 9, message: 'Too many', StatusCode: 429 })),
    )
    const error = await failure(client.request('GET', '/x'))
    assert.equal(error.message, 'error code 9: Too many')
    assert.equal(error.retry, true)
    assert.deepEqual(error.rateLimit, { limit: 60, remaining: 0, reset: 1_700_000_000 })
  })
})

describe('retries', () => {
  it('[HTTP-20] no call is retried, whatever its retry flag is', async () => {
    for (const [code, status] of [
      [-1, 500],
      [9, 429],
      [60, 403],
    ] as const) {
      const { client, seen } = await adaCalls(coded(code, status))
      await failure(client.request('GET', '/x'))
      assert.equal(seen.length, 1)
    }
  })

  it('[AUTH-15] [ERR-19] an expired token is loaded again, and the same request is sent again', async () => {
    let loads = 0
    const { client, seen } = await adaCalls(
      (request, response) => {
        const isFresh = request.headers.authorization === `${developmentToken('ada')}2`
        return (isFresh ? json(200, { app: {} }) : coded(40, 401))(request, response)
      },
      () => `${developmentToken('ada')}${++loads}`,
    )
    await client.getAppSettings()
    assert.equal(loads, 2)
    assert.equal(seen.length, 2)
    assert.equal(seen[0]?.headers['x-client-request-id'], seen[1]?.headers['x-client-request-id'])
  })

  it('[AUTH-16] when the fresh token is refused as well, the next load waits, and the fifth is the last', async () => {
    let loads = 0
    const { client, clock, seen } = await adaCalls(coded(40, 401), () => `${developmentToken('ada')}${++loads}`)
    const call = failure(client.getAppSettings())
    const refused = async (times: number) => {
      while (seen.length < times) await settle()
      await settle()
    }
    await refused(2)
    assert.ok(clock.waits.includes(250), 'the second load waits')
    for (let times = 2; times < 6; times++) {
      while (seen.length < times) await settle()
      while (!clock.waits.includes(250 * (times - 1))) await settle()
      clock.advance(250 * (times - 1))
    }
    assert.equal((await call).code, 40)
    assert.equal(seen.length, 6)
    assert.equal(loads, 6, 'the first token and five more')
  })

  it('[AUTH-18] [ERR-31] a fixed token is not retried, and 41, 42, 43 never are', async () => {
    const fixed = await adaCalls(coded(40, 401))
    assert.equal((await failure(fixed.client.getAppSettings())).code, 40)
    assert.equal(fixed.seen.length, 1)
    for (const code of [41, 42, 43]) {
      const { client, seen } = await adaCalls(coded(code, 401), () => developmentToken('ada'))
      assert.equal((await failure(client.getAppSettings())).code, code)
      assert.equal(seen.length, 1)
    }
  })

  it('a call of a signed-out user is neither sent nor retried with the next user’s token', async () => {
    const tokenOf: Record<string, () => string> = {
      ada: () => developmentToken('ada'),
      bo: () => developmentToken('bo'),
    }
    const refusal = Promise.withResolvers<void>()
    const { client, seen } = await adaCalls(
      (request, response) => void refusal.promise.then(() => coded(40, 401)(request, response)),
      tokenOf.ada,
    )
    const adas = failure(client.request('POST', '/x', { body: {} }))
    while (seen.length < 1) await settle()
    void client.disconnectUser()
    client.connectUser({ id: 'bo' }, tokenOf.bo as () => string).catch(() => {})
    await settle()
    refusal.resolve()
    assert.equal((await adas).code, 40)
    assert.equal(seen.length, 1)
  })

  it('a call that waits for a token still belongs to its user', async () => {
    const asked: ((token: string) => void)[] = []
    const { client, seen } = await adaCalls(json(200, {}), developmentToken('ada'))
    void client.disconnectUser()
    const load = () => new Promise<string>((resolve) => asked.push(resolve))
    client.connectUser({ id: 'ada' }, load).catch(() => {})
    await settle()
    const adas = client.request('GET', '/x')
    void client.disconnectUser()
    client.connectUser({ id: 'bo' }, load).catch(() => {})
    await settle()
    asked[0]?.(developmentToken('ada'))
    await adas
    assert.equal(seen[0]?.headers.authorization, developmentToken('ada'))
    assert.equal(seen[0]?.url.searchParams.get('user_id'), 'ada')
    void client.disconnectUser()
  })

  it('a body that cannot be serialized is an error of the program, not of the network', async () => {
    const { client, seen } = await adaCalls(json(200, {}))
    await assert.rejects(client.request('POST', '/x', { body: { count: 1n } }), TypeError)
    assert.equal(seen.length, 0)
  })
})
