import assert from 'node:assert/strict'
import type { Segment } from '@parley/protocol/segments'
import { it } from 'vitest'
import { microsOf } from '../../platform/micros.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import type { AppServer } from '../../testing/test-user.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape.
type Answer = any

async function makes(appServer: AppServer, data: object = {}): Promise<Segment> {
  return (await appServer.does('POST', '/segments', { body: { type: 'user', ...data } })).segment
}
const reads = async (appServer: AppServer, id: string): Promise<Segment> =>
  (await appServer.does('GET', `/segments/${id}`)).segment
const adds = (appServer: AppServer, id: string, target_ids: readonly string[]) =>
  appServer.does('POST', `/segments/${id}/addtargets`, { body: { target_ids } })
const takesOut = (appServer: AppServer, id: string, target_ids: readonly string[]) =>
  appServer.does('POST', `/segments/${id}/deletetargets`, { body: { target_ids } })
const finds = async (appServer: AppServer, filter: object, more: object = {}): Promise<string[]> => {
  const { segments } = await appServer.does('POST', '/segments/query', { body: { filter, ...more } })
  return segments.map(({ id }: Segment) => id)
}
const targetsIn = async (appServer: AppServer, id: string, body: object = {}): Promise<string[]> => {
  const { targets } = await appServer.does('POST', `/segments/${id}/targets/query`, { body })
  return targets.map(({ target_id }: Answer) => target_id)
}
const holds = async (appServer: AppServer, id: string, target: string) =>
  (await appServer.call('GET', `/segments/${id}/target/${encodeURIComponent(target)}`)).status === 200
const isCounted = (appServer: AppServer, id: string, size: number) =>
  eventually(async () => {
    const segment = await reads(appServer, id)
    return segment.task_id === undefined && segment.size === size
  }, `segment ${id} has ${size}`)

