import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'
import { ChatError } from '../chat-error.ts'
import { isTrue } from './query-flag.ts'

describe('booleans in a URL', () => {
  it('are accepted in the spelling of any language, and anything else is refused with its name', () => {
    for (const yes of ['true', 'True', 'TRUE', 't', '1']) assert.equal(isTrue('hard', yes), true)
    for (const no of [undefined, '', 'false', 'False', 'f', '0']) assert.equal(isTrue('hard', no), false)
    assert.throws(
      () => isTrue('hard', 'yes'),
      (error) => error instanceof ChatError && error.fields?.hard === 'hard must be true or false',
    )
  })
})

onEveryStorage((fixture) => {
  it('[MSG-13] [USR-6] True counts as true: an erasure leaves nothing', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Oops')
    const query = { hard_delete: 'True' }
    await appServer.isRefused(4, 'DELETE', `/messages/${id}`, { query: { hard: 'yes' } })
    await appServer.does('DELETE', `/messages/${id}`, { query: { hard: 'True' } })
    await appServer.isRefused(16, 'GET', `/messages/${id}`, { query: { show_deleted_message: 'True' } })
    await appServer.does('DELETE', path(room), { query })
    await appServer.does('DELETE', '/users/ada', { query })
    const { users } = await appServer.does('POST', '/users', { body: { users: { ada: { id: 'ada' } } } })
    assert.equal('deleted_at' in users.ada, false)
  })
})
