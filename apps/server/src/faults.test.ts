/** What a server loses when it dies, leaves, or has a reader who does not read: nothing it has acknowledged. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { type RunningServer, startServer } from './app.ts'
import { readSettings } from './settings.ts'
import { FakeClock } from './testing/fake-clock.ts'
import { freshDatabase, onEveryStorage } from './testing/fixture.ts'
import { allowLoopback, Listener } from './testing/listener.ts'
import { AppServer, path, type TestUser } from './testing/test-user.ts'

interface Node {
  process: ChildProcess
  url: string
  /** All it wrote so far. */
  log: string[]
  /** Ends it with a signal; resolves with its exit code, null when it was killed. */
  ends(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts the server as a process of its own, on a port that is free. */
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

/** The server comes back, in this process, on the same database. */
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
/** A process of its own starts slowly where many do. */
const TIMEOUT_MS = 300_000

for (const place of places)
  describe(`a process on ${place.name}`, { timeout: TIMEOUT_MS }, () => {
    const environment = async () => ({ DATABASE_URL: await place.database(), API_KEY: key, API_SECRET: secret })

    it('a server that is killed keeps every message it acknowledged, once and in order', async () => {
      const env = await environment()
      const first = await starts(env)
      const appServer = new AppServer(first.url, app, clock)
      await appServer.createUsers('ada', 'bo')
      const people = [appServer.user('ada'), appServer.user('bo')]
      const room = await appServer.opens(people)
      const acknowledged: string[][] = [[], []]
      // Each keeps two messages under way, until the server is gone.
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
      // What was under way may be there or not; it can be sent again and is there once.
      for (const id of attempted) {
        const { status, body } = await bo.call('POST', `${path(room)}/message`, { body: { message: { id, text: id } } })
        assert.ok(status === 201 || /already exists/.test(body.message), `${id} → ${status}`)
      }
      const { total_unread_count } = await appServer.user('ada', second.url).does('GET', '/unread')
      const { read } = await bo.opensChannel(room)
      assert.equal(read.find(({ user }) => user.id === 'ada')!.unread_messages, total_unread_count)
    })

    it('what a server was doing that is killed goes on as soon as one is back', async () => {
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
      // Its claim holds for a minute, and nobody is left who could give it up.
      await returns(env)
      const again = await listener.receives('message.new', 2)
      assert.equal(again.headers['x-webhook-id'], headers['x-webhook-id'])
    })

    it('[CON-21] a server that is asked to end says so with 1012, and finishes what is under way', async () => {
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

it('neither token nor secret is ever written down', { timeout: TIMEOUT_MS }, async () => {
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

/** Everything ever said in a channel, page after page, oldest first. */
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

/** Sends one message after the other until the server is gone; gives the ids it tried, keeps the answered texts. */
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
  it('a reader who does not read is dropped, and nobody else waits', async () => {
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
    // Whoever was dropped comes back and finds everything.
    await bo.watches(room)
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
  })
})
