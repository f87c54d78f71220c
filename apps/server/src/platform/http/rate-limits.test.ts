import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { onEveryStorage } from '../../testing/fixture.ts'
import { AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { readSettings } from '../settings.ts'
import { platformOf, RateLimits } from './rate-limits.ts'

const key = { API_KEY: 'tea', API_SECRET: 'a secret that is long' }

onEveryStorage((fixture) => {
  it('[SET-3] [SET-5] without limits everything remains, and every caller may ask', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    for (const caller of [ada, appServer]) {
      const all = await caller.does('GET', '/rate_limits')
      assert.deepEqual(Object.keys(all), ['server_side', 'android', 'ios', 'web', 'unity', 'duration'])
      const { limit, remaining, reset } = all.web.SendMessage
      assert.deepEqual([limit, remaining], [1_000, 1_000])
      const wait = reset - fixture.clock.now() / 1000
      assert.ok(wait > -1 && wait <= 61)
      for (const operations of [all.server_side, all.unity])
        for (const name of ['Connect', 'QueryChannels', 'GetRateLimits', 'RunMessageAction'])
          assert.ok(name in operations)
    }
  })

  it('[SET-3] [SET-5] asking counts even without limits, and is never limited', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    fixture.clock.advance(60_000 - (fixture.clock.now() % 60_000))
    const query = { server_side: 'true', android: 'true', endpoints: 'GetRateLimits,SendMessage' }
    const left = async () => {
      const { server_side, android } = await appServer.does('GET', '/rate_limits', { query })
      return [server_side, android].flatMap(({ GetRateLimits, SendMessage }) =>
        [GetRateLimits, SendMessage].map(({ limit, remaining }) => limit - remaining),
      )
    }
    await appServer.does('POST', `${path(await appServer.opens([ada]))}/message`, {
      body: { message: { text: 'Hi', user_id: 'ada' } },
    })
    assert.deepEqual(await left(), [1, 0, 0, 0])
    for (let i = 0; i < 300; i++) await left()
    assert.deepEqual(await left(), [300, 0, 0, 0])
  })

  it('[SET-3] only the requested limits are returned', async () => {
    const { ada } = await fixture.createApp('ada')
    const query = { server_side: 'true', ios: 'true', web: 'false', endpoints: 'QueryChannels, Ban,__proto__,,Dance' }
    const { duration: _, ...told } = await ada.does('GET', '/rate_limits', { query })
    assert.deepEqual(Object.keys(told), ['server_side', 'ios'])
    assert.deepEqual(Object.keys(told.ios), ['QueryChannels', 'Ban', '__proto__', 'Dance'])
    assert.deepEqual([told.ios.QueryChannels.limit, told.ios.Ban.limit], [10_000, 300])
  })

  it('[ERR-30] [ERR-34] every call to a suspended app is refused; its server may ask for the reason', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const stored = JSON.stringify({ suspended: true, suspended_explanation: 'The bill is not paid.' })
    const { server } = fixture.nodes[0]!
    await server.database.write
      .updateTable('apps')
      .set({ settings_json: stored })
      .where('id', '=', ada.app.id)
      .execute()
    await server.apps.reload(ada.app.id)
    const refused = await ada.isRefused(99, 'POST', '/channels', { body: {} })
    assert.equal(refused.StatusCode, 403)
    assert.match(refused.message, /The bill is not paid\./)
    await ada.isRefused(99, 'GET', '/app')
    await appServer.isRefused(99, 'POST', '/channels', { body: {} })
    assert.equal((await appServer.does('GET', '/app')).app.suspended, true)
    assert.equal((await ada.connects()).error.code, 99)
  })
})

