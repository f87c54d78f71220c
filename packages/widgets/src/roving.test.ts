import { expect, it } from 'vitest'
import { placeAfter } from './roving.ts'

it('arrow keys move along a collection and stop at its ends', () => {
  const go = (key: string, at: number) => placeAfter(key, at, 3, 'horizontal', false)
  expect([go('ArrowRight', 0), go('ArrowRight', 2), go('ArrowLeft', 0), go('Home', 2), go('End', 0)]).toEqual([
    1, 2, 0, 0, 2,
  ])
  expect(go('ArrowDown', 1)).toBeUndefined()
})

it('right to left, the horizontal arrows are swapped', () => {
  expect(placeAfter('ArrowLeft', 0, 3, 'horizontal', true)).toBe(1)
  expect(placeAfter('ArrowDown', 0, 3, 'vertical', true)).toBe(1)
})
