import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import type { AppServer, TestUser } from '../../testing/test-user.ts'

const keeps = (appServer: AppServer, predefined_filters: object | null) =>
  appServer.does('PATCH', '/app', { body: { predefined_filters } })
const asks = (testUser: TestUser, predefined_filter: string, fields: object = {}) =>
  testUser.does('POST', '/channels', { body: { predefined_filter, ...fields } })

const withOthers = {
  filter: { type: 'messaging', members: { $in: '{{people}}' }, frozen: '{{frozen}}' },
  sort: [{ field: '{{field}}', direction: '{{direction}}' }],
}

onEveryStorage((fixture) => {
  it('[CHN-13] [CHN-59] channels are found by a predefined filter of the app, filled with the caller’s values', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const [first, second, third] = [
      await appServer.opens([ada, bo]),
      await appServer.opens([ada, cy]),
      await appServer.opens([ada, bo, cy]),
    ]
    await appServer.does('PATCH', `/channels/${third.replace(':', '/')}`, {
      body: { set: { frozen: true }, user_id: 'ada' },
    })
    await keeps(appServer, { withOthers, all: { filter: { members: { $in: ['ada'] } } } })

    const found = async (name: string, fields: object = {}) => {
      const { channels, predefined_filter } = await asks(ada, name, fields)
      return { cids: channels.map(({ channel }: { channel: { cid: string } }) => channel.cid), predefined_filter }
    }
    const filter_values = { people: ['bo', 'cy'], frozen: false, unused: 7 }
    const oldestFirst = { field: 'created_at', direction: 1 }
    assert.deepEqual(await found('withOthers', { filter_values, sort_values: oldestFirst }), {
      cids: [first, second],
      predefined_filter: {
        name: 'withOthers',
        filter: { type: 'messaging', members: { $in: ['bo', 'cy'] }, frozen: false },
        sort: [oldestFirst],
      },
    })
    const newestFirst = { field: 'created_at', direction: -1 }
    assert.deepEqual((await found('withOthers', { filter_values, sort_values: newestFirst })).cids, [second, first])
    assert.deepEqual((await found('all', { sort: [oldestFirst] })).cids, [first, second, third])
    assert.deepEqual((await found('all', { sort: [oldestFirst] })).predefined_filter, {
      name: 'all',
      filter: { members: { $in: ['ada'] } },
      sort: [oldestFirst],
    })
    assert.equal((await found('', { filter_conditions: { cid: first } })).predefined_filter, undefined)
    assert.deepEqual((await appServer.does('GET', '/app')).app.predefined_filters.withOthers, withOthers)
    await keeps(appServer, null)
    assert.deepEqual((await appServer.does('GET', '/app')).app.predefined_filters, {})
  })

  it('[CHN-13] [CHN-59] invalid values for a predefined filter are refused, with the name in the error', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await keeps(appServer, { withOthers, all: { filter: { members: { $in: ['ada'] } } } })
    const sort_values = { field: 'created_at', direction: 1 }
    const filter_values = { people: ['bo'], frozen: false }
    const refusals: [object, string][] = [
      [{ predefined_filter: 'nobody’s' }, 'predefined_filter'],
      [{ predefined_filter: '__proto__' }, 'predefined_filter'],
      [{ predefined_filter: 'all', filter_conditions: { type: 'team' } }, 'filter_conditions'],
      [{ sort_values, filter_values: { people: ['bo'] } }, 'filter_values.frozen'],
      [{ sort_values }, 'filter_values.people'],
      [{ sort_values, filter_values: { ...filter_values, people: { $exists: true } } }, 'filter_values.people'],
      [{ sort_values, filter_values: { ...filter_values, people: [{ $ne: 'bo' }] } }, 'filter_values.people'],
      [{ sort_values, filter_values: { ...filter_values, people: [7] } }, 'members'],
      [{ sort_values, filter_values: ['ada'] }, 'filter_values'],
      [{ filter_values }, 'sort_values.field'],
      [{ filter_values, sort_values: { field: 'created_at', direction: 2 } }, 'sort_values'],
      [{ filter_values, sort_values: { field: ['created_at'], direction: 1 } }, 'sort_values'],
      [{ filter_values, sort_values: { field: 'a b', direction: 1 } }, 'sort'],
    ]
    for (const [body, field] of refusals) {
      const { exception_fields } = await ada.isRefused(4, 'POST', '/channels', {
        body: { predefined_filter: 'withOthers', ...body },
      })
      assert.deepEqual(Object.keys(exception_fields), [field], JSON.stringify(body))
    }
  })

  it('only the app’s server creates predefined filters, and only valid ones', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    for (const predefined_filters of [
      { 'a b': { filter: {} } },
      { '': { filter: {} } },
      { mine: {} },
      { mine: { filter: [] } },
      { mine: { filter: {}, sort: { name: 1 } } },
      { mine: { filter: { name: 'x'.repeat(6_000) } } },
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, { filter: {} }])),
    ])
      await appServer.isRefused(4, 'PATCH', '/app', { body: { predefined_filters } })
    await ada.isRefused(17, 'PATCH', '/app', { body: { predefined_filters: {} } })
  })
})
