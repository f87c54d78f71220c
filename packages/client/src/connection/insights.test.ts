import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { aConnectedWorld, aWorld, settle } from '../testing/fake-server.ts'
import { ada, me } from '../testing/wire.ts'
import { developmentToken } from '../token.ts'
// Loaded before the first test, so that none of them waits for it.
import './insights.ts'

const token = developmentToken('ada')
const insightsUrl = 'https://insights.example.com/chat'

/** A client whose first connection is under way, with an insights service that gives this answer. */
async function aWatchedWorld(answer: (name: string) => Response | Promise<Response> = () => new Response()) {
  const told: { name: string; init: RequestInit; headers: Headers; record: Record<string, unknown> }[] = []
  const world = aWorld()
  const fetchOfChat = world.server.fetch
  const watched = aWorld({
    insightsUrl,
    clock: world.clock,
    WebSocket: world.server.Socket,
    fetch: async (input, init) => {
      const url = String(input)
      if (!url.startsWith(insightsUrl)) return fetchOfChat(input, init)
      const name = url.slice(insightsUrl.length + 1)
      told.push({ name, init: init!, headers: new Headers(init?.headers), record: JSON.parse(String(init?.body)) })
      return answer(name)
    },
  })
  await settle()
  const connecting = watched.client.connectUser({ id: 'ada' }, token)
  connecting.catch(() => {})
  await settle()
  return { client: watched.client, server: world.server, clock: world.clock, told, connecting }
}

const names = (told: { name: string }[]) => told.map(({ name }) => name)

describe('insights', () => {
  it('[INS-1] report a failed attempt, and how its socket ended', async () => {
    const { client, server, clock, told } = await aWatchedWorld()
    clock.advance(1_500)
    server.socket.breaks(1006)
    await settle()
    assert.deepEqual(names(told), ['ws_fatal'])
    const [{ init, headers }] = told as [(typeof told)[0]]
    assert.deepEqual([init.method, init.credentials], ['POST', 'omit'])
    assert.equal(headers.get('content-type'), 'application/json')
    const { user_agent, online, ...record } = told[0]?.record ?? {}
    assert.deepEqual(record, {
      started_at: '2026-01-05T09:00:00.000Z',
      duration_ms: 1_500,
      token_load_ms: 0,
      consecutive_failures: 1,
      total_failures: 1,
      close_code: 1006,
      close_reason: '',
      api_key: 'key',
      auth_type: 'jwt',
      client_id: client.clientID,
    })
  })

  it('[INS-1] report a refusal, with the server’s code', async () => {
    const { server, told, connecting } = await aWatchedWorld()
    server.socket.refuses(43)
    await assert.rejects(connecting, { code: 43 })
    await settle()
    assert.deepEqual([names(told), told[0]?.record.error_code], [['ws_fatal'], 43])
  })

  it('[INS-2] report the first success after failures, once, with the number of failures', async () => {
    const { server, clock, told, connecting } = await aWatchedWorld()
    server.socket.breaks()
    clock.advance(250)
    await settle()
    server.socket.breaks()
    clock.advance(500)
    await settle()
    server.socket.confirms(me(ada))
    await connecting
    await settle()
    assert.deepEqual(names(told), ['ws_fatal', 'ws_fatal', 'ws_success_after_failure'])
    const { consecutive_failures, total_failures } = told[2]?.record ?? {}
    assert.deepEqual([consecutive_failures, total_failures], [2, 2])

    server.socket.breaks()
    clock.advance(250)
    await settle()
    server.socket.confirms(me(ada), 'c2')
    await settle()
    assert.equal(told.length, 3, 'a reconnect at the first attempt is no news')
  })

  it('[INS-3] [INS-4] are posted up to three times, after waits of 3 s and 6 s', async () => {
    let refusals = 0
    const { client, server, clock, told } = await aWatchedWorld(
      () => new Response('', { status: refusals++ ? 500 : 404 }),
    )
    server.socket.refuses(43)
    await settle()
    assert.equal(told.length, 1)
    clock.advance(2_999)
    await settle()
    assert.equal(told.length, 1)
    clock.advance(1)
    await settle()
    assert.equal(told.length, 2)
    clock.advance(5_999)
    await settle()
    assert.equal(told.length, 2)
    clock.advance(1)
    await settle()
    assert.equal(told.length, 3)
    assert.deepEqual(told[2]?.record, told[0]?.record)
    clock.advance(60_000)
    await settle()
    assert.equal(told.length, 3)
    assert.equal(client.connection.snapshot().at, 'closed')
  })

  it('[INS-5] do not affect the chat when their service fails', async () => {
    const { client, server, clock, connecting } = await aWatchedWorld(() => {
      throw new TypeError('fetch failed')
    })
    server.socket.breaks()
    clock.advance(250)
    await settle()
    server.socket.confirms(me(ada))
    assert.equal((await connecting).id, 'ada')
    clock.advance(20_000)
    await settle()
    assert.equal(client.connection.snapshot().at, 'connected')
  })

  it('[INS-6] contain no token', async () => {
    const { server, told } = await aWatchedWorld()
    server.socket.breaks()
    await settle()
    assert.ok(told.length > 0)
    for (const { headers, record } of told)
      assert.ok(!JSON.stringify([...headers, record]).includes(token) && !headers.has('Authorization'))
  })

  it('[INS-6] are not sent unless the application sets a URL', async () => {
    const { server, clock } = await aConnectedWorld()
    for (let failures = 0; failures < 3; failures++) {
      server.socket.breaks()
      clock.advance(25_000)
      await settle()
    }
    assert.deepEqual(server.calls, [])
  })
})
