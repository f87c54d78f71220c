import { expect, it } from 'vitest'
import { badge } from './badge.ts'

it('[WID-34] a badge shows the count, 99+ above 99, and nothing at 0', () => {
  expect([0, 1, 99, 100].map(badge)).toEqual([undefined, '1', '99', '99+'])
})
