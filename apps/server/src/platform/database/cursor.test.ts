import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { compareValues, isBeside, type List, type PageAsked, pageAsked, pageOf } from './cursor.ts'

const keys = [{ kind: 'number' as const, direction: 1 as const, isNeverNull: true }]
const numbers: List = { name: ['numbers'], filter: { even: true, $or: [1, 2] }, sort: [{ field: 'size' }], keys }
const ten = Array.from({ length: 10 }, (_, i) => i)

/** The requested page of some rows, as a query reads it. */
function page(asked: PageAsked, rows: readonly number[] = ten, list = numbers) {
  const { place, offset, limit } = pageAsked(list, asked, 4)
  const beside = rows.filter((row) => !place || isBeside(keys, [row], place))
  if (place?.side === 'before') beside.reverse()
  return pageOf(list, { place: place!, offset, limit }, beside.slice(offset, offset + limit + 1), (row) => [row])
}
const cursorOf = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url')
const partsOf = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString())

describe('pages', () => {
  it('follow one another to the end, and lead back', () => {
    const first = page({})
    assert.deepEqual([first.shown, Object.keys(first.around)], [[0, 1, 2, 3], ['next']])
    const second = page({ next: first.around.next! })
    assert.deepEqual(
      [second.shown, Object.keys(second.around)],
      [
        [4, 5, 6, 7],
        ['next', 'prev'],
      ],
    )
    const last = page({ next: second.around.next! })
    assert.deepEqual([last.shown, Object.keys(last.around)], [[8, 9], ['prev']])
    assert.deepEqual(page({ prev: last.around.prev! }), second)
    assert.deepEqual(page({ prev: second.around.prev! }), first)
  })

  it('end where the rows do', () => {
    assert.equal(page({ limit: 5, offset: 5 }).around.next, undefined)
    assert.deepEqual(page({ limit: 10 }).around, {})
    assert.ok(page({ limit: 9 }).around.next)
  })

  it('begin at an offset, and lead back to the first row', () => {
    const { shown, around } = page({ limit: 3, offset: 2 })
    assert.deepEqual(shown, [2, 3, 4])
    const before = page({ prev: around.prev!, limit: 3 })
    assert.deepEqual([before.shown, Object.keys(before.around)], [[0, 1], ['next']])
  })

  it('lie beside a place that stays where it is when its row is gone', () => {
    const { next } = page({}).around
    const without = (...gone: number[]) => ten.filter((row) => !gone.includes(row))
    assert.deepEqual(page({ next: next! }, without(1, 3)).shown, [4, 5, 6, 7])
    assert.deepEqual(page({ next: next! }, [-2, -1, 0.5, ...without(0)]).shown, [4, 5, 6, 7])
  })

  it('without rows have a way back to the place they were asked from', () => {
    const { next } = page({ limit: 4, offset: 4 }).around
    const behind = page({ next: next! }, ten.slice(0, 8))
    assert.deepEqual([behind.shown, Object.keys(behind.around)], [[], ['prev']])
    assert.deepEqual(page({ prev: behind.around.prev! }, ten.slice(0, 8)).shown, [4, 5, 6, 7])
    const { prev } = page({ next: page({}).around.next! }).around
    const ahead = page({ prev: prev! }, ten.slice(4))
    assert.deepEqual([ahead.shown, Object.keys(ahead.around)], [[], ['next']])
    assert.deepEqual(page({ next: ahead.around.next! }, ten.slice(4)).shown, [4, 5, 6, 7])
  })

  it('are not asked for in two ways', () => {
    const next = page({}).around.next!
    assert.throws(() => page({ next, prev: next }), {
      kind: 'InputError',
      fields: { prev: 'give one of next and prev' },
    })
    for (const asked of [
      { next, offset: 1 },
      { prev: next, offset: 1 },
    ])
      assert.throws(() => page(asked), {
        kind: 'InputError',
        fields: { offset: 'give one of offset and next or prev' },
      })
    assert.deepEqual(page({ next, offset: 0, limit: 2 }).shown, [4, 5])
  })
})

