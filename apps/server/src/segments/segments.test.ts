import assert from 'node:assert/strict'
import type { Segment } from '@parley/protocol/segments'
import { it } from 'vitest'
import { microsOf } from '../micros.ts'
import { eventually } from '../testing/eventually.ts'
import type { AppServer } from '../testing/person.ts'
import { onEveryStorage, onEveryTransport } from '../testing/stage.ts'

// biome-ignore lint/suspicious/noExplicitAny: a story looks into answers of every shape.
type Answer = any

async function makes(company: AppServer, data: object = {}): Promise<Segment> {
  return (await company.does('POST', '/segments', { body: { type: 'user', ...data } })).segment
}
const reads = async (company: AppServer, id: string): Promise<Segment> =>
  (await company.does('GET', `/segments/${id}`)).segment
const adds = (company: AppServer, id: string, target_ids: readonly string[]) =>
  company.does('POST', `/segments/${id}/addtargets`, { body: { target_ids } })
const takesOut = (company: AppServer, id: string, target_ids: readonly string[]) =>
  company.does('POST', `/segments/${id}/deletetargets`, { body: { target_ids } })
const finds = async (company: AppServer, filter: object, more: object = {}): Promise<string[]> => {
  const { segments } = await company.does('POST', '/segments/query', { body: { filter, ...more } })
  return segments.map(({ id }: Segment) => id)
}
const targetsIn = async (company: AppServer, id: string, body: object = {}): Promise<string[]> => {
  const { targets } = await company.does('POST', `/segments/${id}/targets/query`, { body })
  return targets.map(({ target_id }: Answer) => target_id)
}
const holds = async (company: AppServer, id: string, target: string) =>
  (await company.call('GET', `/segments/${id}/target/${encodeURIComponent(target)}`)).status === 200
const isCounted = (company: AppServer, id: string, size: number) =>
  eventually(async () => {
    const segment = await reads(company, id)
    return segment.task_id === undefined && segment.size === size
  }, `segment ${id} has ${size}`)

