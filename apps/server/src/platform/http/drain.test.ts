import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { startServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { AppServer, type TestUser } from '../../testing/test-user.ts'
import { readSettings } from '../settings.ts'

const MANY = 12

it('[HTTP-31] a draining server reports it first, and still answers calls and accepts sockets', async () => {
  const { running, clock, appServer, people } = await aCrowd()
  const [ada] = people as [TestUser]
  const health = async () => {
    const answer = await fetch(`${running.url}/health`)
    return [answer.status, await answer.json()]
  }
  assert.equal((await health())[0], 200)
  const drained = running.drain()
  assert.deepEqual(await health(), [503, { status: 'draining' }])
  assert.equal((await fetch(`${running.url}/alive`)).status, 200)
  const { headers } = await ada.call('GET', '/app')
  assert.equal(headers.get('connection'), 'close')

  clock.advance(9_000)
  const late = appServer.user('late')
  await appServer.createUsers('late')
  await late.connects()
  assert.ok([...people, late].every(({ closed }) => closed === undefined))

  // Then the sockets close, one after the other.
  const gone = () => people.filter(({ closed }) => closed !== undefined).length
  await passes(clock, 6_000)
  await eventually(() => gone() > 0, 'the first are asked to go')
  assert.ok(gone() < MANY, `${gone()} have gone half way`)
  await passes(clock, 5_000)
  await eventually(() => gone() === MANY && late.closed !== undefined, 'all have gone')
  assert.deepEqual(new Set(people.map(({ closed }) => closed?.code)), new Set([1012]))
  await drained
  assert.equal((await ada.call('GET', '/app')).status, 200)
})

it('[HTTP-31] a long-polling client is sent to a new connection as well', async () => {
  const { running, clock, appServer } = await aCrowd(0)
  await appServer.createUsers('ada')
  const ada = appServer.user('ada')
  const { event } = await ada.does('GET', '/longpoll', { query: { json: JSON.stringify({ user_id: 'ada' }) } })
  ada.connectionId = event.connection_id
  // Its first event is its own presence.
  await ada.does('GET', '/longpoll')
  const poll = ada.call('GET', '/longpoll')
  const drained = running.drain()
  await passes(clock, 21_000)
  await drained
  assert.deepEqual((await poll).body.events, [])
  await ada.isRefused(46, 'GET', '/longpoll')
})

it('[HTTP-31] a second drain signal skips the wait', async () => {
  const { running, people } = await aCrowd()
  const drained = running.drain()
  running.hurry()
  await drained
  await running.stop()
  assert.ok(people.every(({ closed }) => closed !== undefined))
})

async function aCrowd(count = MANY) {
  const clock = new FakeClock()
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:', DRAIN_SECONDS: '10' }
  const key = { API_KEY: 'tea', API_SECRET: 'a secret that is long' }
  const running = await startServer({ ...readSettings({ ...env, ...key }), port: 0 }, clock)
  onTestFinished(async () => {
    running.hurry()
    await running.stop()
  })
  const app = { id: 'tea', key: 'tea', secret: key.API_SECRET, name: 'tea', created_at: 0, settings_json: '{}' }
  const appServer = new AppServer(running.url, app, clock)
  const ids = Array.from({ length: count }, (_, i) => `person-${i}`)
  if (count > 0) await appServer.createUsers(...ids)
  const people = ids.map((id) => appServer.user(id))
  await Promise.all(people.map((testUser) => testUser.connects()))
  return { running, clock, appServer, people }
}

/** Advances the clock in small steps, so that repeated waits get their turns. */
async function passes(clock: FakeClock, ms: number) {
  for (let passed = 0; passed < ms; passed += 100) {
    clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
