import assert from 'node:assert/strict'
import { createConnection } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { it } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { AppServer, type TestUser } from '../../testing/test-user.ts'
import { readSettings } from '../settings.ts'

const key = { API_KEY: 'tea', API_SECRET: 'a secret that is long' }
/** Less than a poll is held, and more than a busy machine takes. */
const TIMEOUT_MS = 15_000

it('a server that ends waits for no socket that was still being opened', async () => {
  const { ada, running } = await aServer()
  const { gateway } = running.server
  const { isAsked, answers } = keepsLookingUp(running)
  const opened = ada.connects()
  await isAsked
  const { close } = gateway
  gateway.close = async () => {
    await close.call(gateway)
    answers()
    await opened
  }

  await ends(running)
  await ada.ends()
  assert.notEqual(ada.closed?.code, 1000)
})

it('a server that shuts down does not wait for clients that poll again meanwhile', async () => {
  const { ada, running } = await aServer()
  const { gateway, hub } = running.server
  const { close } = gateway
  gateway.close = async () => {
    await close.call(gateway)
    const json = JSON.stringify({ user_id: 'ada' })
    const { event } = await ada.does('GET', '/longpoll', { query: { json } })
    ada.connectionId = event.connection_id
    // The first event is the user's own presence.
    await ada.does('GET', '/longpoll')
    const connection = hub.connections.get(event.connection_id)!
    const lastReceivedAt = connection.lastReceivedAt
    await setTimeout(2)
    ada.call('GET', '/longpoll').catch(() => {})
    await eventually(() => connection.lastReceivedAt > lastReceivedAt, 'the poll is held')
  }

  await ends(running)
})

it('[HTTP-19] what was asked before a server ended is answered as ever', async () => {
  const { ada, running } = await aServer()
  const { isAsked, answers } = keepsLookingUp(running)
  const { hostname, port } = new URL(running.url)
  const socket = createConnection({ host: hostname, port: Number(port) })
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes
  })
  const call = `GET /app?api_key=tea HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada.token}\r\n\r\n`
  socket.write(call)
  await isAsked
  const ended = running.stop()
  const isShut = () =>
    fetch(`${running.url}/health`).then(
      () => false,
      () => true,
    )
  await eventually(isShut, 'no new connection is accepted')
  socket.write(call)
  await setTimeout(100)
  answers()

  await ended
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200'])
})

async function aServer(): Promise<{ ada: TestUser; running: RunningServer }> {
  const clock = new FakeClock()
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:', ...key }
  const running = await startServer({ ...readSettings(env), port: 0 }, clock)
  const app = { id: 'tea', key: 'tea', secret: key.API_SECRET, name: 'tea', created_at: 0, settings_json: '{}' }
  const appServer = new AppServer(running.url, app, clock)
  await appServer.createUsers('ada')
  return { ada: appServer.user('ada'), running }
}

/** Holds user look-ups back until `answers` is called. */
function keepsLookingUp({ server: { users } }: RunningServer) {
  const { get } = users
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  users.get = async (...who) => {
    asked.resolve()
    await answered.promise
    return get.apply(users, who)
  }
  return { isAsked: asked.promise, answers: answered.resolve }
}

async function ends(running: RunningServer) {
  const late = setTimeout(TIMEOUT_MS, 'too late', { ref: false })
  assert.equal(await Promise.race([running.stop(), late]), undefined)
}
