import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { it } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { eventually } from '../../testing/eventually.ts'
import { freshDatabase } from '../../testing/fixture.ts'
import { readSettings } from '../settings.ts'
import { type Bus, connectNats } from './bus.ts'
import { busSettingsIn } from './bus-settings.ts'

it('a node that starts while others come and go knows them from then on', async () => {
  await beside(async (bus, other, starting) => {
    const ended = { app: 'unknown', id: 'ada', cids: [], reason: 'deleted' }
    let isStarting = true
    void starting.finally(() => {
      isStarting = false
    })
    while (isStarting) {
      for (const say of ['hello', 'bye']) bus.publish('presence', JSON.stringify({ node: other, say }))
      bus.publish('changes', JSON.stringify({ ended: [ended] }))
      await setTimeout(1)
    }
    await knows(await starting, bus, other)
  })
})

const hasIPv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ family }) => family === 'IPv6'))

it.skipIf(!hasIPv6)('a node that listens on IPv6 publishes an address at which it can be reached', async () => {
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: 'sqlite::memory:', HOST: '::1' }
  const running = await startServer({ ...readSettings(env), port: 0 })
  try {
    assert.equal((await fetch(`${running.server.publicUrl}/health`)).status, 200)
    assert.equal((await fetch(`${running.url}/health`)).status, 200)
  } finally {
    await running.stop()
  }
})

it('a message that a node cannot read is reported, and the next one is received', async () => {
  const subject = randomBytes(6).toString('hex')
  const failures: unknown[] = []
  const url = process.env.TEST_NATS_URL!
  const [here, there] = [
    await connectNats(
      busAt(url),
      reports((error) => failures.push(error)),
    ),
    await connectNats(busAt(url), reports(assert.ifError)),
  ]
  const received: unknown[] = []
  here.subscribe(subject, (text) => received.push(JSON.parse(text)))
  await here.settled()
  // The other may use another server of the bus, which learns of this subscription a moment later.
  await eventually(async () => {
    for (const text of ['no JSON', '"news"']) there.publish(subject, text)
    await there.settled()
    return received.length > 0
  }, 'the news is received')
  assert.equal(received[0], 'news')
  assert.ok(failures.length > 0)
  await Promise.all([here.close(), there.close()])
})

function busAt(url: string) {
  return busSettingsIn({ BUS_URL: url })!
}

function reports(failed: (error: unknown) => void) {
  return { failed, away() {}, back() {} }
}

/** A node that starts, and another that is nothing but its name and its words. */
async function beside(run: (bus: Bus, other: string, starting: Promise<RunningServer>) => Promise<void>) {
  const id = randomBytes(6).toString('hex')
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  const database = await freshDatabase(id)
  const url = process.env.TEST_NATS_URL!
  const bus = await connectNats(busAt(url), reports(assert.ifError))
  const env = { LOG_LEVEL: 'silent', DATABASE_URL: database.url, DATA_DIR: folder, BUS_URL: url, FILES_SHARED: 'on' }
  const starting = startServer({ ...readSettings(env), port: 0 })
  try {
    await run(bus, id, starting)
  } finally {
    await (await starting).stop()
    await bus.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function knows(node: RunningServer, bus: Bus, other: string) {
  bus.publish('presence', JSON.stringify({ node: other, say: 'online', users: [`${other}|ada`] }))
  await eventually(() => node.server.presence.isOnline(other, 'ada'), 'the other is known')
}
