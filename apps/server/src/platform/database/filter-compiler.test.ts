import assert from 'node:assert/strict'
import { filterOperators } from '@parley/protocol/filters'
import fc from 'fast-check'
import { it } from 'vitest'
import { onBothStorages } from '../../testing/fixture.ts'

/** What a stranger may put where a value belongs. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    'A',
    'Zoë',
    'zoe b',
    '1',
    '10',
    'true',
    'null',
    '%',
    '_',
    "'",
    '"',
    '!',
    '\\',
    '$eq',
    'ß',
    'Я',
    'я',
    'İ',
    '🙂',
    'e\u0301',
    '[1]',
    '{}',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
)
const scalar = fc.oneof(
  text,
  fc.constantFrom(0, -0, 1, 10, -1, 1.5, 1e21, 5e-324, 1.7e308, 2 ** 53, true, false, null),
  fc.constantFrom('2000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '0001-01-01T00:00:00+14:00', 'yesterday'),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.array(scalar, { maxLength: 2 }), { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), scalar, { maxKeys: 2 }) },
)
const field = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('hat', 'tags', 'box', 'box.x', 'box.x.y', 'tags.0') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('id', 'name', 'role', 'teams', 'banned', 'created_at', 'last_active', 'language'),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '$or', '$xor', 'a.', '.a', 'a b', 'u.id')),
  },
)
const condition = fc.oneof(
  value,
  fc.dictionary(fc.constantFrom(...filterOperators), value, { minKeys: 1, maxKeys: 2 }),
  fc.dictionary(fc.constantFrom('$eq', '$near', 'x'), value, { maxKeys: 1 }),
)
const { filter } = fc.letrec<{ filter: object; leaf: object; branch: object }>((tie) => ({
  filter: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('leaf'), tie('branch')),
  leaf: fc.dictionary(field, condition, { maxKeys: 2 }),
  branch: fc
    .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('filter'), { minLength: 1, maxLength: 2 }))
    .map(([operator, filters]) => ({ [operator]: filters })),
}))
const sort = fc.array(
  fc.record(
    {
      field: fc.oneof(fc.constantFrom('id', 'name', 'hat', 'box.x', 'created_at', 'teams'), text),
      direction: fc.constantFrom(1, -1),
      type: fc.constantFrom('string', 'number', 'boolean'),
    },
    { requiredKeys: ['field'] },
  ),
  { maxLength: 2 },
)
const testUser = fc.record(
  {
    id: fc.constantFrom('ada', 'Bo', 'c-1', 'dan', 'eve', '10', '9'),
    name: text,
    hat: scalar,
    tags: value,
    box: value,
    teams: fc.array(fc.constantFrom('red', 'blue', 'Zoë'), { maxLength: 2 }),
  },
  { requiredKeys: ['id'] },
)
const people = fc.uniqueArray(testUser, { selector: ({ id }) => id, minLength: 5, maxLength: 7 })

/** What a query costs is not the subject, and a busy machine must not refuse one. */
const patient = { QUERY_TIMEOUT_MS: '60000' }

onBothStorages((onSqlite, onPostgres) => {
  it('whatever is asked of whatever is stored, both databases find the same, in the same order', async () => {
    const { appServer: one } = await onSqlite.createApp()
    const { appServer: other } = await onPostgres.createApp()
    await fc.assert(
      fc.asyncProperty(
        people,
        fc.array(fc.tuple(filter, sort), { minLength: 20, maxLength: 20 }),
        async (users, asked) => {
          const body = { users: Object.fromEntries(users.map((user) => [user.id, user])) }
          for (const appServer of [one, other]) await appServer.does('POST', '/users', { body })
          for (const [filter_conditions, sort] of asked) {
            const query = { payload: JSON.stringify({ filter_conditions, sort: [...sort, { field: 'id' }] }) }
            const [here, there] = await Promise.all(
              [one, other].map((appServer) => appServer.call('GET', '/users', { query })),
            )
            const seen = ({ status, body }: NonNullable<typeof here>) =>
              status === 200 ? body.users.map((user: { id: string }) => user.id) : [status, body.code, body.message]
            assert.ok(here?.status === 200 || here?.body.code === 4, `${query.payload} → ${JSON.stringify(here?.body)}`)
            assert.deepEqual(seen(there!), seen(here), query.payload)
          }
        },
      ),
      { numRuns: 15 },
    )
  })
}, patient)