onEveryStorage((fixture) => {
  it('[SEG-1] [SEG-2] [SEG-3] [SEG-11] a segment is created, and read by its id', async () => {
    const { appServer } = await fixture.createApp('ada')
    const filter = { name: { $autocomplete: 'A' } }
    const data = { id: 'friends', name: 'Friends', description: 'All whom we like', filter }
    const { status, body } = await appServer.call('POST', '/segments', { body: { type: 'user', ...data } })
    assert.equal(status, 201)
    const { created_at, updated_at, task_id, ...segment } = body.segment
    assert.deepEqual(segment, { ...data, type: 'user', all_users: false, all_sender_channels: false, size: 0 })
    assert.equal(created_at, updated_at)
    await isCounted(appServer, 'friends', 1)
    const { task_id: _, ...read } = await reads(appServer, 'friends')
    assert.deepEqual(read, { ...segment, size: 1, created_at, updated_at })

    const bare = await makes(appServer, { type: 'channel', all_sender_channels: true, id: '', name: '' })
    assert.match(bare.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(
      [bare.name, bare.description, bare.filter, bare.all_users, bare.all_sender_channels, bare.size],
      ['', '', null, false, true, 0],
    )
    assert.match(
      (await appServer.isRefused(16, 'GET', '/segments/nowhere')).message,
      /^GetSegment failed with error: "/,
    )
    const { appServer: other } = await fixture.createApp()
    await other.isRefused(16, 'GET', '/segments/friends')
  })

  it('[SEG-4] a segment is updated, and its targets are counted again', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'bea')
    await makes(appServer, { id: 's', name: 'All', filter: { id: { $in: ['ada'] } } })
    await isCounted(appServer, 's', 1)
    const put = (body: object) => appServer.does('PUT', '/segments/s', { body })
    fixture.clock.advance(1_000)
    const { segment } = await put({ description: 'those with a b' })
    assert.deepEqual([segment.name, segment.description, segment.size], ['All', 'those with a b', 1])
    assert.ok(microsOf(segment.updated_at)! > microsOf(segment.created_at)!)
    await put({ filter: { id: { $autocomplete: 'b' } } })
    await isCounted(appServer, 's', 2)
    assert.equal((await put({ filter: null })).segment.filter, null)
    await isCounted(appServer, 's', 0)
    await adds(appServer, 's', ['ada'])
    const refused = { body: { filter: { id: 'bo' } } }
    assert.deepEqual(Object.keys((await appServer.isRefused(4, 'PUT', '/segments/s', refused)).exception_fields), [
      'filter',
    ])
    await makes(appServer, { id: 'everybody', all_users: true })
    await appServer.isRefused(4, 'PUT', '/segments/everybody', refused)
    await appServer.isRefused(16, 'PUT', '/segments/nowhere', { body: { name: 'x' } })
  })

  it('[SEG-5] a segment is deleted with its targets, and its id can be used again', async () => {
    const { appServer } = await fixture.createApp()
    const [{ server }] = fixture.nodes as [(typeof fixture.nodes)[0]]
    const many = Array.from({ length: 1_200 }, (_, i) => `user-${i}`)
    await makes(appServer, { id: 's' })
    await adds(appServer, 's', many)
    assert.equal((await reads(appServer, 's')).size, 1_200)
    await appServer.does('DELETE', '/segments/s')
    await appServer.isRefused(16, 'GET', '/segments/s')
    await appServer.isRefused(16, 'DELETE', '/segments/s')
    assert.deepEqual(await finds(appServer, {}), [])
    await makes(appServer, { id: 's' })
    assert.deepEqual([(await reads(appServer, 's')).size, await targetsIn(appServer, 's')], [0, []])
    await eventually(async () => {
      const left = await server.database.read
        .selectFrom('segment_targets')
        .select('target_id')
        .where('app', '=', appServer.app.id)
        .execute()
      return left.length === 0
    }, 'its targets are gone')
  })

  it('[SEG-6] [SEG-7] [SEG-11] targets are added and removed without duplicates', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    await makes(appServer, { id: 's' })
    await adds(appServer, 's', ['ada', 'bo', 'ada'])
    await adds(appServer, 's', ['bo', 'cy'])
    assert.deepEqual(await targetsIn(appServer, 's'), ['ada', 'bo', 'cy'])
    assert.equal((await reads(appServer, 's')).size, 3)
    await takesOut(appServer, 's', ['bo', 'nobody'])
    assert.deepEqual(await targetsIn(appServer, 's'), ['ada', 'cy'])
    assert.equal((await reads(appServer, 's')).size, 2)

    const cid = await appServer.opens([ada, bo])
    await makes(appServer, { id: 'rooms', type: 'channel' })
    await adds(appServer, 'rooms', [cid])
    assert.deepEqual(await targetsIn(appServer, 'rooms'), [cid])
    const refused = async (id: string, target_ids: unknown) =>
      appServer.isRefused(4, 'POST', `/segments/${id}/addtargets`, { body: { target_ids } })
    await refused('rooms', ['ada'])
    await refused('rooms', ['no type:ada'])
    await refused('s', [cid])
    await refused('s', [])
    await refused('s', ['', 'ada'])
    await refused('s', Array(10_001).fill('ada'))
    for (const way of [{ all_users: true }, { filter: { id: 'ada' } }]) {
      const { id } = await makes(appServer, way)
      const { exception_fields } = await refused(id, ['ada'])
      assert.deepEqual(Object.keys(exception_fields), ['target_ids'])
      await appServer.isRefused(4, 'POST', `/segments/${id}/deletetargets`, { body: { target_ids: ['ada'] } })
    }
    await appServer.isRefused(16, 'POST', '/segments/nowhere/addtargets', { body: { target_ids: ['ada'] } })
  })

  it('[SEG-6] ten thousand ids of maximum length are added in one call, and in as many statements', async () => {
    const { appServer } = await fixture.createApp()
    await makes(appServer, { id: 's', type: 'channel' })
    const cids = Array.from({ length: 10_000 }, (_, i) => `messaging:${String(i).padStart(5, '0')}-${'x'.repeat(200)}`)
    await adds(appServer, 's', cids)
    assert.equal((await reads(appServer, 's')).size, 10_000)
    assert.deepEqual(await targetsIn(appServer, 's', { limit: 10_000 }), cids)
    await appServer.isRefused(4, 'POST', '/segments/s/targets/query', { body: { limit: 10_001 } })
    await takesOut(appServer, 's', cids.slice(1))
    assert.equal((await reads(appServer, 's')).size, 1)
  }, 60_000)

  it('[SEG-8] [SEG-11] whether a target is in a segment can be asked for every kind of segment', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const cid = await appServer.opens([ada, bo], { name: 'Tea' })
    await makes(appServer, { id: 'hand' })
    await adds(appServer, 'hand', ['ada'])
    await makes(appServer, { id: 'filter', filter: { id: 'ada' } })
    await makes(appServer, { id: 'all', all_users: true })
    await makes(appServer, { id: 'rooms', type: 'channel', filter: { name: 'Tea' } })
    await makes(appServer, { id: 'own', type: 'channel', all_sender_channels: true })
    assert.deepEqual([await holds(appServer, 'hand', 'ada'), await holds(appServer, 'hand', 'bo')], [true, false])
    assert.deepEqual([await holds(appServer, 'filter', 'ada'), await holds(appServer, 'filter', 'bo')], [true, false])
    assert.deepEqual([await holds(appServer, 'all', 'bo'), await holds(appServer, 'all', 'nobody')], [true, false])
    assert.deepEqual(
      [await holds(appServer, 'rooms', cid), await holds(appServer, 'rooms', 'messaging:x')],
      [true, false],
    )
    // The owner of the channels is known only when a campaign sends.
    assert.equal(await holds(appServer, 'own', cid), false)
    assert.equal((await appServer.isRefused(16, 'GET', '/segments/hand/target/bo')).StatusCode, 404)
    await appServer.isRefused(16, 'GET', '/segments/nowhere/target/bo')
  })

  it('[SEG-9] [SEG-11] targets are queried in pages, by id', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await makes(appServer, { id: 's' })
    await adds(appServer, 's', ['dora', 'bo', 'ada', 'cy', 'eve'])
    const page = (body: object) => appServer.does('POST', '/segments/s/targets/query', { body })
    const first = await page({ limit: 2 })
    const { app } = await appServer.does('GET', '/app')
    assert.deepEqual(first.targets[0], {
      ...{ segment_id: 's', target_id: 'ada', app_pk: app.id },
      created_at: first.targets[0].created_at,
    })
    const second = await page({ limit: 2, next: first.next })
    const last = await page({ limit: 2, next: second.next })
    const shown = [first, second, last].map(({ targets }) => targets.map(({ target_id }: Answer) => target_id))
    assert.deepEqual(shown, [['ada', 'bo'], ['cy', 'dora'], ['eve']])
    assert.deepEqual([first.prev, last.next], [undefined, undefined])
    assert.deepEqual((await page({ limit: 2, prev: last.prev })).targets, second.targets)
    const filter = { target_id: { $gt: 'bo' } }
    const sort = [{ field: 'target_id', direction: -1 }]
    assert.deepEqual(await targetsIn(appServer, 's', { filter, sort }), ['eve', 'dora', 'cy'])
    assert.deepEqual(await targetsIn(appServer, 's', { Filter: filter, Sort: sort }), ['eve', 'dora', 'cy'])
    assert.deepEqual(await targetsIn(appServer, 's', { Filter: null, Sort: null, limit: 1 }), ['ada'])
    await appServer.isRefused(4, 'POST', '/segments/s/targets/query', { body: { filter: { mood: 'merry' } } })

    // In any collation of the database, paging by the last id skips no target.
    await makes(appServer, { id: 'named' })
    await adds(appServer, 'named', ['b', 'A', 'a', 'B'])
    const one = async ($gt: string) =>
      (await targetsIn(appServer, 'named', { filter: { target_id: { $gt } }, limit: 1 }))[0]
    const walked: string[] = []
    for (let at = await one(''); at !== undefined; at = await one(at)) walked.push(at)
    assert.deepEqual(walked, ['A', 'B', 'a', 'b'])

    await makes(appServer, { id: 'all', all_users: true })
    assert.deepEqual(await targetsIn(appServer, 'all'), ['ada', 'bo', 'cy'])
    await appServer.does('DELETE', '/users/bo')
    assert.deepEqual(await targetsIn(appServer, 'all'), ['ada', 'cy'])
  })

  it('[SEG-11] segments are queried in pages, filtered and sorted', async () => {
    const { appServer } = await fixture.createApp('ada')
    for (const [id, data] of Object.entries({
      a: { name: 'Ants', all_users: true },
      b: { name: 'Bees', type: 'channel' },
      c: { name: 'Cats' },
    })) {
      await makes(appServer, { id, ...data })
      fixture.clock.advance(1_000)
    }
    await adds(appServer, 'c', ['ada', 'bo'])
    await isCounted(appServer, 'a', 1)
    assert.deepEqual(await finds(appServer, {}), ['c', 'b', 'a'])
    assert.deepEqual(await finds(appServer, { type: 'user' }, { sort: [{ field: 'name', direction: 1 }] }), ['a', 'c'])
    assert.deepEqual(await finds(appServer, { all_users: true }), ['a'])
    assert.deepEqual(await finds(appServer, { size: { $gte: 1 } }, { sort: [{ field: 'size', direction: -1 }] }), [
      'c',
      'a',
    ])
    assert.deepEqual(await finds(appServer, { name: { $autocomplete: 'be' } }), ['b'])
    assert.deepEqual(await finds(appServer, { deleted_at: { $exists: true } }), [])
    const { created_at } = await reads(appServer, 'b')
    assert.deepEqual(await finds(appServer, { created_at: { $lt: created_at } }), ['a'])
    const first = await appServer.does('POST', '/segments/query', { body: { filter: {}, limit: 2 } })
    const { segments, ...around } = await appServer.does('POST', '/segments/query', {
      body: { next: first.next, limit: 2 },
    })
    assert.deepEqual([segments.map(({ id }: Segment) => id), 'next' in around, 'prev' in around], [['a'], false, true])
    for (const body of [{ filter: { mood: 1 } }, { sort: [{ field: 'filter' }] }, { limit: 101 }, { next: 'x' }])
      await appServer.isRefused(4, 'POST', '/segments/query', { body })
  })

  it('[SEG-12] the definitions of a segment’s targets exclude each other, and fit its type', async () => {
    const { appServer } = await fixture.createApp()
    const refused = async (data: object, field: string) => {
      const { exception_fields } = await appServer.isRefused(4, 'POST', '/segments', { body: data })
      assert.deepEqual(Object.keys(exception_fields), [field], JSON.stringify(data))
    }
    const filter = { id: 'ada' }
    await refused({ type: 'user', filter, all_users: true }, 'all_users')
    await refused({ type: 'channel', filter, all_sender_channels: true }, 'all_sender_channels')
    await refused({ type: 'user', all_users: true, all_sender_channels: true }, 'all_sender_channels')
    await refused({ type: 'channel', all_users: true }, 'all_users')
    await refused({ type: 'user', all_sender_channels: true }, 'all_sender_channels')
    await refused({ type: 'user', filter: { member_count: { $near: 2 } } }, 'member_count')
    await refused({ type: 'channel', filter: { hidden: true } }, 'hidden')
    await refused({ type: 'user', filter: { role: { $autocomplete: 'a' } } }, 'role')
    await refused({ type: 'team' }, 'type')
    await refused({}, 'type')
    await refused({ type: 'user', name: 'n'.repeat(129) }, 'name')
    await refused({ type: 'user', description: 'd'.repeat(257) }, 'description')
    await makes(appServer, { id: 'taken' })
    await refused({ type: 'user', id: 'taken' }, 'id')
    await makes(appServer, { id: 'sent', type: 'channel', all_sender_channels: true })
    const changed = await appServer.isRefused(4, 'PUT', '/segments/sent', { body: { filter: { id: 'tea' } } })
    assert.match(changed.message, /filter and all_sender_channels exclude each other/)
    // Empty fields that some clients always send are ignored.
    const empty = { filter: {}, all_users: false, all_sender_channels: false, description: null }
    assert.deepEqual((await makes(appServer, empty)).filter, null)
  })

  it('[SEG-10] only the app’s own server can use segments', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    await makes(appServer, { id: 's' })
    await adds(appServer, 's', ['ada'])
    const target_ids = { body: { target_ids: ['bo'] } }
    const calls: [string, string, object?][] = [
      ['POST', '/segments', { body: { type: 'user' } }],
      ['POST', '/segments/query', { body: {} }],
      ['GET', '/segments/s'],
      ['PUT', '/segments/s', { body: { name: 'mine' } }],
      ['DELETE', '/segments/s'],
      ['POST', '/segments/s/addtargets', target_ids],
      ['POST', '/segments/s/deletetargets', target_ids],
      ['GET', '/segments/s/target/ada'],
      ['POST', '/segments/s/targets/query', { body: {} }],
    ]
    for (const [method, path, options] of calls) await ada.isRefused(17, method, path, options)
    assert.deepEqual([(await reads(appServer, 's')).name, await targetsIn(appServer, 's')], ['', ['ada']])
  })
})

