import { expect, it } from 'vitest'
import { median, percentile } from './percentiles.ts'

it('a percentile is one of the values, whatever their order', () => {
  const values = Array.from({ length: 100 }, (_, i) => 100 - i)
  expect(percentile(values, 0.5)).toBe(50)
  expect(percentile(values, 0.99)).toBe(99)
  expect(percentile(values, 1)).toBe(100)
  expect(percentile([7], 0.99)).toBe(7)
  expect(percentile([], 0.5)).toBeNaN()
})

it('the median of an even number of values is the mean of two of them', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([10, 2, 1, 4])).toBe(3)
  expect(median([])).toBeNaN()
})
