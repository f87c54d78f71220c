/** The filter language as one would read it to a child, and both databases held against it. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'

type Scalar = string | number | boolean | null
type Thing = { id: string; [field: string]: unknown }
type Tree = { [key: string]: unknown }

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.constantFrom('', 'a', 'A', 'b', 'ab', 'Zoë', '1', 'true', '🙂', '\uffff'),
  fc.constantFrom(0, -1, 1, 1.5, 10, 2 ** 40),
  fc.boolean(),
  fc.constant(null),
)
const plain = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
const thing = fc.record(
  {
    hat: plain,
    tags: fc.array(scalar, { maxLength: 3 }),
    box: fc.record({ x: plain }, { requiredKeys: [] }),
    age: scalar,
  },
  { requiredKeys: [] },
)
const field = fc.constantFrom('hat', 'tags', 'box.x', 'age', 'absent')
const some = scalar.filter((value) => value !== null)
const condition = fc.oneof(
  plain,
  fc
    .oneof(
      fc.tuple(fc.constantFrom('$eq', '$ne'), plain),
      fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), some),
      fc.tuple(fc.constantFrom('$in', '$nin'), fc.array(scalar, { maxLength: 3 })),
      fc.tuple(fc.constant('$exists'), fc.boolean()),
      fc.tuple(fc.constant('$contains'), some),
    )
    .map(([operator, value]) => ({ [operator]: value })),
)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2 },
    fc.dictionary(field, condition, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
    fc
      .tuple(fc.constantFrom('$and', '$or', '$nor'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([key, trees]) => ({ [key]: trees })),
  ),
}))

function matches(thing: Thing, tree: Tree): boolean {
  return Object.entries(tree).every(([key, value]) => {
    const trees = value as Tree[]
    if (key === '$and') return trees.every((one) => matches(thing, one))
    if (key === '$or') return trees.some((one) => matches(thing, one))
    if (key === '$nor') return !trees.some((one) => matches(thing, one))
    const named = typeof value === 'object' && value !== null && !Array.isArray(value)
    const conditions = named ? Object.entries(value) : [['$eq', value] as const]
    return conditions.every(([operator, wanted]) => holds(valueAt(thing, key), operator, wanted))
  })
}

function valueAt(thing: Thing, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => (at as Tree | undefined)?.[key], thing) ?? null
}

function holds(value: unknown, operator: string, wanted: unknown): boolean {
  switch (operator) {
    case '$eq':
      return same(value, wanted)
    case '$ne':
      return !same(value, wanted)
    case '$in':
      return (wanted as unknown[]).some((one) => same(value, one) || (Array.isArray(value) && has(value, one)))
    case '$nin':
      return !holds(value, '$in', wanted)
    case '$exists':
      return (value !== null) === wanted
    case '$contains':
      return Array.isArray(value) && has(value, wanted)
    case '$gt':
      return compares(value, wanted, (order) => order > 0)
    case '$gte':
      return compares(value, wanted, (order) => order >= 0)
    case '$lt':
      return compares(value, wanted, (order) => order < 0)
    default:
      return compares(value, wanted, (order) => order <= 0)
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const has = (list: unknown[], one: unknown) => list.some((item) => same(item, one))

/** Only what is of one kind has an order: numbers, truth, and texts by their bytes. */
function compares(value: unknown, wanted: unknown, fits: (order: number) => boolean): boolean {
  if (typeof value !== typeof wanted || value === null) return false
  if (typeof value === 'string') return fits(Buffer.compare(Buffer.from(value), Buffer.from(wanted as string)))
  return typeof value === 'object' ? false : fits(Number(value) - Number(wanted))
}

onEveryStorage((fixture) => {
  it('custom fields of users and channels match as the filter language defines', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await fc.assert(
      fc.asyncProperty(
        fc.array(thing, { minLength: 6, maxLength: 6 }),
        fc.array(tree, { minLength: 25, maxLength: 25 }),
        async (made, trees) => {
          const things: Thing[] = made.map((fields, i) => ({ ...fields, id: `thing-${i}` }))
          const ids = things.map(({ id }) => id)
          await appServer.does('POST', '/users', {
            body: { users: Object.fromEntries(things.map((one) => [one.id, one])) },
          })
          const unset = ['hat', 'tags', 'box', 'age']
          for (const { id, ...fields } of things) {
            const data = { created_by_id: 'ada', members: ['ada'] }
            await appServer.does('POST', `/channels/messaging/${id}/query`, { body: { data } })
            const change = { set: fields, unset: unset.filter((name) => !(name in fields)) }
            await appServer.does('PATCH', `/channels/messaging/${id}`, { body: change })
          }
          for (const tree of trees) {
            const wanted = things.filter((one) => matches(one, tree)).map(({ id }) => id)
            const filter = { $and: [{ id: { $in: ids } }, tree] }
            const query = { payload: JSON.stringify({ filter_conditions: filter, sort: [{ field: 'id' }] }) }
            const { users } = await appServer.does('GET', '/users', { query })
            assert.deepEqual(
              users.map(({ id }: Thing) => id),
              wanted,
              `users ${JSON.stringify(tree)}`,
            )
            const { channels } = await ada.does('POST', '/channels', { body: { filter_conditions: filter } })
            const found = channels.map(({ channel }: { channel: Thing }) => channel.id).sort()
            assert.deepEqual(found, wanted, `channels ${JSON.stringify(tree)}`)
          }
        },
      ),
      { numRuns: 8 },
    )
  })
})
