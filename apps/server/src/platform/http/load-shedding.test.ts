import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { LoadShedding } from './load-shedding.ts'

interface World {
  now: number
  writes: number
}

function shedding(callsInFlight = 3) {
  const world: World = { now: 0, writes: 0 }
  const load = new LoadShedding(
    { callsInFlight },
    () => world.writes,
    () => world.now,
  )
  const answers: EventEmitter[] = []
  const admit = (headers: Record<string, string> = {}) => {
    const answer = new EventEmitter()
    const isIn = load.admit({ headers }, answer as never)
    if (isIn) answers.push(answer)
    return isIn
  }
  return { world, load, admit, answerOne: () => answers.shift()!.emit('close') }
}

describe('an overloaded server', () => {
  it('[LIM-8] refuses calls above its concurrency limit, and accepts as many as finish', () => {
    const { admit, answerOne, load } = shedding()
    assert.deepEqual([admit(), admit(), admit(), admit(), admit()], [true, true, true, false, false])
    answerOne()
    assert.deepEqual([admit(), admit()], [true, false])
    assert.equal(load.shed, 3)
  })

  it('[LIM-8] accepts calls for part of an event loop turn, and refuses them for the rest', async () => {
    const { admit, world } = shedding(1_000)
    for (let i = 0; i < 300; i++) assert.equal(admit(), true)
    world.now += 100
    assert.equal(admit(), true)
    world.now += 1
    assert.equal(admit(), false)
    await new Promise(setImmediate)
    assert.equal(admit(), true)
  })

  it('[LIM-8] accepts three hundred calls at a time, though one of them blocked the event loop', () => {
    const { admit, world } = shedding(1_000)
    assert.equal(admit(), true)
    world.now += 5_000
    for (let i = 1; i < 300; i++) assert.equal(admit(), true)
    assert.equal(admit(), false)
  })

  it('[LIM-8] refuses calls while too many writes wait for their commit', () => {
    const { admit, world } = shedding()
    world.writes = 500
    assert.equal(admit(), false)
    world.writes = 499
    assert.equal(admit(), true)
  })

  it('[LIM-8] holds no more than 64 MB of bodies, whatever length the clients announce', () => {
    const { admit, answerOne } = shedding(10_000)
    const megabyte = { 'content-length': `${1_048_576}` }
    for (let i = 0; i < 64; i++) assert.equal(admit(megabyte), true)
    assert.equal(admit(megabyte), false)
    assert.equal(admit({ 'transfer-encoding': 'chunked' }), false)
    assert.equal(admit(), true)
    answerOne()
    assert.equal(admit({ 'transfer-encoding': 'chunked' }), true)
    // Without other waiting bodies, a large one is accepted.
    const alone = shedding()
    assert.equal(alone.admit({ 'content-length': `${300 * 1_048_576}` }), true)
  })
})

onEveryStorage(
  (fixture) => {
    it('[LIM-8] responds 429 with code 9 and Retry-After at once, to browsers too, and stays alive', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const { url } = fixture.nodes[0]!
      // An unfinished body keeps its call in progress. It reaches the server before any other is sent.
      const held = connect(Number(new URL(url).port), '127.0.0.1')
      await once(held, 'connect')
      const head = `PATCH /app?api_key=${appServer.app.key} HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n{`
      await new Promise((written) => held.write(head, written))
      let refused: Response
      do
        refused = await fetch(`${url}/app?api_key=${appServer.app.key}`, { headers: { Origin: 'https://any.example' } })
      while (refused.status !== 429)
      assert.ok(Number(refused.headers.get('Retry-After')) > 0)
      assert.equal(refused.headers.get('Access-Control-Allow-Origin'), '*')
      const body = (await refused.json()) as { code: number; StatusCode: number; message: string }
      assert.deepEqual([body.code, body.StatusCode], [9, 429])
      assert.match(body.message, /too much to do/)
      for (const path of ['/alive', '/health', '/metrics']) assert.equal((await fetch(url + path)).status, 200, path)
      // What waits is not counted: a poll of a key that nobody has is answered, and not shed.
      for (const path of ['/longpoll', '/api/v2/longpoll', '/api/v2/chat/longpoll'])
        assert.equal((await fetch(`${url}${path}?api_key=none`)).status, 401, path)
      const answer = await fetch(`${url}/app`, { method: 'OPTIONS', headers: preflight })
      assert.equal(answer.status, 204)
      held.destroy()
      await expect.poll(() => ada.call('GET', '/app').then(({ status }) => status)).toBe(200)
      await ada.sends(room, 'all is well again')
    })
  },
  { CALLS_IN_FLIGHT: '1' },
)

const preflight = { Origin: 'https://any.example', 'Access-Control-Request-Method': 'GET' }
