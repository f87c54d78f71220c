import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, it, onTestFinished } from 'vitest'
import { fromNow, now } from '../../../../../scripts/machine-time.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { freshDatabase } from '../../testing/fixture.ts'
import { Program } from '../../testing/program.ts'
import { AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { systemClock } from '../clock.ts'
import { openDatabase } from './database.ts'
import { DatabaseClock } from './database-clock.ts'

const MINUTE_MS = 60_000
const START = 1_800_000_000_000

/** A node: what its processor has counted, and how long an answer of the database takes to come. */
class Node {
  counted = 5_000
  /** The database's clock when this node has counted nothing. */
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

describe('nodes whose own clocks are minutes apart', () => {
  /** A room of ada and bo on two nodes that are programs of their own, one 4 minutes ahead and one 5 behind. */
  async function twoNodes() {
    const { url, drop } = await freshDatabase(randomBytes(6).toString('hex'))
    onTestFinished(drop)
    const [key, secret] = ['tea', 'a secret that is long']
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'parley-clocks-'))
    onTestFinished(() => rmSync(DATA_DIR, { recursive: true, force: true }))
    const env = { DATABASE_URL: url, BUS_URL: process.env.TEST_NATS_URL!, DATA_DIR, API_KEY: key, API_SECRET: secret }
    const programs = [4, -5].map((minutes) => new Program(env, minutes * MINUTE_MS))
    const urls = await Promise.all(programs.map((program) => program.url()))
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const app = { id: key, key, secret, name: key, created_at: 0, settings_json: '{}' }
    const appServer = new AppServer(urls[0]!, app, new FakeClock())
    await appServer.createUsers('ada', 'bo')
    const ada = urls.map((url) => appServer.user('ada', url))
    const bo = urls.map((url) => appServer.user('bo', url))
    return { appServer, database, ada, bo, room: await appServer.opens([ada[0]!, bo[0]!]) }
  }

  /** The clock of the database is ours. */
  const isNow = (time: unknown) =>
    assert.ok(Math.abs(Date.parse(time as string) - now().getTime()) < MINUTE_MS, `${time} is not now`)

  /** Sends a message as soon as it is no longer refused with this code; returns when it was sent. */
  async function sendsAtLast(testUser: TestUser, room: string, code: number): Promise<number> {
    let sent: { body: { code?: number; message: { created_at: string } } } | undefined
    await eventually(async () => {
      sent = await testUser.call('POST', `${path(room)}/message`, { body: { message: { text: 'at last' } } })
      return sent.body.code !== code
    }, `${testUser.id} may speak again`)
    assert.equal(sent!.body.code, undefined, JSON.stringify(sent!.body))
    isNow(sent!.body.message.created_at)
    return Date.parse(sent!.body.message.created_at)
  }

  it('[SET-8] put messages in one order, and end slow mode, bans and reminders by the database', async () => {
    const { appServer, database, ada, bo, room } = await twoNodes()
    const texts = Array.from({ length: 10 }, (_, n) => `${n}`)
    for (const text of texts) isNow((await ada[Number(text) % 2]!.sends(room, text)).created_at)
    for (const reader of bo) {
      const { messages } = await reader.opensChannel(room)
      assert.deepEqual(
        messages.map(({ text }) => text),
        texts,
      )
      const times = messages.map(({ created_at }) => Date.parse(created_at))
      assert.deepEqual(times, times.toSorted())
    }

    // Slow mode, from either node to the other one.
    const seconds = 2
    await appServer.does('PATCH', path(room), { body: { set: { cooldown: seconds } } })
    let last = await sendsAtLast(bo[0]!, room, 60)
    for (const node of [1, 0, 1]) {
      const next = await sendsAtLast(bo[node]!, room, 60)
      assert.ok(next >= last + seconds * 1_000, `on node ${node} after ${next - last} ms`)
      last = next
    }
    await appServer.does('PATCH', path(room), { body: { set: { cooldown: 0 } } })

    // A ban that either node gives holds on both, and ends on both when it is over.
    for (const { url } of bo) {
      const ban = { target_user_id: 'bo', banned_by_id: 'ada', timeout: 1 }
      await appServer.at({ url }).does('POST', '/moderation/ban', { body: ban })
      // The other node receives it a moment later.
      const isBanned = async (device: TestUser) =>
        (await device.call('POST', `${path(room)}/message`, { body: { message: { text: 'Hello?' } } })).body.code === 17
      for (const device of bo) await eventually(() => isBanned(device), 'the ban holds')
      const ends = now().getTime() + 2_000
      await sql`update bans set expires = ${ends * 1_000}`.execute(database.write)
      for (const sentAt of await Promise.all(bo.map((device) => sendsAtLast(device, room, 17))))
        assert.ok(sentAt >= ends, `${ends - sentAt} ms too early`)
    }

    // A reminder comes once, whichever node finds it due.
    await appServer.does('PUT', '/channeltypes/messaging', { body: { user_message_reminders: true } })
    for (const device of bo) await device.connects()
    const lunch = await ada[0]!.sends(room, 'Lunch?')
    for (const owner of bo) {
      const remind_at = fromNow(2_000).toISOString()
      await owner.does('POST', `/messages/${lunch.id}/reminders`, { body: { remind_at } })
      for (const device of bo) {
        const { created_at } = await device.receives('notification.reminder_due')
        isNow(created_at)
        assert.ok(Date.parse(created_at) >= Date.parse(remind_at), `${created_at} is before ${remind_at}`)
      }
      await owner.does('DELETE', `/messages/${lunch.id}/reminders`)
    }
    for (const device of bo) assert.ok(!(await device.receivedTypes()).includes('notification.reminder_due'))
  }, 90_000)
})