onEveryStorage((stage) => {
  it('[SEG-1] [SEG-2] [SEG-3] [SEG-11] a segment is made, and read by its id', async () => {
    const { company } = await stage.company('ada')
    const filter = { name: { $autocomplete: 'A' } }
    const data = { id: 'friends', name: 'Friends', description: 'All whom we like', filter }
    const { status, body } = await company.call('POST', '/segments', { body: { type: 'user', ...data } })
    assert.equal(status, 201)
    const { created_at, updated_at, task_id, ...segment } = body.segment
    assert.deepEqual(segment, { ...data, type: 'user', all_users: false, all_sender_channels: false, size: 0 })
    assert.equal(created_at, updated_at)
    await isCounted(company, 'friends', 1)
    const { task_id: _, ...read } = await reads(company, 'friends')
    assert.deepEqual(read, { ...segment, size: 1, created_at, updated_at })

    const bare = await makes(company, { type: 'channel', all_sender_channels: true, id: '', name: '' })
    assert.match(bare.id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(
      [bare.name, bare.description, bare.filter, bare.all_users, bare.all_sender_channels, bare.size],
      ['', '', null, false, true, 0],
    )
    assert.match((await company.isRefused(16, 'GET', '/segments/nowhere')).message, /^GetSegment failed with error: "/)
    const { company: other } = await stage.company()
    await other.isRefused(16, 'GET', '/segments/friends')
  })

  it('[SEG-4] a segment is changed, and who is in it is counted anew', async () => {
    const { company } = await stage.company('ada', 'bo', 'bea')
    await makes(company, { id: 's', name: 'All', filter: { id: { $in: ['ada'] } } })
    await isCounted(company, 's', 1)
    const put = (body: object) => company.does('PUT', '/segments/s', { body })
    stage.clock.advance(1_000)
    const { segment } = await put({ description: 'those with a b' })
    assert.deepEqual([segment.name, segment.description, segment.size], ['All', 'those with a b', 1])
    assert.ok(microsOf(segment.updated_at)! > microsOf(segment.created_at)!)
    await put({ filter: { id: { $autocomplete: 'b' } } })
    await isCounted(company, 's', 2)
    assert.equal((await put({ filter: null })).segment.filter, null)
    await isCounted(company, 's', 0)
    await adds(company, 's', ['ada'])
    const refused = { body: { filter: { id: 'bo' } } }
    assert.deepEqual(Object.keys((await company.isRefused(4, 'PUT', '/segments/s', refused)).exception_fields), [
      'filter',
    ])
    await makes(company, { id: 'everybody', all_users: true })
    await company.isRefused(4, 'PUT', '/segments/everybody', refused)
    await company.isRefused(16, 'PUT', '/segments/nowhere', { body: { name: 'x' } })
  })

  it('[SEG-5] a segment is removed with its targets, and its id can be used again', async () => {
    const { company } = await stage.company()
    const [{ server }] = stage.nodes as [(typeof stage.nodes)[0]]
    const many = Array.from({ length: 1_200 }, (_, i) => `user-${i}`)
    await makes(company, { id: 's' })
    await adds(company, 's', many)
    assert.equal((await reads(company, 's')).size, 1_200)
    await company.does('DELETE', '/segments/s')
    await company.isRefused(16, 'GET', '/segments/s')
    await company.isRefused(16, 'DELETE', '/segments/s')
    assert.deepEqual(await finds(company, {}), [])
    await makes(company, { id: 's' })
    assert.deepEqual([(await reads(company, 's')).size, await targetsIn(company, 's')], [0, []])
    await eventually(async () => {
      const left = await server.database.read
        .selectFrom('segment_targets')
        .select('target_id')
        .where('app', '=', company.app.id)
        .execute()
      return left.length === 0
    }, 'its targets are gone')
  })

  it('[SEG-6] [SEG-7] [SEG-11] targets are added and taken out, each once', async () => {
    const { company, ada, bo } = await stage.company('ada', 'bo')
    await makes(company, { id: 's' })
    await adds(company, 's', ['ada', 'bo', 'ada'])
    await adds(company, 's', ['bo', 'cy'])
    assert.deepEqual(await targetsIn(company, 's'), ['ada', 'bo', 'cy'])
    assert.equal((await reads(company, 's')).size, 3)
    await takesOut(company, 's', ['bo', 'nobody'])
    assert.deepEqual(await targetsIn(company, 's'), ['ada', 'cy'])
    assert.equal((await reads(company, 's')).size, 2)

    const cid = await company.opens([ada, bo])
    await makes(company, { id: 'rooms', type: 'channel' })
    await adds(company, 'rooms', [cid])
    assert.deepEqual(await targetsIn(company, 'rooms'), [cid])
    const refused = async (id: string, target_ids: unknown) =>
      company.isRefused(4, 'POST', `/segments/${id}/addtargets`, { body: { target_ids } })
    await refused('rooms', ['ada'])
    await refused('rooms', ['no type:ada'])
    await refused('s', [cid])
    await refused('s', [])
    await refused('s', ['', 'ada'])
    await refused('s', Array(10_001).fill('ada'))
    for (const way of [{ all_users: true }, { filter: { id: 'ada' } }]) {
      const { id } = await makes(company, way)
      const { exception_fields } = await refused(id, ['ada'])
      assert.deepEqual(Object.keys(exception_fields), ['target_ids'])
      await company.isRefused(4, 'POST', `/segments/${id}/deletetargets`, { body: { target_ids: ['ada'] } })
    }
    await company.isRefused(16, 'POST', '/segments/nowhere/addtargets', { body: { target_ids: ['ada'] } })
  })

  it('[SEG-6] ten thousand targets of the longest names are added in one call, and in as many statements', async () => {
    const { company } = await stage.company()
    await makes(company, { id: 's', type: 'channel' })
    const cids = Array.from({ length: 10_000 }, (_, i) => `messaging:${String(i).padStart(5, '0')}-${'x'.repeat(200)}`)
    await adds(company, 's', cids)
    assert.equal((await reads(company, 's')).size, 10_000)
    assert.deepEqual(await targetsIn(company, 's', { limit: 10_000 }), cids)
    await company.isRefused(4, 'POST', '/segments/s/targets/query', { body: { limit: 10_001 } })
    await takesOut(company, 's', cids.slice(1))
    assert.equal((await reads(company, 's')).size, 1)
  }, 60_000)

  it('[SEG-8] [SEG-11] whether a target is in a segment can be asked, however that is said', async () => {
    const { company, ada, bo } = await stage.company('ada', 'bo')
    const cid = await company.opens([ada, bo], { name: 'Tea' })
    await makes(company, { id: 'hand' })
    await adds(company, 'hand', ['ada'])
    await makes(company, { id: 'filter', filter: { id: 'ada' } })
    await makes(company, { id: 'all', all_users: true })
    await makes(company, { id: 'rooms', type: 'channel', filter: { name: 'Tea' } })
    await makes(company, { id: 'own', type: 'channel', all_sender_channels: true })
    assert.deepEqual([await holds(company, 'hand', 'ada'), await holds(company, 'hand', 'bo')], [true, false])
    assert.deepEqual([await holds(company, 'filter', 'ada'), await holds(company, 'filter', 'bo')], [true, false])
    assert.deepEqual([await holds(company, 'all', 'bo'), await holds(company, 'all', 'nobody')], [true, false])
    assert.deepEqual([await holds(company, 'rooms', cid), await holds(company, 'rooms', 'messaging:x')], [true, false])
    // Whose channels they are is known when something is sent.
    assert.equal(await holds(company, 'own', cid), false)
    assert.equal((await company.isRefused(16, 'GET', '/segments/hand/target/bo')).StatusCode, 404)
    await company.isRefused(16, 'GET', '/segments/nowhere/target/bo')
  })

  it('[SEG-9] [SEG-11] targets are queried in pages, by id', async () => {
    const { company } = await stage.company('ada', 'bo', 'cy')
    await makes(company, { id: 's' })
    await adds(company, 's', ['dora', 'bo', 'ada', 'cy', 'eve'])
    const page = (body: object) => company.does('POST', '/segments/s/targets/query', { body })
    const first = await page({ limit: 2 })
    const { app } = await company.does('GET', '/app')
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
    assert.deepEqual(await targetsIn(company, 's', { filter, sort }), ['eve', 'dora', 'cy'])
    assert.deepEqual(await targetsIn(company, 's', { Filter: filter, Sort: sort }), ['eve', 'dora', 'cy'])
    assert.deepEqual(await targetsIn(company, 's', { Filter: null, Sort: null, limit: 1 }), ['ada'])
    await company.isRefused(4, 'POST', '/segments/s/targets/query', { body: { filter: { mood: 'merry' } } })

    // Wherever the database puts capital letters: whoever asks for those behind the last one misses none.
    await makes(company, { id: 'named' })
    await adds(company, 'named', ['b', 'A', 'a', 'B'])
    const one = async ($gt: string) =>
      (await targetsIn(company, 'named', { filter: { target_id: { $gt } }, limit: 1 }))[0]
    const walked: string[] = []
    for (let at = await one(''); at !== undefined; at = await one(at)) walked.push(at)
    assert.deepEqual(walked, ['A', 'B', 'a', 'b'])

    await makes(company, { id: 'all', all_users: true })
    assert.deepEqual(await targetsIn(company, 'all'), ['ada', 'bo', 'cy'])
    await company.does('DELETE', '/users/bo')
    assert.deepEqual(await targetsIn(company, 'all'), ['ada', 'cy'])
  })

  it('[SEG-11] segments are queried in pages, filtered and sorted', async () => {
    const { company } = await stage.company('ada')
    for (const [id, data] of Object.entries({
      a: { name: 'Ants', all_users: true },
      b: { name: 'Bees', type: 'channel' },
      c: { name: 'Cats' },
    })) {
      await makes(company, { id, ...data })
      stage.clock.advance(1_000)
    }
    await adds(company, 'c', ['ada', 'bo'])
    await isCounted(company, 'a', 1)
    assert.deepEqual(await finds(company, {}), ['c', 'b', 'a'])
    assert.deepEqual(await finds(company, { type: 'user' }, { sort: [{ field: 'name', direction: 1 }] }), ['a', 'c'])
    assert.deepEqual(await finds(company, { all_users: true }), ['a'])
    assert.deepEqual(await finds(company, { size: { $gte: 1 } }, { sort: [{ field: 'size', direction: -1 }] }), [
      'c',
      'a',
    ])
    assert.deepEqual(await finds(company, { name: { $autocomplete: 'be' } }), ['b'])
    assert.deepEqual(await finds(company, { deleted_at: { $exists: true } }), [])
    const { created_at } = await reads(company, 'b')
    assert.deepEqual(await finds(company, { created_at: { $lt: created_at } }), ['a'])
    const first = await company.does('POST', '/segments/query', { body: { filter: {}, limit: 2 } })
    const { segments, ...around } = await company.does('POST', '/segments/query', {
      body: { next: first.next, limit: 2 },
    })
    assert.deepEqual([segments.map(({ id }: Segment) => id), 'next' in around, 'prev' in around], [['a'], false, true])
    for (const body of [{ filter: { mood: 1 } }, { sort: [{ field: 'filter' }] }, { limit: 101 }, { next: 'x' }])
      await company.isRefused(4, 'POST', '/segments/query', { body })
  })

  it('[SEG-12] what says who is in a segment excludes all else that does, and fits its type', async () => {
    const { company } = await stage.company()
    const refused = async (data: object, field: string) => {
      const { exception_fields } = await company.isRefused(4, 'POST', '/segments', { body: data })
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
    await makes(company, { id: 'taken' })
    await refused({ type: 'user', id: 'taken' }, 'id')
    await makes(company, { id: 'sent', type: 'channel', all_sender_channels: true })
    const changed = await company.isRefused(4, 'PUT', '/segments/sent', { body: { filter: { id: 'tea' } } })
    assert.match(changed.message, /filter and all_sender_channels exclude each other/)
    // What some clients always send is not said.
    const empty = { filter: {}, all_users: false, all_sender_channels: false, description: null }
    assert.deepEqual((await makes(company, empty)).filter, null)
  })

  it('[SEG-10] segments are for the app’s own server alone', async () => {
    const { company, ada } = await stage.company('ada')
    await makes(company, { id: 's' })
    await adds(company, 's', ['ada'])
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
    assert.deepEqual([(await reads(company, 's')).name, await targetsIn(company, 's')], ['', ['ada']])
  })
})

onEveryTransport((stage) => {
  it('targets that come to a segment from all sides at once are counted each once', async () => {
    const { company } = await stage.company()
    await makes(company, { id: 's' })
    const elsewhere = company.at(stage.nodes.at(-1)!)
    const ids = (from: number) => Array.from({ length: 40 }, (_, i) => `user-${from + i}`)
    await Promise.all([0, 20, 40, 60].map((from, i) => adds(i % 2 ? company : elsewhere, 's', ids(from))))
    assert.equal((await reads(elsewhere, 's')).size, 100)
    await Promise.all([0, 20].map((from, i) => takesOut(i % 2 ? company : elsewhere, 's', ids(from))))
    assert.equal((await reads(company, 's')).size, 40)
    assert.equal((await targetsIn(elsewhere, 's')).length, 40)
  })

  it('a segment that is named anew while targets come to it loses none of its size', async () => {
    const { company } = await stage.company()
    await makes(company, { id: 's' })
    const elsewhere = company.at(stage.nodes.at(-1)!)
    for (let i = 0; i < 12; i++)
      await Promise.all([
        adds(company, 's', [`user-${i}`]),
        elsewhere.does('PUT', '/segments/s', { body: { name: `after ${i}` } }),
      ])
    assert.equal((await reads(company, 's')).size, 12)
  })
})
