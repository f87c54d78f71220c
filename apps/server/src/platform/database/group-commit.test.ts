import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'
import { ChatError } from '../chat-error.ts'
import type { Batch } from './batch.ts'
import { GroupCommit } from './group-commit.ts'

/** A time with all its digits, which sorts as text. */
const key = (time: string) => time.replace('Z', '').padEnd(20, '.').padEnd(27, '0')

onEveryTransport((fixture) => {
  it('concurrent messages have one order for all, and strictly increasing times', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const watchers = [ada, bo, cy.device(fixture.nodes.at(-1)!.url)]
    for (const testUser of watchers) await testUser.watches(room)

    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, i) => [ada, bo, cy][i % 3]!.sends(room, `m${i}`) as Promise<Message>),
    )

    const { messages } = await ada.opensChannel(room, { messages: { limit: 100 } })
    const order = messages.map(({ id }) => id)
    assert.deepEqual(new Set(order), new Set(sent.map(({ id }) => id)))
    const times = messages.map(({ created_at }) => key(created_at))
    assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]!))
    for (const testUser of watchers) {
      const received: string[] = []
      while (received.length < 60) received.push((await testUser.receives('message.new')).message_id)
      assert.deepEqual(received, order)
    }
  })

  it('[MSG-33] of several attempts with one id one wins, and it is stored once', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const devices = fixture.nodes.map((node) => ada.device(node.url))
    const attempt = (testUser: TestUser) =>
      testUser.call('POST', `${path(room)}/message`, { body: { message: { id: 'ada-1', text: 'Once' } } })

    const answers = await Promise.all([...devices, ...devices, ...devices].map(attempt))

    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const { status, body } of answers)
      if (status !== 201) assert.match(body.message, /a message with ID ada-1 already exists/)
    assert.equal((await ada.opensChannel(room)).messages.length, 1)
  })
})

