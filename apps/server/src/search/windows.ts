import { DAY_BITS, MONTH_BITS, marks } from '../database/dialect.ts'
import type { Micros } from '../micros.ts'

/** The marks of at most so many months are looked for; more of them take longer than the words alone. */
const MONTHS = 3
/** More is looked through than was needed before for as many: what people speak of changes. */
const RESERVE = 1.5

/** A stretch of time: its messages carry one of the marks, and are older than those of the stretch before it. */
interface Window {
  marks: string[][]
  before?: Micros
}

/** How many were found in a stretch, and how many are still wanted. */
interface Harvest {
  found: number
  wanted: number
}

/**
 * Stretches of time back to the beginning, each several times as long as the one before. Words that many messages
 * have are found in the first ones, and words that few have are few in all of it.
 *
 * @param until  no message is newer
 */
export function* windowsBefore(until: Micros): Generator<Window, void, Harvest> {
  const day = Math.floor(until / 2 ** DAY_BITS)
  const month = Math.floor(until / 2 ** MONTH_BITS)
  // What was said while the channels were looked up may lie in the next day.
  yield { marks: [[marks.day(day + 1), marks.day(day), marks.day(day - 1)]] }
  const recent = [marks.month(month), marks.month(month - 1)]
  const { found, wanted } = yield { marks: [recent], before: (day - 1) * 2 ** DAY_BITS }
  const months = Math.ceil((wanted / found) * recent.length * RESERVE)
  const isFew = months <= MONTHS
  const older = Array.from({ length: isFew ? months : 0 }, (_, i) => marks.month(month - 2 - i))
  if (isFew) yield { marks: [older], before: (month - 1) * 2 ** MONTH_BITS }
  yield { marks: [], before: (month - 1 - older.length) * 2 ** MONTH_BITS }
}
