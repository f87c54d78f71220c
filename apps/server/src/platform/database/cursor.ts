/** Pages of a query that are asked for by an opaque word [messaging.md 1.9]. */

import type { SortOption } from '@parley/protocol/filters'
import type { Kysely, RawBuilder } from 'kysely'
import { inputError } from '../chat-error.ts'
import { type Condition, compileFilter, compileSort, type Entity, filterCost } from './filter-compiler.ts'
import type { Reader } from './reader.ts'
import type { Tables } from './tables.ts'

/** The page a caller requests. */
export interface PageAsked {
  limit?: number
  next?: string
  prev?: string
  /** Where a query takes it in place of the words. */
  offset?: number
}

export interface RowsAsked {
  limit: number
  offset: number
}

/** @throws ChatError InputError (4) — `next` or `prev` is none of our words, or both are given */
export function rowsOf({ limit, next, prev, offset: from = 0 }: PageAsked, defaultLimit: number): RowsAsked {
  if (next !== undefined && prev !== undefined) throw inputError('prev', 'give one of next and prev')
  const word = next ?? prev
  if (word === undefined) return { limit: limit ?? defaultLimit, offset: from }
  if (from > 0) throw inputError('offset', 'give one of offset and next or prev')
  const offset = /^from (\d{1,9})$/.exec(Buffer.from(word, 'base64url').toString())?.[1]
  if (offset === undefined)
    throw inputError(next === undefined ? 'prev' : 'next', `"${word}" is not a cursor of this query`)
  return { limit: limit ?? defaultLimit, offset: Number(offset) }
}

/** How many rows to read: one more than shown, to know whether there are others. */
export function reading({ limit, offset }: RowsAsked): RowsAsked {
  return { limit: limit + 1, offset }
}

/**
 * The rows to show, and the words for the pages beside them; without `next` there are no more.
 *
 * @param most  rows of all pages together
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, offset }: RowsAsked,
  most = Number.POSITIVE_INFINITY,
): { shown: Row[]; around: { next?: string; prev?: string } } {
  const word = (from: number) => Buffer.from(`from ${from}`).toString('base64url')
  return {
    shown: rows.slice(0, limit),
    around: {
      ...(rows.length > limit && offset + limit < most && { next: word(offset + limit) }),
      ...(offset > 0 && { prev: word(Math.max(0, offset - limit)) }),
    },
  }
}

/**
 * One page of what a filter matches, in the requested order.
 *
 * @param reader  the caller, whose query is limited by its cost
 * @param find  reads the rows; it is asked for one more than are returned, to know whether there are more
 * @throws ChatError InputError (4) — a filter, a sort or a field that this query does not have
 */
export async function queryPage<Row>(
  reader: Reader,
  entity: Entity,
  { filter, sort, ...page }: PageAsked & { filter?: unknown; sort?: readonly SortOption[] },
  defaults: { limit: number; sort: readonly SortOption[] },
  find: (db: Kysely<Tables>, where: Condition, order: RawBuilder<unknown>, rows: RowsAsked) => Promise<Row[]>,
): Promise<{ shown: Row[]; around: { next?: string; prev?: string } }> {
  const rows = rowsOf(page, defaults.limit)
  const { dialect } = reader
  const order = compileSort(entity, dialect, sort?.length ? sort : defaults.sort)
  const db = reader.for(filterCost(filter).conditions === 0 && !sort?.length)
  return pageOf(await find(db, compileFilter(entity, dialect, filter), order, reading(rows)), rows)
}
