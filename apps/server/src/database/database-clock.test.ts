import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it, onTestFinished } from 'vitest'
import { type RunningServer, startServer } from '../app.ts'
import { foundApp } from '../apps/found-app.ts'
import { systemClock } from '../clock.ts'
import { readSettings } from '../settings.ts'
import { AppServer } from '../testing/person.ts'
import { freshDatabase } from '../testing/stage.ts'
import { StoryClock } from '../testing/story-clock.ts'
import { DatabaseClock } from './database-clock.ts'

const MINUTE_MS = 60_000
const START = 1_800_000_000_000

/** A node: what its processor has counted, and how long an answer of the database takes to come. */
class Node {
  counted = 5_000
  /** What the database's clock says when this node has counted nothing. */
  ahead = START
  tookMs = 2
  clock = new DatabaseClock(
    async () => {
      this.counted += this.tookMs / 2
      const answer = this.ahead + this.counted
      this.counted += this.tookMs / 2
      return answer
    },
    () => () => {},
    () => this.counted,
  )

  get databaseTime() {
    return Math.floor(this.ahead + this.counted)
  }
}

describe('the time of the database', () => {
  it('is the same on nodes that count from different moments', async () => {
    const nodes = [new Node(), new Node()]
    nodes[1]!.counted += 7 * MINUTE_MS
    nodes[1]!.ahead -= 7 * MINUTE_MS
    for (const { clock } of nodes) await clock.start()
    assert.equal(nodes[0]!.clock.now(), nodes[0]!.databaseTime)
    assert.equal(nodes[1]!.clock.now(), nodes[0]!.clock.now())
  })

  it('is made up for little by little, and never runs backwards', async () => {
    for (const drift of [400, -400, 999, -999]) {
      const node = new Node()
      await node.clock.start()
      node.ahead += drift
      const before = node.clock.now()
      await node.clock.measure()
      assert.ok(Math.abs(node.clock.now() - before) <= 3, 'it leaps')
      let [last, lastMicros] = [node.clock.now(), node.clock.micros()]
      for (let step = 0; step < 1_000; step++) {
        node.counted += 12
        const [now, micros] = [node.clock.now(), node.clock.micros()]
        assert.ok(now >= last && micros > lastMicros, `${drift}: it ran backwards`)
        last = now
        lastMicros = micros
      }
      assert.ok(Math.abs(node.clock.now() - node.databaseTime) <= 1)
    }
  })

  it('is followed at once where it was set, and after the machine slept', async () => {
    for (const jump of [MINUTE_MS, -MINUTE_MS]) {
      const node = new Node()
      await node.clock.start()
      node.ahead += jump
      await node.clock.measure()
      assert.equal(node.clock.now(), node.databaseTime)
    }
  })

  it('is no more exact than the way there and back, and goes on while the database is away', async () => {
    const node = new Node()
    await node.clock.start()
    node.tookMs = 600
    node.ahead += 250
    const off = node.databaseTime - node.clock.now()
    await node.clock.measure()
    node.counted += MINUTE_MS
    assert.equal(node.databaseTime - node.clock.now(), off)

    const away = new DatabaseClock(async () => assert.fail('away'), systemClock.after)
    await assert.rejects(away.start())
  })
})

it('[SET-8] nodes whose clocks are minutes apart go by the database: slow mode, the end of a ban, order', async () => {
  const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
  onTestFinished(drop)
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: url, BUS_URL: process.env.TEST_NATS_URL!, FILES_SHARED: 'on' }
  const realNow = Date.now
  onTestFinished(() => {
    Date.now = realNow
  })
  const nodes: RunningServer[] = []
  for (const off of [4 * MINUTE_MS, -5 * MINUTE_MS]) {
    // Whatever asks the machine for the time gets a wrong one.
    Date.now = () => realNow() + off
    nodes.push(await startServer({ ...readSettings({ ...env, FFMPEG: 'off' }), port: 0 }))
  }
  onTestFinished(async () => {
    for (const node of nodes) await node.stop()
  })
  Date.now = realNow
  const times = nodes.map(({ server }) => server.clock.now())
  for (const time of times) assert.ok(Math.abs(time - realNow()) < MINUTE_MS, `${time}`)

  const app = await foundApp(nodes[0]!.server.database, { key: 'tea', secret: 'a secret that is long' }, 0)
  await nodes[0]!.server.apps.reloadAll()
  await nodes[1]!.server.apps.reloadAll()
  const company = new AppServer(nodes[0]!.url, app, new StoryClock())
  await company.hires('ada', 'bo')
  const [ada, adaElsewhere] = nodes.map(({ url }) => company.person('ada', url))
  const bo = company.person('bo', nodes[1]!.url)
  const room = await company.opens([ada!, bo])
  const texts = Array.from({ length: 10 }, (_, n) => `${n}`)
  for (const text of texts) await [ada!, adaElsewhere!][Number(text) % 2]!.says(room, text)
  const { messages } = await bo.opensChannel(room)
  assert.deepEqual(
    messages.map(({ text }) => text),
    texts,
  )
  for (const { created_at } of messages) assert.ok(Math.abs(Date.parse(created_at) - realNow()) < MINUTE_MS)

  await company.does('POST', '/moderation/ban', {
    body: { target_user_id: 'bo', banned_by_id: 'ada', timeout: 2 },
  })
  const banned = await nodes[1]!.server.users.get(app.id, 'bo')
  assert.ok(Math.abs(banned!.ban_expires! / 1_000 - (realNow() + 2 * MINUTE_MS)) < MINUTE_MS)
})
