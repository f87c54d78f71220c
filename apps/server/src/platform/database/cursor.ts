/**
 * Cursors: opaque words for the pages of a list [messaging.md 1.9].
 *
 * A cursor names a place in the order of a list, beside a row, by the values that the row was sorted by and its unique
 * key. Rows may come, go and move: one that stays as it is comes exactly once. A number of rows to skip would repeat
 * some rows and leave others out.
 */
import { createHash } from 'node:crypto'
import type { SortOption } from '@parley/protocol/filters'
import { inputError } from '../chat-error.ts'
import type { SortTerm } from './filter-compiler.ts'

/** The page a caller requests. */
export interface PageAsked {
  limit?: number
  next?: string
  prev?: string
  /** Where a query takes it in place of a cursor. */
  offset?: number
}

/** A list as its cursors know it: a cursor of one list, or of one filter or sort, is no cursor of another. */
export interface List {
  /** What is listed, and whose or of what it is. */
  name: readonly (string | undefined)[]
  filter?: unknown
  sort?: readonly SortOption[]
  /** What a row is sorted by, up to what is unique. */
  keys: readonly Pick<SortTerm, 'kind' | 'isNeverNull'>[]
}

export type SortValue = string | number | boolean | null

/** A place in a list. The row it is beside may be gone. */
export interface Place {
  /** Whether the page is behind the place or ahead of it. */
  side: 'after' | 'before'
  /** Whether the row itself is on the page. */
  isIncluded: boolean
  /** As many as the list has keys. */
  values: readonly SortValue[]
}

/** Which rows to read; a page before a place is read backwards, so that the rows next to the place come first. */
export interface Page {
  limit: number
  offset: number
  place?: Place
}

/** The order of two rows by their values; null comes last in both directions. */
export function compareValues(
  keys: readonly Pick<SortTerm, 'direction'>[],
  a: readonly SortValue[],
  b: readonly SortValue[],
): number {
  for (const [i, { direction }] of keys.entries()) {
    const [one, other] = [a[i] ?? null, b[i] ?? null]
    if (one === other) continue
    if (one === null || other === null) return one === null ? 1 : -1
    // Texts as both databases sort them, by their bytes.
    if (typeof one === 'string') return direction * Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
    return one < other ? -direction : direction
  }
  return 0
}

/** Whether a row is on the asked side of a place. */
export function isBeside(
  keys: readonly Pick<SortTerm, 'direction'>[],
  values: readonly SortValue[],
  { side, isIncluded, values: at }: Place,
): boolean {
  const order = compareValues(keys, values, at)
  return order === 0 ? isIncluded : order > 0 === (side === 'after')
}

/** How a place is written, by its side and whether its row is included. */
const written = { after: ['after', 'from'], before: ['before', 'upTo'] } as const
const sides = new Map(
  (['after', 'before'] as const).flatMap((side) =>
    written[side].map((name, i) => [name as string, { side, isIncluded: i === 1 }] as const),
  ),
)

/** @throws ChatError InputError (4) — `next` or `prev` is no cursor of this list, or both are given */
export function pageAsked(list: List, { limit, next, prev, offset = 0 }: PageAsked, defaultLimit: number): Page {
  if (next !== undefined && prev !== undefined) throw inputError('prev', 'give one of next and prev')
  const page = { limit: limit ?? defaultLimit, offset }
  const cursor = next ?? prev
  if (cursor === undefined) return page
  if (offset > 0) throw inputError('offset', 'give one of offset and next or prev')
  const place = placeOf(list, cursor)
  if (!place)
    throw inputError(
      next === undefined ? 'prev' : 'next',
      'this is no cursor of this query; a cursor is given with the filter and sort it was made for',
    )
  return { ...page, place }
}

/**
 * The rows to show, and the cursors of the pages beside them; without `next` there are no more.
 *
 * @param read  the rows from the place on, one more than are shown if there are more
 */
export function pageOf<Row>(
  list: List,
  { limit, offset, place }: Page,
  read: readonly Row[],
  valuesOf: (row: Row) => readonly SortValue[],
): { shown: Row[]; around: { next?: string; prev?: string } } {
  const isBackward = place?.side === 'before'
  const near = read.slice(0, limit)
  const shown = isBackward ? near.reverse() : near
  const areMore = read.length > limit
  const hasNext = isBackward || areMore
  const hasPrev = isBackward ? areMore : place !== undefined || offset > 0
  const [first, last] = [shown[0], shown.at(-1)]
  /** Beside a row, or around the place itself where no row is left. */
  const cursor = (side: Place['side'], row: Row | undefined) =>
    row !== undefined
      ? cursorOf(list, { side, isIncluded: false, values: valuesOf(row) })
      : place && cursorOf(list, { side, isIncluded: !place.isIncluded, values: place.values })
  const next = hasNext ? cursor('after', last) : undefined
  const prev = hasPrev ? cursor('before', first) : undefined
  return { shown, around: { ...(next !== undefined && { next }), ...(prev !== undefined && { prev }) } }
}

function cursorOf(list: List, { side, isIncluded, values }: Place): string {
  const place = [written[side][isIncluded ? 1 : 0], ...values]
  return Buffer.from(JSON.stringify([checkOf(list, place), ...place])).toString('base64url')
}

/** The place that a cursor of this list names; undefined for any other word. */
function placeOf(list: List, cursor: string): Place | undefined {
  const [, name, ...values] = partsOf(cursor)
  const side = sides.get(name as string)
  if (!side || values.length !== list.keys.length) return undefined
  if (!list.keys.every((key, i) => isValueOf(key, values[i]))) return undefined
  const place = { ...side, values: values as SortValue[] }
  return cursorOf(list, place) === cursor ? place : undefined
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

/** What only this place in this list, so filtered and sorted, has. */
function checkOf({ name, filter, sort = [] }: List, place: readonly SortValue[]): string {
  const order = sort.map(({ field, direction = 1, type = null }) => [field, direction, type])
  const text = JSON.stringify([name, filter ?? {}, order, place], withSortedKeys)
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** The same filter may come with its fields in another order. */
function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isValueOf({ kind, isNeverNull }: List['keys'][number], value: unknown): boolean {
  if (value === null) return !isNeverNull
  switch (kind) {
    case 'text':
      return typeof value === 'string' && !value.includes('\0')
    case 'number':
      return typeof value === 'number'
    case 'time':
      return Number.isSafeInteger(value)
    case 'flag':
      return value === 0 || value === 1
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return kind satisfies never
  }
}
