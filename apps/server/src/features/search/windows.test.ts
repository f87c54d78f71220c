import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { DAY_BITS, MONTH_BITS, marks } from '../../platform/database/dialect.ts'
import { windowsBefore } from './windows.ts'

const DAY_MICROS = 86_400_000_000
const now = 1_795_000_000_000_000

/** All windows, where each has `found` matches and `wanted` are left. */
function stretches(found: number, wanted: number) {
  const windows = windowsBefore(now)
  const all = []
  for (let next = windows.next({ found, wanted }); !next.done; next = windows.next({ found, wanted }))
    all.push(next.value)
  return all
}

describe('time windows', () => {
  it('[SRCH-1] contain every message once, newer ones first', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.integer({ min: 1, max: 200 }), fc.nat(900), (found, wanted, daysAgo) => {
        const at = now - daysAgo * DAY_MICROS
        const its = [marks.day(Math.floor(at / 2 ** DAY_BITS)), marks.month(Math.floor(at / 2 ** MONTH_BITS))]
        const holds = stretches(found, wanted).filter(
          ({ marks, before = Number.POSITIVE_INFINITY }) =>
            at < before && marks.every((some) => some.some((mark) => its.includes(mark))),
        )
        assert.equal(holds.length, 1)
      }),
    )
  })

  it('go back as far as the hit rate suggests, or to the beginning', () => {
    assert.deepEqual(
      stretches(90, 60).map(({ marks }) => marks.flat().length),
      [3, 2, 2, 0],
    )
    for (const [found, wanted] of [
      [0, 100],
      [10, 90],
    ] as const)
      assert.deepEqual(
        stretches(found, wanted).map(({ marks }) => marks.flat().length),
        [3, 2, 0],
      )
  })
})
