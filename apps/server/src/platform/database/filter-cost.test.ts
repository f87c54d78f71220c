/** What a filter may ask, and what it finds by the index of names. */
import assert from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import type { TestUser } from '../../testing/test-user.ts'

const payload = (filter_conditions: object, more: object = {}) => ({
  query: { payload: JSON.stringify({ filter_conditions, ...more }) },
})

async function idsFound(testUser: TestUser, name: object): Promise<string[]> {
  const { users } = await testUser.does(
    'GET',
    '/users',
    payload({ name, 'x-role': { $exists: false } }, { limit: 100 }),
  )
  return users.map(({ id }: { id: string }) => id).sort()
}

onEveryStorage((fixture) => {
  describe('a filter', () => {
    it('[LIM-6] has a hundred conditions at most, however they are nested', async () => {
      const { ada } = await fixture.createApp('ada')
      const branch = (n: number) => Array.from({ length: n }, (_, i) => ({ a: i }))
      const many = [
        { $or: branch(101) },
        { $and: [{ $or: branch(50) }, { $nor: branch(50) }, { x: { $gt: 1, $lt: 2 } }] },
      ]
      for (const filter of many) {
        const refused = await ada.isRefused(4, 'GET', '/users', payload(filter))
        assert.equal(refused.code, 4)
        expect(refused.exception_fields).toHaveProperty('filter_conditions')
      }
      await ada.does('GET', '/users', payload({ $or: branch(100) }))
      await ada.does('GET', '/users', payload({ id: { $in: Array.from({ length: 300 }, (_, i) => `user-${i}`) } }))
    })

    it('[LIM-6] looks for twenty words at most, in users, channels and members alike', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const room = await appServer.opens([ada])
      const [type, id] = room.split(':')
      const words = { $or: Array.from({ length: 7 }, (_, i) => ({ name: { $q: `one two ${i}` } })) }
      const calls = [
        ada.isRefused(4, 'GET', '/users', payload(words)),
        ada.isRefused(4, 'POST', '/channels', { body: { filter_conditions: { members: { $in: ['ada'] }, ...words } } }),
        ada.isRefused(4, 'GET', '/members', {
          query: { payload: JSON.stringify({ type, id, filter_conditions: words }) },
        }),
      ]
      for (const { code, message } of await Promise.all(calls)) {
        assert.equal(code, 4)
        assert.match(message, /21 words/)
      }
    })
  })

  describe('names of users and channels', () => {
    it('are found by words and their beginnings, and in scripts without spaces by any part', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const names: Record<string, string> = {
        anna: 'Anna-Lena O’Neill',
        zoe: 'Zoë Şahin',
        ming: '王小明',
        tanaka: 'タナカ tarou',
        kim: '김철수',
        sofia: 'София Петрова',
        eli: 'ელენე',
        smile: 'Smile 🙂👍',
        none: '---',
      }
      const users = Object.fromEntries(Object.entries(names).map(([id, name]) => [id, { id, name }]))
      await appServer.does('POST', '/users', { body: { users } })
      const cases: [object, string[]][] = [
        [{ $autocomplete: 'ann' }, ['anna']],
        [{ $autocomplete: 'LEN' }, ['anna']],
        [{ $autocomplete: 'na' }, []],
        [{ $q: 'ann' }, []],
        [{ $q: 'neill anna' }, ['anna']],
        [{ $autocomplete: 'sah zo' }, ['zoe']],
        [{ $autocomplete: '小' }, ['ming']],
        [{ $q: '小明' }, ['ming']],
        [{ $q: '王明' }, []],
        [{ $autocomplete: 'ナカ' }, ['tanaka']],
        [{ $autocomplete: 'tar' }, ['tanaka']],
        [{ $autocomplete: 'aro' }, []],
        [{ $autocomplete: '철수' }, ['kim']],
        [{ $autocomplete: 'пет' }, ['sofia']],
        [{ $autocomplete: 'етр' }, []],
        [{ $autocomplete: 'ლენ' }, []],
        [{ $autocomplete: 'ელ' }, ['eli']],
        [{ $q: '👍' }, ['smile']],
        [{ $autocomplete: '%' }, []],
        [{ $autocomplete: '_' }, []],
      ]
      for (const [name, ids] of cases) assert.deepEqual(await idsFound(ada, name), ids, JSON.stringify(name))
    })

    it('are found by what they are now: renamed, without a name, erased, imported again', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      const named = (name: string | null) =>
        appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', name } } } })
      await named('Quentin')
      assert.deepEqual(await idsFound(ada, { $autocomplete: 'quen' }), ['bo'])
      await named('Quirin Maß')
      assert.deepEqual(await idsFound(ada, { $autocomplete: 'quen' }), [])
      assert.deepEqual(await idsFound(ada, { $autocomplete: 'quir' }), ['bo'])
      await named(null)
      assert.deepEqual(await idsFound(ada, { $autocomplete: 'quir' }), [])
      await named('Quirin')
      await appServer.does('DELETE', '/users/bo', { query: { mark_messages_deleted: 'true', hard_delete: 'true' } })
      assert.deepEqual(await idsFound(ada, { $autocomplete: 'quir' }), [])
    })

    it('belong to their own app', async () => {
      const [here, there] = [await fixture.createApp('ada'), await fixture.createApp('ada')]
      await there.appServer.does('POST', '/users', { body: { users: { quinn: { id: 'quinn', name: 'Quinn' } } } })
      assert.deepEqual(await idsFound(here.ada, { $autocomplete: 'quin' }), [])
      assert.deepEqual(await idsFound(there.ada, { $autocomplete: 'quin' }), ['quinn'])
    })

    it('lead to channels by their own name and by those of members', async () => {
      const { ada, appServer } = await fixture.createApp('ada')
      await appServer.does('POST', '/users', { body: { users: { quinn: { id: 'quinn', name: 'Quinn Fabray' } } } })
      const room = await appServer.opens([ada, appServer.user('quinn')])
      await appServer.does('PATCH', `/channels/${room.replace(':', '/')}`, { body: { set: { name: '企画会議 plan' } } })
      const found = async (filter: object) => {
        const filter_conditions = { members: { $in: ['ada'] }, ...filter }
        const { channels } = await ada.does('POST', '/channels', { body: { filter_conditions } })
        return channels.map(({ channel }: { channel: { cid: string } }) => channel.cid)
      }
      for (const filter of [
        { name: { $autocomplete: '会議' } },
        { name: { $q: 'plan' } },
        { 'member.user.name': { $autocomplete: 'fab' } },
        { 'member.user.name': { $autocomplete: 'fab qui' } },
      ])
        assert.deepEqual(await found(filter), [room], JSON.stringify(filter))
      for (const filter of [{ name: { $q: 'pla' } }, { 'member.user.name': { $autocomplete: 'abr' } }])
        assert.deepEqual(await found(filter), [], JSON.stringify(filter))
    })
  })
})
