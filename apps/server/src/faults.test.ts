/** A server that crashes, shuts down, or has a reader who does not read loses nothing it has acknowledged. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { type RunningServer, startServer } from './app.ts'
import { readSettings } from './platform/settings.ts'
import { FakeClock } from './testing/fake-clock.ts'
import { freshDatabase, onEveryStorage } from './testing/fixture.ts'
import { allowLoopback, Listener } from './testing/listener.ts'
import { AppServer, path, type TestUser } from './testing/test-user.ts'

interface Node {
  process: ChildProcess
  url: string
  /** Its output so far. */
  log: string[]
  /** Sends a signal; resolves with the exit code, null when the process was killed. */
  ends(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the server as a separate process on a free port. */
async function starts(env: Record<string, string>): Promise<Node> {
  const main = join(import.meta.dirname, 'main.ts')
  const process = spawn(globalThis.process.execPath, [main], {
    env: { PATH: globalThis.process.env.PATH, PORT: '0', LOG_LEVEL: 'debug', ...env },
  })
  const exited = new Promise<number | null>((resolve) => process.once('exit', resolve))
  onTestFinished(async () => {
    process.kill('SIGKILL')
    await exited
  })
  const log: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (text: string) => {
      log.push(text)
      const listening = /"url":"([^"]+)".*listening/.exec(log.join(''))
      if (listening) resolve(listening[1]!)
    }
    process.stdout.setEncoding('utf8').on('data', hear)
    process.stderr.setEncoding('utf8').on('data', hear)
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${log.join('')}`)))
  })
  return {
    process,
    url,
    log,
    ends(signal) {
      process.kill(signal)
      return exited
    },
  }
}

/** Starts the server again, in this process, on the same database. */
async function returns(env: Record<string, string>): Promise<RunningServer> {
  const settings = readSettings({ PORT: '0', LOG_LEVEL: 'error', ...env })
  const server = await startServer(settings)
  onTestFinished(() => server.stop())
  return server
}

const places = [
  {
    name: 'SQLite',
    async database() {
      const folder = mkdtempSync(join(tmpdir(), 'parley-faults-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      return `sqlite:${join(folder, 'chat.sqlite')}`
    },
  },
  {
    name: 'PostgreSQL',
    async database() {
      const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
      onTestFinished(drop)
      return url
    },
  },
]

const key = 'faults'
const secret = randomBytes(16).toString('hex')
const app = { id: key, key, secret, name: key, created_at: 0, settings_json: '{}' }
const clock = new FakeClock()
const listener = new Listener()
/** A separate process starts slowly on a busy machine. */
const TIMEOUT_MS = 300_000

for (const place of places)
  describe(`a process on ${place.name}`, { timeout: TIMEOUT_MS }, () => {
    const environment = async () => ({ DATABASE_URL: await place.database(), API_KEY: key, API_SECRET: secret })

    it('a killed server keeps every message it acknowledged, once and in order', async () => {
      const env = await environment()
      const first = await starts(env)
      const appServer = new AppServer(first.url, app, clock)
      await appServer.createUsers('ada', 'bo')
      const people = [appServer.user('ada'), appServer.user('bo')]
      const room = await appServer.opens(people)
      const acknowledged: string[][] = [[], []]
      // Each keeps two messages in flight until the server is gone.
      const talks = people.flatMap((testUser, i) => [
        talk(testUser, room, acknowledged[i]!, 'a'),
        talk(testUser, room, [], 'b'),
      ])
      while (acknowledged.flat().length < 50) await new Promise((resolve) => setImmediate(resolve))

      assert.equal(await first.ends('SIGKILL'), null)
      const attempted = (await Promise.all(talks)).flat()

      const second = await returns(env)
      const bo = appServer.user('bo', second.url)
      const texts = await allTexts(bo, room)
      assert.equal(new Set(texts).size, texts.length)
      for (const own of acknowledged)
        assert.deepEqual(
          texts.filter((text) => own.includes(text)),
          own,
        )
      // A message in flight may or may not be stored; it can be sent again and is stored once.
      for (const id of attempted) {
        const { status, body } = await bo.call('POST', `${path(room)}/message`, { body: { message: { id, text: id } } })
        assert.ok(status === 201 || /already exists/.test(body.message), `${id} → ${status}`)
      }
      const { total_unread_count } = await appServer.user('ada', second.url).does('GET', '/unread')
      const { read } = await bo.opensChannel(room)
      assert.equal(read.find(({ user }) => user.id === 'ada')!.unread_messages, total_unread_count)
    })

    it('an unfinished task of a killed server continues once one is running again', async () => {
      const env = { ...(await environment()), ...allowLoopback }
      const first = await starts(env)
      const appServer = new AppServer(first.url, app, clock)
      await appServer.createUsers('ada')
      const ada = appServer.user('ada')
      const room = await appServer.opens([ada])
      await appServer.does('PATCH', '/app', { body: { webhook_url: listener.url, webhook_events: ['message.new'] } })
      listener.answers = () => 'nothing'
      await ada.sends(room, 'can you hear me?')
      const { headers } = await listener.receives('message.new')

      assert.equal(await first.ends('SIGKILL'), null)
      listener.answers = () => 200
      // Its claim lasts a minute, and its owner is no longer there to release it.
      await returns(env)
      const again = await listener.receives('message.new', 2)
      assert.equal(again.headers['x-webhook-id'], headers['x-webhook-id'])
    })

    it('[CON-21] a server asked to stop closes sockets with 1012, and finishes calls in progress', async () => {
      const env = await environment()
      const first = await starts(env)
      const appServer = new AppServer(first.url, app, clock)
      await appServer.createUsers('ada', 'bo')
      const [ada, bo] = [appServer.user('ada'), appServer.user('bo')]
      const room = await appServer.opens([ada, bo])
      await bo.watches(room)
      const acknowledged: string[] = []
      const talks = [talk(ada, room, acknowledged, 'a')]
      while (acknowledged.length < 20) await new Promise((resolve) => setImmediate(resolve))

      assert.equal(await first.ends('SIGTERM'), 0)
      await Promise.all(talks)

      assert.equal(bo.closed?.code, 1012)
      const second = await returns(env)
      const texts = await allTexts(appServer.user('ada', second.url), room)
      assert.deepEqual(
        texts.filter((text) => acknowledged.includes(text)),
        acknowledged,
      )
    })
  })

it('neither token nor secret is ever logged', { timeout: TIMEOUT_MS }, async () => {
  const node = await starts({ DATABASE_URL: await places[0]!.database(), API_KEY: key, API_SECRET: secret })
  const appServer = new AppServer(node.url, app, clock)
  await appServer.createUsers('ada')
  const ada = appServer.user('ada')
  const room = await appServer.opens([ada])
  await ada.watches(room)
  await ada.sends(room, 'Hello')
  await ada.call('POST', '/channels', { body: '{"broken' })
  await ada.call('GET', '/nowhere', { query: { authorization: ada.token } })
  const stranger = ada.device()
  stranger.token = `${ada.token}x`
  await stranger.connects()
  await stranger.call('GET', '/unread')
  await node.ends('SIGTERM')

  const log = node.log.join('')
  assert.match(log, /listening/)
  for (const secretText of [ada.token, appServer.token, secret]) assert.equal(log.includes(secretText), false)
})

/** All messages of a channel, page after page, oldest first. */
async function allTexts(testUser: TestUser, room: string): Promise<string[]> {
  const texts: string[] = []
  let page: object = { limit: 300, created_at_after: '2001-01-01T00:00:00Z' }
  for (;;) {
    const { messages } = await testUser.opensChannel(room, { messages: page })
    if (messages.length === 0) return texts
    texts.push(...messages.map(({ text }) => text))
    page = { limit: 300, id_gt: messages.at(-1)!.id }
  }
}

/** Sends messages one by one until the server is gone; returns the ids it tried, and keeps the acknowledged texts. */
async function talk(testUser: TestUser, room: string, acknowledged: string[], name: string): Promise<string[]> {
  const tried: string[] = []
  for (let i = 0; ; i++) {
    const text = `${testUser.id} ${name} ${i}`
    const id = text.replaceAll(' ', '-')
    tried.push(id)
    try {
      const { status } = await testUser.call('POST', `${path(room)}/message`, { body: { message: { id, text } } })
      if (status !== 201) return tried
      acknowledged.push(text)
    } catch {
      return tried
    }
  }
}

onEveryStorage((fixture) => {
  it('a client that does not read is disconnected, and no other client waits', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const lazy = bo.device()
    await lazy.watches(room)
    await ada.watches(room)
    const { hub } = fixture.nodes[0]!.server
    const connection = hub.connections.get(lazy.connectionId!)!
    const body = JSON.stringify({ type: 'big', created_at: '2026-01-01T00:00:00Z', text: 'x'.repeat(1_000_000) })

    lazy.stopsReading()
    for (let i = 0; i < 100 && hub.connections.has(connection.id); i++) {
      hub.sendToWatchers(appServer.app.id, room, body, undefined)
      await ada.receives('big')
    }

    assert.equal(hub.connections.has(connection.id), false)
    await ada.sends(room, 'Still here')
    await ada.receives('message.new')
    // A disconnected client reconnects and finds everything.
    await bo.watches(room)
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
  })
})
