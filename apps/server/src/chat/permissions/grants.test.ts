import assert from 'node:assert/strict'
import type { Permission } from '@parley/protocol/permissions'
import { describe, it } from 'vitest'
import { type Circumstances, modified, Scope } from './grants.ts'

const circumstances: Circumstances = { owns: false, sameTeam: true, facts: () => ({ subject: {}, resource: {} }) }
const none: ReadonlyMap<string, Permission> = new Map()

describe('a role is granted', () => {
  for (const [id, allowed] of [
    // For other users' resources and one's own, in a shared team; then the same in another team.
    ['create-message', [true, true, false, false]],
    ['create-message-owner', [false, true, false, false]],
    ['create-message-any-team', [true, true, true, true]],
    ['create-message-owner-any-team', [false, true, false, true]],
    ['delete-message', [false, false, false, false]],
    ['fly', [false, false, false, false]],
  ] as const)
    it(`by ${id} just that`, () => {
      const scope = new Scope({ user: [id] }, none)
      const asked = [true, false].flatMap((sameTeam) =>
        [false, true].map((owns) => scope.allows(['user'], 'create-message', { ...circumstances, owns, sameTeam })),
      )
      assert.deepEqual(asked, allowed)
      assert.equal(scope.allows(['guest', undefined], 'create-message', { ...circumstances, owns: true }), false)
      assert.equal(scope.allows([], 'create-message', circumstances), false)
    })

  it('the sum of its permissions, and several roles their own each', () => {
    const scope = new Scope(
      { user: ['create-message-owner', 'create-message-any-team'], guest: ['read-channel'] },
      none,
    )
    assert.equal(scope.allows(['user'], 'create-message', { ...circumstances, sameTeam: false }), true)
    assert.equal(scope.allows(['guest', 'user'], 'create-message', circumstances), true)
    assert.equal(scope.allows(['user', 'guest'], 'read-channel', circumstances), true)
  })

  it('nothing but reading when it is anonymous, whatever its grants', () => {
    const ids = ['read-channel', 'create-message', 'update-channel']
    const scope = new Scope({ anonymous: ids, guest: ids }, none)
    const may = (role: string) => ids.filter((id) => scope.allows([role], id, circumstances))
    assert.deepEqual([may('anonymous'), may('guest')], [['read-channel'], ids])
  })

  it('a conditional permission where the condition holds', () => {
    const own = (id: string, differs: Partial<Permission>): [string, Permission] => [
      id,
      {
        ...{ id, name: id, description: '', action: 'CreateMessage', owner: false, same_team: false },
        ...{ condition: { '$subject.mood': id }, custom: true, level: 'channel', tags: [], owner_resource: '' },
        ...differs,
      },
    ]
    const permissions = new Map([own('sunny', {}), own('rainy', { owner: true }), own('windy', { same_team: true })])
    const scope = new Scope({ user: ['sunny', 'rainy', 'windy'] }, permissions)
    const asked = (mood: string) =>
      [true, false].flatMap((sameTeam) =>
        [false, true].map((owns) =>
          scope.allows(['user'], 'create-message', {
            ...{ owns, sameTeam },
            facts: () => ({ subject: { mood }, resource: {} }),
          }),
        ),
      )
    assert.deepEqual(asked('sunny'), [true, true, true, true])
    assert.deepEqual(asked('rainy'), [false, true, false, true])
    assert.deepEqual(asked('windy'), [true, true, false, false])
    assert.deepEqual(asked('foggy'), [false, false, false, false])
    assert.equal(scope.allows(['user'], 'delete-message', circumstances), false)
  })
})

it('a permission that a channel both adds and removes is removed', () => {
  const grants = { user: ['read-channel', 'create-message'], guest: ['read-channel'] }
  const changes = { user: ['!create-message', 'add-links', 'pin-message', '!pin-message'], admin: ['ban-user'] }
  assert.deepEqual(modified(grants, changes), {
    user: ['read-channel', 'add-links'],
    guest: ['read-channel'],
    admin: ['ban-user'],
  })
})