onEveryStorage((fixture) => {
  /** A separate group commit, with a callback after each commit. */
  function aCommit(committed: (batch: Batch) => void = () => {}) {
    return new GroupCommit(fixture.nodes[0]!.server.database, fixture.clock, { committed, unsure: assert.fail })
  }

  it('writes that arrive together are committed together, and published before any call is answered', async () => {
    const log: string[] = []
    const commit = aCommit(() => log.push('published'))
    const write = (name: string) => commit.write('app', [], async () => name).then((result) => log.push(result))

    await Promise.all([write('one'), write('two'), write('three')])

    assert.deepEqual(log, ['published', 'one', 'two', 'three'])
  })

  it('what can wait goes along with the next write, and with nothing to go along it is written all the same', async () => {
    let commits = 0
    const commit = aCommit(() => {
      commits += 1
    })
    const along = () => commit.writeAlong('app', async () => 'along')
    // One after the other, as connections come in: each in a turn of its own.
    const first = along()
    await new Promise((resolve) => setImmediate(resolve))
    const second = along()
    const third = commit.write('app', [], async () => 'at once')
    assert.deepEqual([await first, await second, await third, commits], ['along', 'along', 'at once', 1])

    assert.deepEqual([await along(), commits], ['along', 2])
    const last = along()
    await commit.drained()
    assert.deepEqual([await last, commits], ['along', 3])
  })

  it('what comes while others are committed, and can wait, still waits for those after it', async () => {
    let commits = 0
    const commit = aCommit(() => {
      commits += 1
    })
    let along: Promise<unknown> = Promise.resolve()
    await commit.write('app', [], async () => {
      along = commit.writeAlong('app', async () => {})
    })
    await Promise.all([along, commit.write('app', [], async () => {})])
    assert.equal(commits, 2)
  })

  it('a write is published only after it is stored', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const { database } = fixture.nodes[0]!.server
    const rename = (batch: Batch, name: string) =>
      batch.db.updateTable('channels').set({ name }).where('app', '=', appServer.app.id).execute()
    const stored = () =>
      database.read.selectFrom('channels').select('name').where('app', '=', appServer.app.id).executeTakeFirstOrThrow()
    let seen: Promise<{ name: string | null }> | undefined
    const commit = aCommit(() => {
      seen = stored()
    })

    const during = await commit.write(appServer.app.id, [room], async (batch) => {
      await rename(batch, 'Tea')
      return stored()
    })

    assert.equal(during.name, null)
    assert.equal((await seen)!.name, 'Tea')
  })

  it('who reads meanwhile sees nothing of a write before it is stored, and cannot write', async () => {
    const { read } = fixture.nodes[0]!.server.database
    const commit = aCommit()
    const { ada } = await fixture.createApp('ada')
    const name = () =>
      read.selectFrom('users').select('name').where('app', '=', ada.app.id).where('id', '=', 'ada').executeTakeFirst()
    const before = await name()
    let meanwhile: unknown
    await commit.write(ada.app.id, [], async ({ db }) => {
      await db.updateTable('users').set({ name: 'Another name' }).where('app', '=', ada.app.id).execute()
      meanwhile = await name()
    })
    assert.deepEqual(meanwhile, before)
    assert.deepEqual(await name(), { name: 'Another name' })
    if (fixture.nodes[0]!.server.database.dialect.name === 'sqlite')
      await assert.rejects(read.deleteFrom('users').where('app', '=', ada.app.id).execute(), /readonly/)
  })

  it('a write that is refused leaves nothing behind and harms none of its batch', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const app = appServer.app.id
    const { database } = fixture.nodes[0]!.server
    const numbers: number[] = []
    const commit = aCommit((batch) => numbers.push(...batch.publications.map(({ seq }) => seq)))
    const start = await database.read
      .selectFrom('channels')
      .select('seq')
      .where('app', '=', app)
      .executeTakeFirstOrThrow()
    const sends = (text: string, fails: boolean) =>
      commit.write(app, [room], async (batch) => {
        const channel = batch.channel(app, room)!
        batch.publish(channel, 'sent', { at: batch.nextTime(channel), watchers: JSON.stringify({ text }) })
        await batch.db.updateTable('channels').set({ name: text }).where('app', '=', app).execute()
        if (fails) throw new ChatError('InputError', `${text} is refused`)
      })

    const outcomes = await Promise.allSettled([sends('one', false), sends('two', true), sends('three', false)])

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    // The events are numbered without a gap.
    assert.deepEqual(numbers, [start.seq + 1, start.seq + 2])
    const logged = database.read.selectFrom('events').select('body').where('app', '=', app).where('type', '=', 'sent')
    assert.deepEqual(
      (await logged.orderBy('seq').execute()).map(({ body }) => JSON.parse(body).text),
      ['one', 'three'],
    )
    const channel = database.read.selectFrom('channels').select(['name', 'seq']).where('app', '=', app)
    assert.deepEqual({ ...(await channel.executeTakeFirstOrThrow()) }, { name: 'three', seq: start.seq + 2 })
  })

  it('users and channels whose change is refused are not published', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const app = appServer.app.id
    const { server } = fixture.nodes[0]!
    const user = (await server.users.get(app, ada.id))!
    const published: unknown[] = []
    const commit = aCommit((batch) =>
      published.push(...batch.updatedUsers, ...batch.endedUsers, ...batch.earlierChannels),
    )

    const refused = commit.write(app, [room], async (batch) => {
      batch.updatedUsers.push(user)
      batch.endedUsers.push({ app, id: ada.id, cids: [], reason: 'user is deleted' })
      batch.earlierChannels.push(batch.channel(app, room)!)
      throw new ChatError('InputError', 'not now')
    })

    await assert.rejects(refused, /not now/)
    assert.deepEqual(published, [])
  })

  it('a write that breaks is the only one that fails', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const app = appServer.app.id
    let published = 0
    const commit = aCommit((batch) => {
      published += batch.publications.length
    })
    const sends = (breaks: boolean) =>
      commit.write(app, [room], async (batch) => {
        const channel = batch.channel(app, room)!
        batch.publish(channel, 'sent', { at: batch.nextTime(channel), watchers: '{}' })
        if (breaks)
          await batch.db
            .insertInto('members')
            .values({ app: null } as never)
            .execute()
      })

    const outcomes = await Promise.allSettled([sends(false), sends(true), sends(false)])

    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(published, 2)
  })

  it('an error while publishing undoes nothing and repeats nothing', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { hub } = fixture.nodes[0]!.server
    const publish = hub.publish
    hub.publish = () => {
      throw new Error('The hub is broken.')
    }

    try {
      await Promise.all([ada.sends(room, 'One'), bo.sends(room, 'Two')])
    } finally {
      hub.publish = publish
    }

    assert.deepEqual((await ada.opensChannel(room)).messages.map(({ text }) => text).sort(), ['One', 'Two'])
  })

  it('what is under way when one asks is done when the answer comes', async () => {
    const commit = aCommit()
    let done = 0
    for (let i = 0; i < 3; i++)
      void commit.write('app', [], async () => {
        done += 1
      })

    await commit.drained()

    assert.equal(done, 3)
  })
})
