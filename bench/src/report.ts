import { median } from './percentiles.ts'

/** One measured value of one run. */
export interface Figure {
  name: string
  unit: string
  /** Absent for a floor alone. */
  parley?: number
  /** The machine's own limit, measured in the same run. */
  floor?: { what: string; value: number }
  goal?: Goal
}

export interface Goal {
  limit: number
  better: 'more' | 'less'
}

export const atLeast = (limit: number): Goal => ({ limit, better: 'more' })
export const atMost = (limit: number): Goal => ({ limit, better: 'less' })

/** A Markdown table, a row per figure: the median of its runs, and the lowest and highest of several. */
export function table(figures: readonly Figure[]): string {
  const rows = [...Map.groupBy(figures, ({ name, unit, floor }) => `${name}|${unit}|${floor?.what}`).values()].map(row)
  const lines = [
    ['figure', 'Parley', 'floor in the same run', 'ratio', 'goal'],
    ['---', '---', '---', '---', '---'],
    ...rows,
  ]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function row(runs: Figure[]): string[] {
  const { name, unit, goal, floor } = runs[0]!
  const values = runs.flatMap(({ parley }) => parley ?? [])
  const floors = runs.flatMap(({ floor }) => (floor ? [floor.value] : []))
  const value = median(values)
  const range = values.length > 1 ? ` (${short(Math.min(...values))}–${short(Math.max(...values))})` : ''
  return [
    `${name}, ${unit}`,
    values.length > 0 ? `${short(value)}${range}` : '–',
    floor ? `${short(median(floors))} ${floor.what}` : '–',
    floor && values.length > 0 ? short(value / median(floors)) : '–',
    goal ? `${goal.better === 'more' ? '≥' : '≤'} ${short(goal.limit)} ${meets(value, goal) ? 'met' : 'missed'}` : '–',
  ]
}

function meets(value: number, { limit, better }: Goal) {
  return better === 'more' ? value >= limit : value <= limit
}

/** Three significant digits: `1.23 M`, `45.6 k`, `789`, `0.12`. */
export function short(value: number): string {
  if (value >= 999_500) return `${digits(value / 1_000_000)} M`
  if (value >= 10_000) return `${digits(value / 1_000)} k`
  return digits(value)
}

function digits(value: number) {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
