import { DAY_BITS, MONTH_BITS, marks } from '../../platform/database/dialect.ts'
import type { Micros } from '../../platform/micros.ts'

/** At most so many month marks per search; more of them are slower than the terms alone. */
const MONTHS = 3
/** Searches a larger window than the hit rate suggests, since topics change. */
const RESERVE = 1.5

/** A time window: its messages carry one of the marks, and are older than those of the previous window. */
interface Window {
  marks: string[][]
  before?: Micros
}

/** How many matches a window had, and how many are still needed. */
interface Harvest {
  found: number
  wanted: number
}

/**
 * Time windows back to the beginning, each several times as long as the one before. Frequent terms fill the page in the
 * first windows, and rare terms have few matches in any window.
 *
 * @param until  no message is newer
 */
export function* windowsBefore(until: Micros): Generator<Window, void, Harvest> {
  const day = Math.floor(until / 2 ** DAY_BITS)
  const month = Math.floor(until / 2 ** MONTH_BITS)
  // Messages sent while the channels were read may be of the next day.
  yield { marks: [[marks.day(day + 1), marks.day(day), marks.day(day - 1)]] }
  const recent = [marks.month(month), marks.month(month - 1)]
  const { found, wanted } = yield { marks: [recent], before: (day - 1) * 2 ** DAY_BITS }
  const months = Math.ceil((wanted / found) * recent.length * RESERVE)
  const isFew = months <= MONTHS
  const older = Array.from({ length: isFew ? months : 0 }, (_, i) => marks.month(month - 2 - i))
  if (isFew) yield { marks: [older], before: (month - 1) * 2 ** MONTH_BITS }
  yield { marks: [], before: (month - 1 - older.length) * 2 ** MONTH_BITS }
}
