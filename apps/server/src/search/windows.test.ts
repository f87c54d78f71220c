import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { DAY_BITS, MONTH_BITS, marks } from '../database/dialect.ts'
import { windowsBefore } from './windows.ts'

const DAY_MICROS = 86_400_000_000
const now = 1_795_000_000_000_000

/** All stretches, where each gives `found` and leaves `wanted`. */
function stretches(found: number, wanted: number) {
  const windows = windowsBefore(now)
  const all = []
  for (let next = windows.next({ found, wanted }); !next.done; next = windows.next({ found, wanted }))
    all.push(next.value)
  return all
}

describe('stretches of time', () => {
  it('[SRCH-1] hold every message once, the newer ones first', () => {
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

  it('go back as far as is needed for what is still wanted, by what was found, or to the beginning', () => {
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