onEveryTransport((fixture) => {
  it('targets added concurrently are counted once each', async () => {
    const { appServer } = await fixture.createApp()
    await makes(appServer, { id: 's' })
    const elsewhere = appServer.at(fixture.nodes.at(-1)!)
    const ids = (from: number) => Array.from({ length: 40 }, (_, i) => `user-${from + i}`)
    await Promise.all([0, 20, 40, 60].map((from, i) => adds(i % 2 ? appServer : elsewhere, 's', ids(from))))
    assert.equal((await reads(elsewhere, 's')).size, 100)
    await Promise.all([0, 20].map((from, i) => takesOut(i % 2 ? appServer : elsewhere, 's', ids(from))))
    assert.equal((await reads(appServer, 's')).size, 40)
    assert.equal((await targetsIn(elsewhere, 's')).length, 40)
  })

  it('renaming a segment while targets are added does not lose its size', async () => {
    const { appServer } = await fixture.createApp()
    await makes(appServer, { id: 's' })
    const elsewhere = appServer.at(fixture.nodes.at(-1)!)
    for (let i = 0; i < 12; i++)
      await Promise.all([
        adds(appServer, 's', [`user-${i}`]),
        elsewhere.does('PUT', '/segments/s', { body: { name: `after ${i}` } }),
      ])
    assert.equal((await reads(appServer, 's')).size, 12)
  })
})
