import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { type RunningServer, startServer } from '../../app.ts'
import { foundApp } from '../../chat/apps/found-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { freshDatabase, onEveryStorage } from '../../testing/fixture.ts'
import { AppServer, type TestUser } from '../../testing/test-user.ts'
import { CommitMarks } from '../database/commit-marks.ts'
import { openDatabase } from '../database/database.ts'
import { isoOf } from '../micros.ts'
import { readSettings } from '../settings.ts'

describe.each([1, 2])('a PostgreSQL under %i node(s)', (count) => {
  const name = () => `chat_${id}`
  let id = ''
  let folder = ''
  let clock: FakeClock
  let nodes: RunningServer[] = []
  let appServer: AppServer
  let [ada, bo] = [] as unknown as [TestUser, TestUser]
  let room = ''
  let drop = async () => {}

  beforeEach(async () => {
    id = randomBytes(6).toString('hex')
    folder = await mkdtemp(join(tmpdir(), 'parley-rewound-'))
    clock = new FakeClock()
    const database = await freshDatabase(id)
    drop = database.drop
    const env = {
      ...{ LOG_LEVEL: 'silent', DATABASE_URL: database.url, DATA_DIR: folder, FFMPEG: 'off', LINK_PREVIEWS: 'off' },
      ...(count > 1 && { BUS_URL: process.env.TEST_NATS_URL!, FILES_SHARED: 'on' }),
    }
    nodes = []
    for (let i = 0; i < count; i++) nodes.push(await startServer({ ...readSettings(env), port: 0 }, clock))
    const app = await foundApp(nodes[0]!.server.database, { key: id, secret: 'a secret that is long' }, 0)
    appServer = new AppServer(nodes[0]!.url, app, clock)
    await appServer.createUsers('ada', 'bo')
    ada = appServer.user('ada', nodes[0]!.url)
    bo = appServer.user('bo', nodes.at(-1)!.url)
    room = await appServer.opens([ada, bo])
    await Promise.all([ada.watches(room), bo.watches(room)])
    await ada.sends(room, 'One')
    await bo.receives('message.new', ({ message }) => message.text === 'One')
  })
  afterEach(async () => {
    for (const node of nodes) await node.stop()
    await drop()
    await rm(folder, { recursive: true, force: true })
  })

  /** Keeps the database as it is now. */
  async function backsUp() {
    await onDatabase(async (run) => {
      await withoutConnections(run, name())
      await run(`create database ${name()}_backup template ${name()}`)
      await run(`alter database ${name()} allow_connections true`)
    })
    await isWell()
  }

  /** Puts that back, under the nodes as they run. */
  async function restores() {
    await onDatabase(async (run) => {
      await withoutConnections(run, name())
      await run(`drop database ${name()}`)
      await run(`alter database ${name()}_backup rename to ${name()}`)
    })
    await isWell()
  }

  async function isWell() {
    for (const { url } of nodes) await eventually(async () => (await fetch(`${url}/health`)).ok, 'it is well again')
  }

  async function comesBack(testUser: TestUser) {
    await testUser.ends()
    assert.equal(testUser.closed?.code, 1012)
    await testUser.connects()
    return (await testUser.watches(room)).messages.map(({ text }) => text)
  }

  it('[CON-27] that lost nothing is not taken for another one, though a node had nothing to commit for weeks', async () => {
    for (let day = 0; day < 21; day++) {
      clock.advance(86_400_000)
      await ada.sends(room, `Day ${day}`)
    }
    // Their sockets were silent for too long meanwhile.
    for (const testUser of [ada, bo]) {
      await testUser.connects()
      await testUser.watches(room)
    }
    for (const writer of [bo, ada]) {
      await writer.sends(room, `from ${writer.id}`)
      for (const testUser of [ada, bo]) {
        await testUser.receives('message.new', ({ message }) => message.text === `from ${writer.id}`)
        assert.equal(testUser.closed, undefined)
      }
    }
  })

  it('[CON-27] that lost messages is noticed with the next one, which all members receive with all that follow', async () => {
    await backsUp()
    for (const text of ['Two', 'Three']) {
      await ada.sends(room, text)
      await bo.receives('message.new', ({ message }) => message.text === text)
    }
    await restores()

    await ada.sends(room, 'Four')
    assert.deepEqual(await comesBack(ada), ['One', 'Four'])
    assert.deepEqual(await comesBack(bo), ['One', 'Four'])
    for (const [testUser, other] of [
      [ada, bo],
      [bo, ada],
    ] as const) {
      await testUser.sends(room, `from ${testUser.id}`)
      for (const each of [testUser, other])
        await each.receives('message.new', ({ message }) => message.text === `from ${testUser.id}`)
    }
    assert.deepEqual([await ada.unread(room), await bo.unread(room)], [1, 0])
    // It is noticed once.
    clock.advance(10_000)
    await ada.sends(room, 'Last')
    for (const testUser of [ada, bo]) {
      await testUser.receives('message.new', ({ message }) => message.text === 'Last')
      assert.equal(testUser.closed, undefined)
    }
  })

  it('[CON-27] that lost a change never claims that its log has all missed events', async () => {
    const { messages } = await bo.opensChannel(room)
    const since = (atMicros: number) => ({ body: { channel_cids: [room], last_sync_at: isoOf(atMicros) } })
    const before = clock.micros()
    await backsUp()
    await ada.does('POST', `/messages/${messages[0]!.id}`, { body: { message: { text: 'Uno' } } })
    await bo.receives('message.updated')
    assert.equal((await bo.does('POST', '/sync', since(before))).events.length, 1)
    await restores()

    clock.advance(1_000)
    await ada.sends(room, 'Two')
    assert.deepEqual(await comesBack(bo), ['One', 'Two'])
    await bo.isRefused(4, 'POST', '/sync', since(before))
    // It is known for as long as clients may sync from before.
    clock.advance(29 * 86_400_000)
    for (let hour = 0; hour < 3; hour++) clock.advance(3_600_000)
    await bo.isRefused(4, 'POST', '/sync', since(before))
    const after = clock.micros()
    clock.advance(1_000)
    await ada.sends(room, 'Three')
    const { events } = await bo.does('POST', '/sync', since(after))
    assert.deepEqual(
      events.map(({ message }: { message: { text: string } }) => message.text),
      ['Three'],
    )
  })

  it('[CON-27] that lost more than messages shows what there is, and nothing that nodes remember', async () => {
    await backsUp()
    await appServer.createUsers('cy')
    await appServer.does('POST', `/channels/${room.replace(':', '/')}`, { body: { add_members: ['cy'] } })
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', name: 'Robert' } } } })
    const cy = appServer.user('cy', bo.url)
    await cy.sends(room, 'I am here')
    await bo.receives('message.new')
    await restores()

    await ada.sends(room, 'Is cy here?')
    await comesBack(bo)
    await cy.isRefused(5, 'POST', `/channels/${room.replace(':', '/')}/query`, { body: { state: true } })
    const { members } = await bo.opensChannel(room)
    assert.deepEqual(members.map(({ user }) => user?.name).sort(), ['Ada', 'Bo'])
  })

  it('[CON-27] that lost messages is noticed when there are no more writes', async () => {
    await backsUp()
    await ada.sends(room, 'Two')
    await bo.receives('message.new', ({ message }) => message.text === 'Two')
    // The node that knows best is lost with what it wrote.
    if (count > 1) await nodes.shift()!.stop()
    await restores()
    // What was written since the start of the node is the first that comes after it.
    await eventually(async () => {
      // A socket from which nothing comes would be dropped for that, on a busy machine before the database is asked.
      void bo.pings()
      clock.advance(5_000)
      return bo.closed !== undefined
    }, 'it is noticed')
    assert.deepEqual(await comesBack(bo), ['One'])
  })

  it('that was merely away disconnects no client', async () => {
    await onDatabase(async (run) => {
      await withoutConnections(run, name())
      await run(`alter database ${name()} allow_connections true`)
    })
    await isWell()
    await ada.sends(room, 'Two')
    clock.advance(10_000)
    await bo.receives('message.new', ({ message }) => message.text === 'Two')
    await bo.sends(room, 'Three')
    await ada.receives('message.new', ({ message }) => message.text === 'Three')
    assert.deepEqual([ada.closed, bo.closed], [undefined, undefined])
  })
})

