/** How what a line lists comes over what is there already. */
import type { ImportRow } from '../database/tables.ts'
import { type Micros, microsOf } from '../micros.ts'

/** The custom fields after an import: those of the line, or, where they are merged, besides those there were. */
export function customAfter({ merge_custom }: ImportRow, custom: object, before: string | undefined): string {
  const kept = merge_custom && before !== undefined ? JSON.parse(before) : {}
  return JSON.stringify({ ...kept, ...custom })
}

/** A time as it was said; what was there where nothing is said. */
export function timeAfter(said: string | undefined, before: Micros): Micros
export function timeAfter(said: string | undefined, before: Micros | null): Micros | null
export function timeAfter(said: string | undefined, before: Micros | null): Micros | null {
  return said === undefined ? before : microsOf(said)!
}

export function flagAfter(said: boolean | undefined, before: 0 | 1): 0 | 1 {
  return said === undefined ? before : said ? 1 : 0
}
