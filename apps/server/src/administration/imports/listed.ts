/** Merges the fields of a line with those of an existing row. */
import type { ImportRow } from '../../platform/database/tables.ts'
import { type Micros, microsOf } from '../../platform/micros.ts'

/** The custom fields after an import: those of the line, merged over the existing ones if requested. */
export function customAfter({ merge_custom }: ImportRow, custom: object, before: string | undefined): string {
  const kept = merge_custom && before !== undefined ? JSON.parse(before) : {}
  return JSON.stringify({ ...kept, ...custom })
}

/** The time in the line, or the existing one if there is none. */
export function timeAfter(said: string | undefined, before: Micros): Micros
export function timeAfter(said: string | undefined, before: Micros | null): Micros | null
export function timeAfter(said: string | undefined, before: Micros | null): Micros | null {
  return said === undefined ? before : microsOf(said)!
}

export function flagAfter(said: boolean | undefined, before: 0 | 1): 0 | 1 {
  return said === undefined ? before : said ? 1 : 0
}
