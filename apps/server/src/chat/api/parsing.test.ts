/** Parsing of URLs and bodies before schema validation. */
import assert from 'node:assert/strict'
import { QueryUsersPayload } from '@parley/protocol/users'
import { describe, it } from 'vitest'
import { parseJson } from '../../platform/http/json.ts'
import { queryOf } from '../../platform/http/query.ts'
import { spelledSort, spellOutSort } from '../../platform/http/spelled-sort.ts'
import { isMasked, masked, unmasked } from '../apps/masked.ts'

describe('a query string', () => {
  for (const [query, asked] of [
    ['', {}],
    ['limit=5&offset=2', { limit: '5', offset: '2' }],
    ['limit=5&limit=7', { limit: '7' }],
    ['limit=5&limit=', {}],
    ['limit=', {}],
    ['name=a%00b', { name: 'ab' }],
    ['ids=a&ids=b', { ids: 'a,b' }],
    ['ids[]=a&ids[]=b,c', { ids: 'a,b,c' }],
    ['ids[0]=a&ids[12]=b', { ids: 'a,b' }],
    ['ids[x]=a', { 'ids[x]': 'a' }],
    ['endpoints[]=a&endpoints=b%00', { endpoints: 'a,b' }],
    ['my_ids=a&my_ids=b', { my_ids: 'b' }],
    ['limit[]=1', { 'limit[]': '1' }],
  ] as const)
    it(`is read: ${query}`, () => assert.deepEqual({ ...queryOf(query) }, asked))
})

describe('JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

  it('is parsed as sent, without characters that no database stores', () => {
    assert.deepEqual(parseJson('{"tea": ["green", 1, null, true]}', 'body'), { tea: ['green', 1, null, true] })
    assert.deepEqual(parseJson(String.raw`{"a\u0000b": ["\u0000x", {"\ud800": "\uD83C"}], "n": 1}`, 'body'), {
      ab: ['x', { '\uFFFD': '\uFFFD' }],
      n: 1,
    })
    assert.deepEqual(parseJson(String.raw`"\ud83c\udf75"`, 'body'), '🍵')
    const own = parseJson(String.raw`{"__proto__": "\u0000"}`, 'body') as object
    assert.deepEqual(Object.entries(own), [['__proto__', '']])
  })

  it('[HTTP-33] is parsed after a byte order mark', () => {
    assert.deepEqual(parseJson('\uFEFF{"tea": "\uFEFFgreen"}', 'body'), { tea: '\uFEFFgreen' })
    assert.throws(() => parseJson('\uFEFF\uFEFF{}', 'body'), { kind: 'InputError' })
  })

  it('[HTTP-33] is refused with the name of a field that has a number too big for any', () => {
    for (const [text, field] of [
      ['{"a":{"b":[1,{"c":1e400}]}}', 'a.b.1.c'],
      ['{"a":-1E+309}', 'a'],
      ['{"a":1.5e00400}', 'a'],
      [`{"a":1${'0'.repeat(309)}}`, 'a'],
      [`{"a":${'1'.repeat(310)}.0e1}`, 'a'],
      ['{"message":{"priority":12.e400}}', undefined],
      ['1e999', 'payload'],
    ] as const)
      assert.throws(
        () => parseJson(text, 'payload'),
        ({ kind, fields }) => kind === 'InputError' && Object.keys(fields).join() === (field ?? 'payload'),
        text,
      )
    const fine = { a: '1e400', b: 1e308, c: -1e308, d: 5e-324 }
    assert.deepEqual(parseJson(JSON.stringify(fine), 'payload'), fine)
  })

  it('is refused with a position if it is invalid or nested too deep', () => {
    for (const text of ['', '{', 'tea', nested(101)])
      assert.throws(
        () => parseJson(text, 'payload'),
        ({ kind, fields }) => kind === 'InputError' && Object.keys(fields).join() === 'payload',
      )
    assert.deepEqual(parseJson(nested(100), 'payload'), JSON.parse(nested(100)))
  })
})

describe('a sort', () => {
  for (const [said, meant] of [
    [[], []],
    [[{ field: 'name', direction: 1 }], [{ field: 'name', direction: 1 }]],
    [{ name: -1 }, [{ field: 'name', direction: -1 }]],
    [
      [{ name: 1, age: -1 }, { field: 'id' }],
      [{ field: 'name', direction: 1 }, { field: 'age', direction: -1 }, { field: 'id' }],
    ],
    [[{}], [{}]],
    ['name', ['name']],
    [[null], [null]],
  ] as const)
    it(`is read: ${JSON.stringify(said)}`, () => assert.deepEqual(spelledSort(said), meant))

  it('is expanded where a query has one', () => {
    const query = { sort: { name: 1 } }
    spellOutSort(QueryUsersPayload, query)
    assert.deepEqual(query.sort, [{ field: 'name', direction: 1 }])
    const without = {}
    for (const value of [without, null, 'text']) spellOutSort(QueryUsersPayload, value)
    assert.deepEqual(without, {})
  })
})

describe('secrets of external services', () => {
  it('are shown by their last four letters, if they are long enough', () => {
    const settings = { sqs_key: 'abcdefgh', sqs_secret: 'abcdefg', sns_key: '', api_key: null, sqs_url: 'abcdefgh' }
    assert.deepEqual(masked(settings), { ...settings, sqs_key: '*****efgh', sqs_secret: '*****' })
    assert.deepEqual(['*****efgh', '*****', '****efgh', '', null].map(isMasked), [true, true, false, false, false])
  })

  it('stay unchanged when the masked value is sent back', () => {
    const before = { sqs_key: 'abcdefgh', sqs_url: 'old' }
    assert.deepEqual(unmasked({ sqs_key: '*****efgh', sqs_url: '*****' }, before), {
      sqs_key: 'abcdefgh',
      sqs_url: '*****',
    })
    assert.deepEqual(unmasked({ sqs_key: 'new' }, before), { sqs_key: 'new' })
    assert.deepEqual(unmasked({ sqs_key: '*****' }, undefined), { sqs_key: undefined })
  })
})
