import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { ChatError } from '../chat-error.ts'
import { path } from '../testing/person.ts'
import { onEveryStorage } from '../testing/stage.ts'
import { isTrue } from './yes-or-no.ts'

describe('yes and no in an address', () => {
  it('are read as any language writes them, and anything else is refused by its name', () => {
    for (const yes of ['true', 'True', 'TRUE', 't', '1']) assert.equal(isTrue('hard', yes), true)
    for (const no of [undefined, '', 'false', 'False', 'f', '0']) assert.equal(isTrue('hard', no), false)
    assert.throws(
      () => isTrue('hard', 'yes'),
      (error) => error instanceof ChatError && error.fields?.hard === 'hard must be true or false',
    )
  })
})

onEveryStorage((stage) => {
  it('[MSG-13] [USR-6] whoever says True means it: nothing is left that was to be erased', async () => {
    const { company, ada, bo } = await stage.company('ada', 'bo')
    const room = await company.opens([ada, bo])
    const { id } = await ada.says(room, 'Oops')
    const query = { hard_delete: 'True' }
    await company.isRefused(4, 'DELETE', `/messages/${id}`, { query: { hard: 'yes' } })
    await company.does('DELETE', `/messages/${id}`, { query: { hard: 'True' } })
    await company.isRefused(16, 'GET', `/messages/${id}`, { query: { show_deleted_message: 'True' } })
    await company.does('DELETE', path(room), { query })
    await company.does('DELETE', '/users/ada', { query })
    const { users } = await company.does('POST', '/users', { body: { users: { ada: { id: 'ada' } } } })
    assert.equal('deleted_at' in users.ada, false)
  })
})