describe('a cursor', () => {
  const next = page({}).around.next!
  const refusal = 'this is no cursor of this query; a cursor is given with the filter and sort it was made for'
  const isRefused = (cursor: string, list = numbers) => {
    assert.throws(() => page({ next: cursor }, ten, list), { kind: 'InputError', fields: { next: refusal } }, cursor)
    assert.throws(() => page({ prev: cursor }, ten, list), { kind: 'InputError', fields: { prev: refusal } }, cursor)
  }

  it('is of one list, one filter and one sort, however these are written', () => {
    for (const other of [
      { name: ['numbers', 'of', 'others'] },
      { filter: { even: true } },
      { filter: { even: true, $or: [2, 1] } },
      { filter: undefined },
      { sort: [{ field: 'size', direction: -1 as const }] },
      { sort: [{ field: 'size', type: 'string' as const }] },
      { sort: [{ field: 'size' }, { field: 'id' }] },
      { sort: [] },
    ])
      isRefused(next, { ...numbers, ...other })
    const same = { ...numbers, filter: { $or: [1, 2], even: true }, sort: [{ direction: 1 as const, field: 'size' }] }
    assert.deepEqual(page({ next }, ten, same).shown, [4, 5, 6, 7])
    const { around } = page({}, ten, { ...numbers, filter: undefined })
    assert.deepEqual(page({ next: around.next! }, ten, { ...numbers, filter: {} }).shown, [4, 5, 6, 7])
  })

  it('is refused where it was changed, or is none', () => {
    const [check, side, value] = partsOf(next)
    assert.deepEqual([side, value], ['after', 3])
    for (const none of ['', 'tea', 'W10', '4', Buffer.from('from 4').toString('base64url')]) isRefused(none)
    for (const parts of [
      [check, side, 4],
      [check, 'from', value],
      [check, 'beside', value],
      [check, side],
      [check, side, value, value],
      [check, side, null],
      [check, side, '3'],
      [check, [side], value],
      ['', side, value],
      { 0: check, 1: side, 2: value },
      null,
    ])
      isRefused(cursorOf(parts))
    for (const garbled of [`${next}A`, `${next}=`, `!${next}`, next.slice(1), next.slice(0, -1), next.toLowerCase()])
      isRefused(garbled)
  })

  it('holds only values that its sort can have, though somebody may compute the rest', () => {
    const all: [List['keys'][number], good: unknown[], bad: unknown[]][] = [
      [{ kind: 'text' }, ['', 'é🙂', null], [1, true, 'a\0b', [], {}]],
      [{ kind: 'text', isNeverNull: true }, ['a'], [null]],
      [{ kind: 'number' }, [0, -1.5, 1e300, null], ['1', false]],
      [{ kind: 'time' }, [0, 1_790_000_000_000_000, null], [1.5, 2 ** 53, '1']],
      [{ kind: 'flag' }, [0, 1, null], [2, true]],
      [{ kind: 'boolean' }, [true, false, null], [0, 'true']],
    ]
    for (const [key, good, bad] of all) {
      const list = { name: ['values'], keys: [key] }
      const made = (value: unknown) =>
        pageOf(list, { limit: 1, offset: 0 }, [value, 'more'], (row) => [row as string]).around.next!
      for (const value of good)
        assert.deepEqual(pageAsked(list, { next: made(value) }, 1).place?.values, [value], `${key.kind} ${value}`)
      for (const value of bad) isRefused(made(value), list)
    }
  })
})

describe('the order of values', () => {
  const up = { direction: 1 as const }
  const down = { direction: -1 as const }

  it('puts null last in both directions, and compares texts by their bytes', () => {
    for (const keys of [[up], [down]])
      assert.ok(compareValues(keys, [null], [1]) > 0 && compareValues(keys, [1], [null]) < 0)
    assert.equal(compareValues([up], [null], [null]), 0)
    assert.ok(compareValues([up], ['\uffee'], ['🙂']) < 0)
    assert.ok(compareValues([down], ['a'], ['B']) < 0)
  })

  it('is decided by the first values that differ', () => {
    assert.ok(compareValues([up, down], [1, 1], [1, 2]) > 0)
    assert.ok(compareValues([up, down], [1, 1], [2, 2]) < 0)
    assert.equal(compareValues([up, down], [1, 'a'], [1, 'a']), 0)
  })
})
