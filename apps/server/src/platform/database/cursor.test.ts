import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { pageOf, reading, rowsOf } from './cursor.ts'

const isRefused = { kind: 'InputError' }
const ten = Array.from({ length: 10 }, (_, i) => i)
/** The requested page of ten rows, as a query reads it. */
const page = (asked: Parameters<typeof rowsOf>[0], most?: number) => {
  const rows = rowsOf(asked, 4)
  const { limit, offset } = reading(rows)
  return pageOf(ten.slice(offset, offset + limit), rows, most)
}

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
    assert.deepEqual(page({ prev: last.around.prev! }).shown, [4, 5, 6, 7])
    assert.deepEqual(page({ prev: second.around.prev! }), first)
  })

  it('end where the rows do, or where no more are given', () => {
    assert.deepEqual(page({ limit: 5, offset: 5 }).around.next, undefined)
    assert.deepEqual(page({ limit: 10 }).around, {})
    assert.ok(page({ limit: 4 }, 5).around.next)
    assert.equal(page({ limit: 4 }, 4).around.next, undefined)
    assert.equal(page({ limit: 2, offset: 2 }, 4).around.next, undefined)
  })

  it('begin where they are asked to, and lead back to the first row, not before it', () => {
    const { shown, around } = page({ limit: 3, offset: 2 })
    assert.deepEqual(shown, [2, 3, 4])
    assert.deepEqual(page({ prev: around.prev!, limit: 3 }).shown, [0, 1, 2])
  })

  it('are not asked for in two ways, or by a word that is none', () => {
    const { next } = page({}).around
    for (const asked of [
      { next: next!, prev: next! },
      { next: next!, offset: 1 },
      { prev: next!, offset: 1 },
      { next: 'tea' },
      { prev: '' },
      { next: Buffer.from('from 1234567890').toString('base64url') },
      { next: Buffer.from('from 1 to 2').toString('base64url') },
    ])
      assert.throws(() => rowsOf(asked, 4), isRefused, JSON.stringify(asked))
    assert.deepEqual(rowsOf({ next: next!, offset: 0, limit: 2 }, 4), { limit: 2, offset: 4 })
    assert.throws(() => rowsOf({ next: 'tea' }, 4), { fields: { next: '"tea" is not a cursor of this query' } })
    assert.throws(() => rowsOf({ prev: 'tea' }, 4), { fields: { prev: '"tea" is not a cursor of this query' } })
  })
})
