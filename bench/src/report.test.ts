import { expect, it } from 'vitest'
import { atLeast, atMost, type Figure, short, table } from './report.ts'

it('shows the median of the runs beside the median of the floor', () => {
  const run = (parley: number, value: number): Figure => ({
    name: 'fan-out 1 × 100',
    unit: 'deliveries/s',
    parley,
    floor: { what: 'bare', value },
    goal: atLeast(250_000),
  })
  const [, , row] = table([run(300_000, 400_000), run(100_000, 600_000), run(240_000, 480_000)]).split('\n')
  expect(row).toBe('| fan-out 1 × 100, deliveries/s | 240 k (100 k–300 k) | 480 k bare | 0.50 | ≥ 250 k missed |')
})

it('keeps figures with different floors apart, and needs neither floor nor goal', () => {
  const latency: Figure = { name: 'p50', unit: 'ms', parley: 0.7, goal: atMost(0.7) }
  const beside: Figure = { ...latency, floor: { what: 'bare', value: 0.35 } }
  expect(table([latency, beside]).split('\n').slice(2)).toEqual([
    '| p50, ms | 0.70 | – | – | ≤ 0.70 met |',
    '| p50, ms | 0.70 | 0.35 bare | 2.00 | ≤ 0.70 met |',
  ])
})

it.each([
  [0.123, '0.12'],
  [12.34, '12.3'],
  [999.4, '999'],
  [3_512, '3512'],
  [10_000, '10.0 k'],
  [253_400, '253 k'],
  [999_600, '1.00 M'],
])('writes %f as %s', (value, text) => {
  expect(short(value)).toBe(text)
})
