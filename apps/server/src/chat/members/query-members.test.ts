import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import type { TestUser } from '../../testing/test-user.ts'
import { path } from '../../testing/test-user.ts'

onEveryStorage((fixture) => {
  it('[MEM-10] [LIM-5] members of a channel are found by filter, sort and page', async () => {
    const { ada, bo, cleo, dan, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dan')
    const room = await appServer.opens([ada, bo, cleo])
    const [type, id] = room.split(':')
    await appServer.does('PATCH', `${path(room)}/member/bo`, {
      body: { set: { mood: 'calm', channel_role: 'channel_moderator' } },
    })
    const found = async (payload: object, who: TestUser = ada): Promise<string[]> => {
      const query = { payload: JSON.stringify({ type, id, ...payload }) }
      const { members } = await who.does('GET', '/members', { query })
      return members.map((member: { user_id: string }) => member.user_id)
    }

    assert.deepEqual(await found({}), ['ada', 'bo', 'cleo'])
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { email: 'bo@tea.example' } }] } })
    for (const email of ['bo@tea.example', { $in: ['a@b.c', 'bo@tea.example'] }, { $autocomplete: 'bo' }])
      assert.deepEqual(await found({ filter_conditions: { 'user.email': email } }), ['bo'])
    assert.deepEqual(await found({ filter_conditions: { mood: 'calm' } }), ['bo'])
    assert.deepEqual(await found({ filter_conditions: { is_moderator: true } }), ['bo'])
    assert.deepEqual(await found({ filter_conditions: { user_id: { $in: ['cleo', 'ada', 'dan'] } } }), ['ada', 'cleo'])
    assert.deepEqual(await found({ filter_conditions: { joined: true, banned: false } }), ['ada', 'bo', 'cleo'])
    assert.deepEqual(await found({ filter_conditions: { invite: 'pending' } }), [])
    assert.deepEqual(await found({ sort: [{ field: 'user_id', direction: -1 }], limit: 1, offset: 1 }), ['bo'])
    assert.deepEqual(await found({ user_id_gt: 'ada', user_id_lte: 'bo' }), ['bo'])
    assert.deepEqual(await found({ created_at_before: '2000-01-01T00:00:00Z' }), [])
    assert.deepEqual(await found({ offset: 1_000 }), [])
    assert.deepEqual(await found({ limit: 100 }), ['ada', 'bo', 'cleo'])
    for (const page of [{ offset: 1_001 }, { limit: 101 }])
      await ada.isRefused(4, 'GET', '/members', { query: { payload: JSON.stringify({ type, id, ...page }) } })
    const query = { payload: JSON.stringify({ type, id }) }
    await dan.isRefused(17, 'GET', '/members', { query })
    for (const wrong of [{ filter_conditions: { invite: 'maybe' } }, { created_at_after: 'noon' }])
      await ada.isRefused(4, 'GET', '/members', { query: { payload: JSON.stringify({ type, id, ...wrong }) } })
  })

  it('[MEM-10] a channel created from its members is queried by its members', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/channels/messaging/query', {
      body: { data: { created_by_id: 'ada', members: ['ada', 'bo'] } },
    })
    const named = (...ids: string[]) => ({
      query: { payload: JSON.stringify({ type: 'messaging', members: ids.map((user_id) => ({ user_id })) }) },
    })
    assert.equal((await ada.does('GET', '/members', named('bo', 'ada'))).members.length, 2)
    await ada.isRefused(16, 'GET', '/members', named('ada'))
    const short = { query: { payload: JSON.stringify({ type: 'messaging', members: ['bo', 'ada'] }) } }
    assert.equal((await ada.does('GET', '/members', short)).members.length, 2)
    const nobody = await ada.isRefused(4, 'GET', '/members', { query: { payload: '{"type":"messaging"}' } })
    assert.deepEqual(nobody.exception_fields, { id: 'either id or members must be set' })
  })
})