describe('with limits', () => {
  it('[SET-3] a call counts for its platform, and asking counts too', async () => {
    await withServer({ RATE_LIMITS: 'app' }, async ({ appServer, ada }) => {
      const query = { endpoints: 'GetRateLimits,GetApp' }
      await ada.does('GET', '/app', { headers: { 'X-Stream-Client': 'stream-chat-swift-ios-4' } })
      const { server_side, ios, web } = await appServer.does('GET', '/rate_limits', { query })
      assert.equal(server_side.GetRateLimits.remaining, server_side.GetRateLimits.limit - 1)
      assert.deepEqual([ios.GetApp.remaining, web.GetApp.remaining], [9_999, 10_000])
      const { headers } = await ada.call('GET', '/app')
      assert.deepEqual([headers.get('X-RateLimit-Limit'), headers.get('X-RateLimit-Remaining')], ['10000', '9999'])
    })
  })

  it('[ERR-9] a user may call an endpoint so many times a minute, a server without a per-user limit', async () => {
    await withServer({ RATE_LIMITS: 'user', RATE_LIMIT_PER_USER: '2' }, async ({ appServer, ada, clock }) => {
      clock.advance(60_000 - (clock.now() % 60_000))
      await appServer.createUsers('bo')
      for (let i = 0; i < 2; i++) await ada.does('GET', '/app')
      const { status, body, headers } = await ada.call('GET', '/app')
      assert.deepEqual([status, body.code, headers.get('X-RateLimit-Remaining')], [429, 9, '0'])
      assert.ok(Number(headers.get('Retry-After')) > 0)
      await ada.does('POST', '/channels', { body: {} })
      await appServer.user('bo').does('GET', '/app')
      for (let i = 0; i < 5; i++) await appServer.does('GET', '/app')
      clock.advance(60_000)
      await ada.does('GET', '/app')
    })
  })

  it('[SET-3] the headers of an answer are those of the limit that will refuse first', async () => {
    const left = async ({ ada }: { ada: TestUser }) => {
      const { headers } = await ada.call('GET', '/app')
      return ['Limit', 'Remaining'].map((name) => Number(headers.get(`X-RateLimit-${name}`)))
    }
    const env = { RATE_LIMITS: 'app,user,burst', RATE_LIMIT_PER_MINUTE: '90', RATE_LIMIT_PER_USER: '5' }
    await withServer(env, async ({ ada, appServer, clock }) => {
      clock.advance(60_000 - (clock.now() % 60_000))
      assert.deepEqual(await left({ ada }), [3, 2], 'of this second')
      clock.advance(1_000)
      assert.deepEqual(await left({ ada }), [3, 2])
      clock.advance(1_000)
      assert.deepEqual(await left({ ada }), [5, 2], 'of this user in this minute, which lasts longer')
      assert.deepEqual(await left({ ada }), [5, 1])
      clock.advance(1_000)
      const { headers } = await appServer.call('GET', '/app')
      assert.equal(headers.get('X-RateLimit-Limit'), '3', 'a server is no user')
    })
    await withServer({ RATE_LIMITS: 'user', RATE_LIMIT_PER_USER: '2' }, async ({ ada, clock }) => {
      clock.advance(60_000 - (clock.now() % 60_000))
      assert.deepEqual(
        [await left({ ada }), await left({ ada })],
        [
          [2, 1],
          [2, 0],
        ],
      )
    })
  })

  it('[ERR-9] anonymous users are distinguished by IP address', async () => {
    const env = { RATE_LIMITS: 'user', RATE_LIMIT_PER_USER: '2', TRUSTED_PROXIES: '127.0.0.1' }
    await withServer(env, async ({ appServer, clock }) => {
      clock.advance(60_000 - (clock.now() % 60_000))
      const nobody = appServer.user('!anon')
      nobody.token = ''
      const from = async (address: string) =>
        (await nobody.call('GET', '/app', { headers: { 'X-Forwarded-For': address } })).status
      for (let i = 0; i < 2; i++) assert.equal(await from('198.51.100.1'), 200)
      assert.equal(await from('198.51.100.1'), 429)
      assert.equal(await from('198.51.100.2'), 200)
      for (const end of ['1', '2', '3']) await from(`2001:db8:1:2::${end}`)
      assert.equal(await from('2001:db8:1:2::4'), 429)
    })
  })

  it('[ERR-9] connecting without a user and guest sign-up are limited, too', async () => {
    const env = { RATE_LIMITS: 'user', RATE_LIMIT_PER_USER: '2', TRUSTED_PROXIES: '127.0.0.1' }
    await withServer(env, async ({ appServer, clock }) => {
      clock.advance(60_000 - (clock.now() % 60_000))
      const nobody = appServer.user('!anon')
      nobody.token = ''
      const connects = async (address: string) =>
        (await nobody.device().connects({ token: '', query: { json: '{}' }, headers: { 'X-Forwarded-For': address } }))
          .error?.code
      const becomesGuest = async (address: string) => {
        const [body, headers] = [{ user: { id: 'cy' } }, { 'X-Forwarded-For': address }]
        return (await nobody.call('POST', '/guest', { body, headers })).body.code
      }
      for (const comes of [connects, becomesGuest]) {
        for (let i = 0; i < 2; i++) assert.equal(await comes('198.51.100.1'), undefined)
        assert.equal(await comes('198.51.100.1'), 9)
        assert.equal(await comes('198.51.100.2'), undefined)
      }
    })
  })

  it('[LPL-11] [ERR-9] long polls are not limited, so that every event arrives', async () => {
    await withServer({ RATE_LIMITS: 'user', RATE_LIMIT_PER_USER: '2' }, async ({ appServer, ada }) => {
      await appServer.createUsers('bo')
      const json = JSON.stringify({ user_id: 'ada' })
      ada.connectionId = (await ada.does('GET', '/longpoll', { query: { json } })).event.connection_id
      for (let i = 0; i < 4; i++) {
        await appServer.does('POST', '/users/ada/event', { body: { event: { type: `news-${i}` } } })
        await ada.does('GET', '/longpoll')
      }
    })
  })

  it('[ERR-9] no more than a thirtieth is accepted in one second', async () => {
    await withServer({ RATE_LIMITS: 'burst', RATE_LIMIT_PER_MINUTE: '90' }, async ({ ada, clock }) => {
      clock.advance(60_000 - (clock.now() % 60_000))
      for (let i = 0; i < 3; i++) await ada.does('GET', '/app')
      const { status, headers } = await ada.call('GET', '/app')
      assert.deepEqual([status, headers.get('Retry-After')], [429, '1'])
      clock.advance(1_000)
      await ada.does('GET', '/app')
    })
  })

  it('[ERR-9] opening a socket counts as a call', async () => {
    await withServer({ RATE_LIMIT_PER_MINUTE: '1' }, async ({ ada }) => {
      assert.equal((await ada.device().connects()).type, 'health.check')
      assert.equal((await ada.connects()).error.code, 9)
    })
  })

  it('memory is bounded: a counter above the maximum is not counted', () => {
    const settings = { app: false, burst: false, userPerMinute: 1, perMinute: undefined }
    // All within one minute, however long it takes.
    const still = { now: () => 0, micros: () => 0, elapsed: () => 0, after: () => () => {} }
    const limits = new RateLimits(still, settings, [])
    const call = (user: string) => limits.count({ app: 'tea', operation: 'GetApp', platform: 'web', user })
    for (let i = 0; i < 200_010; i++) call(`user-${i}`)
    const refusals = ['user-0', 'user-200009'].map((user) => call(user).refusal !== undefined)
    assert.deepEqual(refusals, [true, false])
  })

  it('the platform is derived from the client header', () => {
    for (const [client, platform] of [
      ['stream-chat-android-6.0', 'android'],
      ['Stream-Chat-Swift-Client-v4', 'ios'],
      ['stream-chat-flutter-iOS', 'ios'],
      ['stream-chat-unity', 'unity'],
      ['stream-chat-javascript', 'web'],
      [undefined, 'web'],
    ] as const)
      assert.equal(platformOf(client, false), platform)
    assert.equal(platformOf('stream-chat-android', true), 'server')
  })
})

interface AtHome {
  running: RunningServer
  clock: FakeClock
  appServer: AppServer
  ada: ReturnType<AppServer['user']>
}

async function withServer(limits: Record<string, string>, tell: (home: AtHome) => Promise<void>) {
  const clock = new FakeClock()
  const env = { PORT: '0', LOG_LEVEL: 'error', DATABASE_URL: 'sqlite::memory:', ...key, ...limits }
  const running = await startServer({ ...readSettings(env), port: 0 }, clock)
  try {
    const app = { id: 'tea', key: 'tea', secret: key.API_SECRET, name: 'tea', created_at: 0, settings_json: '{}' }
    const appServer = new AppServer(running.url, app, clock)
    await appServer.createUsers('ada')
    await tell({ running, clock, appServer, ada: appServer.user('ada') })
  } finally {
    await running.stop()
  }
}
