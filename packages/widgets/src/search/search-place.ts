import type { Filter } from '@parley/client'

/** The query, scope and filters of a search. All of it fits into an address. */
export interface SearchPlace extends Wanted {
  text: string
  /** in all channels */
  everywhere: boolean
}

/** The filters. */
export interface Wanted {
  /** id of the sender; any user if left out */
  from?: string
  /** the first day, as `2026-06-03` in the reader's zone; no lower bound if left out */
  since?: string
  /** the last day; no upper bound if left out */
  until?: string
  /** only with files */
  files?: boolean
  /** only mentions of the reader */
  mentions?: boolean
}

/** Two searches with the same key are the same. */
export function keyOf({ text, everywhere, from, since, until, files, mentions }: SearchPlace): string {
  return JSON.stringify([text, everywhere, from, since, until, files, mentions])
}

/** The filters of the request; undefined without any. */
export function filterOf({ from, since, until, files, mentions }: Wanted, me: string | undefined): Filter | undefined {
  const first = since && startOf(since, 0)
  const end = until && startOf(until, 1)
  const filter = {
    ...(from && { 'user.id': from }),
    ...(mentions && { 'mentioned_users.id': { $contains: me } }),
    ...(files && { attachments: { $exists: true } }),
    ...((first || end) && { created_at: { ...(first && { $gte: first }), ...(end && { $lt: end }) } }),
  }
  return Object.keys(filter).length > 0 ? filter : undefined
}

/** Midnight in the reader's zone, so many days after the given day; undefined if it is not a valid day. */
function startOf(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  const start = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, (date ?? Number.NaN) + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
