import type { Filter } from '@parley/client'

/** What is searched for, where, and what of it is wanted. All of it fits into an address. */
export interface SearchPlace extends Wanted {
  text: string
  /** in all channels */
  everywhere: boolean
}

/** What of all that has these words is wanted. */
export interface Wanted {
  /** id of whoever said it; anybody when left out */
  from?: string
  /** the first day, as `2026-06-03` in the reader's zone; without a beginning when left out */
  since?: string
  /** the last day; without an end when left out */
  until?: string
  /** with files alone */
  files?: boolean
  /** what mentions the reader alone */
  mentions?: boolean
}

/** Two places with the same key are the same. */
export function keyOf({ text, everywhere, from, since, until, files, mentions }: SearchPlace): string {
  return JSON.stringify([text, everywhere, from, since, until, files, mentions])
}

/** What the server is asked for besides the words; undefined where everything is wanted. */
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

/** Midnight in the reader's zone, so many days after the day named; undefined when it names none. */
function startOf(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  const start = new Date(year ?? Number.NaN, (month ?? Number.NaN) - 1, (date ?? Number.NaN) + later)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}