onEveryStorage((fixture) => {
  it('[CON-27] a database whose last commits are gone sends those who poll to a new connection', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const json = JSON.stringify({ user_id: 'ada' })
    const { event } = await ada.does('GET', '/longpoll', { query: { json } })
    ada.connectionId = event.connection_id
    const { database } = fixture.nodes[0]!.server
    await database.write.updateTable('commit_marks').set({ number: 0 }).execute()
    ada.connectionId = undefined
    await ada.sends(room, 'One')
    ada.connectionId = event.connection_id
    await eventually(async () => (await ada.call('GET', '/longpoll')).body.code === 46, 'they are sent away')
  })
})

it('[CON-27] a loss that is noticed during a check is noticed once', async () => {
  const database = await openDatabase('sqlite::memory:')
  try {
    const marks = new CommitMarks('a node', new FakeClock())
    const { committed } = await marks.leave(database.write)
    committed()
    await database.write.deleteFrom('commit_marks').execute()
    assert.equal(await marks.isBehind(database.read, database.dialect), true)
    const look = marks.isBehind(database.read, database.dialect)
    marks.reset()
    assert.equal(await look, false)
  } finally {
    await database.close()
  }
})

type Run = (text: string) => Promise<unknown>

async function onDatabase(work: (run: Run) => Promise<void>) {
  const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES_URL! })
  await client.connect()
  try {
    await work((text) => client.query(text))
  } finally {
    await client.end()
  }
}

/** Ends all connections to a database and lets no other in. */
async function withoutConnections(run: Run, name: string) {
  await run(`alter database ${name} allow_connections false`)
  await run(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
}
