import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { checkPaths, cleared, customOf, patched, patchedWithin } from './custom-data.ts'

const builtIn: ReadonlySet<string> = new Set(['id', 'shop'])
const isRefused = { kind: 'InputError' }
const isTooBig = { kind: 'PayloadTooBigError' }

describe('custom fields', () => {
  it('are all fields that are not built in', () => {
    assert.deepEqual(customOf({ id: 1, mood: 'sunny', shop: {}, seats: null }, builtIn), { mood: 'sunny', seats: null })
    assert.deepEqual(customOf({ id: 1 }, builtIn), {})
  })

  it('have no dot in their names, unless paths are not used', () => {
    assert.throws(() => customOf({ 'tea.green': 1 }, builtIn), isRefused)
    assert.deepEqual(customOf({ 'tea.green': 1 }, new Set()), { 'tea.green': 1 })
  })

  it('are limited by total bytes, exactly', () => {
    const tea = { tea: 'é' }
    const bytes = Buffer.byteLength(JSON.stringify(tea))
    assert.deepEqual(customOf(tea, builtIn, bytes), tea)
    assert.throws(() => customOf(tea, builtIn, bytes - 1), isTooBig)
    assert.deepEqual(patched({}, { set: tea }, bytes), tea)
    assert.throws(() => patched({}, { set: tea }, bytes - 1), isTooBig)
    // 5 kB by default.
    const full = { tea: 'x'.repeat(5 * 1024 - Buffer.byteLength('{"tea":""}')) }
    for (const of of [customOf(full, builtIn), patched({}, { set: full })]) assert.deepEqual(of, full)
    const more = { tea: `${full.tea}x` }
    assert.throws(() => customOf(more, builtIn), isTooBig)
    assert.throws(() => patched({}, { set: more }), isTooBig)
  })

  it('may be named like a property of Object.prototype', () => {
    const custom = customOf(JSON.parse('{"__proto__": {"isAdmin": true}, "toString": 1}'), builtIn)
    assert.deepEqual(Object.keys(custom), ['__proto__', 'toString'])
    const within = patched({}, { set: { 'constructor.prototype.isAdmin': true } })
    assert.deepEqual(Object.keys(within), ['constructor'])
    assert.equal(JSON.stringify(within), '{"constructor":{"prototype":{"isAdmin":true}}}')
    assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
  })
})

describe('a partial update', () => {
  const before = { tea: { kind: 'green', cups: { small: 2, large: 1 } }, list: [1, 2], mood: 'sunny' }

  for (const [title, patch, after] of [
    ['changes nothing it does not name', {}, before],
    ['sets a field', { set: { mood: 'rainy' } }, { ...before, mood: 'rainy' }],
    ['sets a field within', { set: { 'tea.kind': 'black' } }, { ...before, tea: { ...before.tea, kind: 'black' } }],
    ['makes the fields on the way', { set: { 'a.b.c': 1 } }, { ...before, a: { b: { c: 1 } } }],
    ['puts fields in the place of what has none', { set: { 'mood.now': 1 } }, { ...before, mood: { now: 1 } }],
    ['puts fields in the place of a list', { set: { 'list.first': 1 } }, { ...before, list: { first: 1 } }],
    ['takes a field out', { unset: ['mood'] }, { tea: before.tea, list: before.list }],
    [
      'takes a field out within',
      { unset: ['tea.cups.small'] },
      { ...before, tea: { kind: 'green', cups: { large: 1 } } },
    ],
    ['takes out nothing that is not there', { unset: ['x', 'x.y', 'mood.length', 'toString.name'] }, before],
    ['does both', { set: { a: 1 }, unset: ['list', 'tea'] }, { mood: 'sunny', a: 1 }],
  ] as const)
    it(title, () => {
      const asItWas = structuredClone(before)
      assert.deepEqual(patched(before, patch as object), after)
      assert.deepEqual(before, asItWas)
    })

  for (const patch of [
    { set: { '': 1 } },
    { set: { 'a b': 1 } },
    { set: { 'a..b': 1 } },
    { set: { 'a.': 1 } },
    { unset: ['.a'] },
    { set: { a: 1 }, unset: ['a'] },
    { set: { 'a.b': 1 }, unset: ['a'] },
    { set: { a: 1 }, unset: ['a.b'] },
  ])
    it(`is refused: ${JSON.stringify(patch)}`, () => {
      assert.throws(() => checkPaths(patch as object), isRefused)
      assert.throws(() => patched({}, patch as object), isRefused)
    })

  it('names the path of an empty segment', () => {
    assert.throws(() => checkPaths({ set: { '': 1 } }), { fields: { set: '"" is no path of a field' } })
    assert.throws(() => checkPaths({ set: { a: 1 }, unset: [''] }), { fields: { unset: '"" is no path of a field' } })
  })

  it('may name sibling fields', () => checkPaths({ set: { ab: 1, 'c.d': 1 }, unset: ['a', 'c.e', 'b'] }))

  it('is nested no deeper than JSON may be', () => {
    const path = (depth: number) => Array.from({ length: depth }, () => 'a').join('.')
    patched({}, { set: { [path(100)]: 1 } })
    assert.throws(() => patched({}, { set: { [path(101)]: 1 } }), isRefused)
  })
})

describe('a partial update of a built-in object', () => {
  const shop = { city: 'Lyon', open: true }

  it('changes nested fields, and returns only the changed ones', () => {
    const patch = { set: { 'shop.city': 'Paris', mood: 'sunny', 'tea.kind': 'green' }, unset: ['shop.open', 'mood2'] }
    assert.deepEqual(patchedWithin({ shop, other: {} }, builtIn, patch), { shop: { city: 'Paris' } })
    assert.deepEqual(patchedWithin({ shop }, builtIn, { set: { shop: 1 }, unset: ['tea.kind'] }), {})
    assert.deepEqual(patchedWithin({ shop }, builtIn, {}), {})
  })

  it('is refused inside a value that is no object, or is set as a whole', () => {
    const message = /is no field that can be set here/
    assert.throws(() => patchedWithin({ shop }, builtIn, { set: { 'id.x': 1 } }), message)
    assert.throws(() => patchedWithin({ shop }, builtIn, { unset: ['id.x'] }), message)
    assert.throws(() => patchedWithin({ shop }, builtIn, { set: { shop: {}, 'shop.city': 'Paris' } }), message)
  })

  it('has the same size limit as the object itself', () => {
    const city = 'x'.repeat(20_000)
    assert.deepEqual(patchedWithin({ shop }, builtIn, { set: { 'shop.city': city } }), { shop: { ...shop, city } })
  })

  it('clears fields that are unset or set to null', () => {
    const empty = { shop: {}, mood: '', seats: 0 }
    assert.deepEqual(cleared(empty, { unset: ['shop', 'other'], set: { mood: null, seats: 3 } }), {
      shop: {},
      mood: '',
    })
    assert.deepEqual(cleared(empty, {}), {})
  })
})
