/** A client's memory does not grow with its lifetime or with closed channels. */
import assert from 'node:assert/strict'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, it } from 'vitest'
import type { ChatClientOptions } from './chat-client.ts'
import type { Cell, Live } from './live.ts'
import { ChatClient as ServerClient } from './server.ts'
import { aConnectedWorld, settle } from './testing/fake-server.ts'
import { aChannel, ada, aMessage, me, messages, posted } from './testing/wire.ts'
// Loaded before the first test, so that none of them waits for it.
import './connection/long-poll-socket.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Bytes in use after a garbage collection. */
async function heapInUse() {
  await settle()
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Room for the engine's own memory: compiled code, statistics. */
const ENGINE_BYTES = 1_500_000
const HOUR_MS = 3_600_000

const ears = (live: Live<unknown>) => (live as Cell<unknown>).listeners

async function aLongLife(options: Partial<ChatClientOptions> = {}) {
  const world = await aConnectedWorld(options)
  const { client, server } = world
  server.answers('POST', '/channels', () => ({ channels: [aChannel({}, { messages: messages(1, 25) })] }))
  return {
    ...world,
    /** Counts what is kept: timers of the clock, listeners of live values. */
    kept: () => ({ timers: world.clock.waits.length, ears: ears(client.connection) + ears(client.online) }),
    /** The fake server remembers every call and socket; a real one would not be part of this process. */
    forget() {
      server.calls.length = 0
      server.sockets.splice(0, server.sockets.length - 1)
    },
  }
}

describe('a long-lived client', () => {
  it('opens and closes a thousand channels and keeps none of them', async () => {
    const answer = async (input: unknown) => {
      const id = new URL(String(input)).pathname.split('/')[3]
      return Response.json(aChannel({ id }, { messages: messages(1, 25) }))
    }
    const { client, server, kept, forget } = await aLongLife({ fetch: answer as typeof fetch })
    const openAndClose = async (id: string) => {
      const channel = client.channel('messaging', id)
      const unsubscribe = channel.subscribe(() => {})
      const ears = [channel.on('message.new', () => {}), channel.on(() => {})]
      await channel.watch()
      channel.composer.setText('half a sentence')
      server.socket.says(posted(aMessage(`new-${id}`, { cid: channel.cid }), { cid: channel.cid, channel_id: id }))
      unsubscribe()
      for (const ear of ears) ear.unsubscribe()
      await channel.stopWatching()
      return new WeakRef(channel)
    }
    for (let i = 0; i < 50; i++) await openAndClose(`warm-${i}`)
    forget()
    const [before, keptBefore] = [await heapInUse(), kept()]
    const channels: WeakRef<object>[] = []
    for (let i = 0; i < 1_000; i++) channels.push(await openAndClose(`tea-${i}`))
    forget()
    const after = await heapInUse()
    console.info(`1,000 channels opened and closed: ${Math.round((after - before) / 1_024)} kB more in use`)
    assert.deepEqual(kept(), keptBefore)
    assert.ok(channels.filter((channel) => channel.deref()).length <= 1)
    assert.ok(after - before < ENGINE_BYTES, `${after - before} bytes`)
  })

  it('uses thousands of channels with the secret and keeps none of them', async () => {
    const answer = async (input: unknown) => {
      const id = new URL(String(input)).pathname.split('/')[3]
      return Response.json(aChannel({ id, cid: `messaging:${id}` }, { messages: messages(1, 25) }))
    }
    const options = { baseURL: 'https://chat.example.com', fetch: answer as typeof fetch }
    const chat = new ServerClient('key', 'secret', options)
    const serve = async (id: string) => {
      const channel = chat.channel('messaging', id, { created_by_id: 'ada' })
      await channel.watch()
      return new WeakRef(channel)
    }
    for (let i = 0; i < 50; i++) await serve(`warm-${i}`)
    const before = await heapInUse()
    const channels: WeakRef<object>[] = []
    for (let i = 0; i < 2_000; i++) channels.push(await serve(`tea-${i}`))
    const after = await heapInUse()
    console.info(`2,000 channels served: ${Math.round((after - before) / 1_024)} kB more in use`)
    assert.ok(channels.filter((channel) => channel.deref()).length <= 1)
    assert.ok(after - before < ENGINE_BYTES, `${after - before} bytes`)
  })

  it('reconnects for 24 hours and keeps no more than after the first hour', async () => {
    const { client, server, clock, kept, forget } = await aLongLife({ random: () => 0.5 })
    await client.queryChannels({})
    let losses = 0
    const anHour = async () => {
      for (const end = clock.now() + HOUR_MS; clock.now() < end; losses++) {
        clock.advance(20_000)
        server.socket.says(posted(aMessage(`m-${losses}`, { minute: 30 })))
        // In turn: the socket breaks, falls silent, or the server reports a restart.
        if (losses % 3 === 0) server.socket.breaks()
        else if (losses % 3 === 1) clock.advance(35_000)
        else server.socket.refuses(9, 'restarting', 429)
        clock.advance(25_000)
        await settle()
        server.socket.confirms(me(ada), `c${losses}`)
        await settle()
        assert.equal(client.connection.snapshot().at, 'connected')
        forget()
      }
    }
    await anHour()
    const [before, keptBefore] = [await heapInUse(), kept()]
    for (let hour = 1; hour < 24; hour++) await anHour()
    const after = await heapInUse()
    console.info(`24 hours, ${losses} reconnects: ${Math.round((after - before) / 1_024)} kB more in use`)
    assert.deepEqual(kept(), keptBefore)
    assert.ok(after - before < ENGINE_BYTES, `${after - before} bytes`)
    await client.disconnectUser()
    clock.advance(60_000)
    assert.deepEqual(clock.waits, [])
  })

  it('polls for 24 hours, with failures and new connections, and keeps no more than after the first hour', async () => {
    const world = await aLongLife({ enableWSFallback: true, random: () => 0.5 })
    const { client, server, clock, kept, forget } = world
    let polls = 0
    let connections = 0
    server.answers('GET', '/longpoll', ({ query }) => {
      if (query.json) return { event: { type: 'health.check', connection_id: `p${++connections}`, me: me(ada) } }
      polls++
      if (polls % 5 === 0) throw new TypeError('fetch failed')
      return new Promise((resolve) =>
        clock.after(25_000, () => resolve({ events: [posted(aMessage(`m-${polls}`, { minute: 30 }))] })),
      )
    })
    server.socket.breaks()
    clock.advance(1_000)
    await settle()
    server.socket.breaks()
    await settle()
    await settle()
    assert.ok(client.connection.snapshot().at === 'connected')
    await client.queryChannels({})
    const anHour = async () => {
      for (const end = clock.now() + HOUR_MS; clock.now() < end; ) {
        clock.advance(25_000)
        await settle()
        forget()
      }
    }
    await anHour()
    const [before, keptBefore] = [await heapInUse(), kept()]
    for (let hour = 1; hour < 24; hour++) await anHour()
    const after = await heapInUse()
    console.info(`24 hours, ${polls} polls: ${Math.round((after - before) / 1_024)} kB more in use`)
    assert.ok(Math.abs(kept().timers - keptBefore.timers) <= 3, JSON.stringify([kept(), keptBefore]))
    assert.ok(after - before < ENGINE_BYTES, `${after - before} bytes`)
  })
})
