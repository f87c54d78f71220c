/** Pages of a query that are asked for by an opaque word [messaging.md 1.9]. */
import { inputError } from '../chat-error.ts'

/** What a caller says of the page it wants. */
export interface PageAsked {
  limit?: number
  next?: string
  prev?: string
}

export interface RowsAsked {
  limit: number
  offset: number
}

/** @throws ChatError InputError (4) — `next` or `prev` is none of our words, or both are given */
export function rowsOf({ limit, next, prev }: PageAsked, defaultLimit: number): RowsAsked {
  if (next !== undefined && prev !== undefined) throw inputError('prev', 'give one of next and prev')
  const word = next ?? prev
  if (word === undefined) return { limit: limit ?? defaultLimit, offset: 0 }
  const offset = /^from (\d{1,9})$/.exec(Buffer.from(word, 'base64url').toString())?.[1]
  if (offset === undefined)
    throw inputError(next === undefined ? 'prev' : 'next', `"${word}" is not a cursor of this query`)
  return { limit: limit ?? defaultLimit, offset: Number(offset) }
}

/** How many rows to read: one more than shown, to know whether there are others. */
export function reading({ limit, offset }: RowsAsked): RowsAsked {
  return { limit: limit + 1, offset }
}

/** The rows to show, and the words for the pages beside them; without `next` there are no more. */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, offset }: RowsAsked,
): { shown: Row[]; around: { next?: string; prev?: string } } {
  const word = (from: number) => Buffer.from(`from ${from}`).toString('base64url')
  return {
    shown: rows.slice(0, limit),
    around: {
      ...(rows.length > limit && { next: word(offset + limit) }),
      ...(offset > 0 && { prev: word(Math.max(0, offset - limit)) }),
    },
  }
}
