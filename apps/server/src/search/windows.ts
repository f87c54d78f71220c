import { DAY_BITS, MONTH_BITS, marks } from '../database/dialect.ts'
import type { Micros } from '../micros.ts'

/** Months looked through at once, after the newest two. */
const MONTHS = 8

/** A stretch of time: its messages carry one of the marks, and are older than those of the stretch before it. */
interface Window {
  marks: string[][]
  before?: Micros
}

/**
 * Stretches of time back to the beginning, each several times as long as the one before. Words that many messages
 * have are found in the first, and words that few have are few in the last.
 *
 * @param until  no message is newer
 */
export function windowsBefore(until: Micros): Window[] {
  const day = Math.floor(until / 2 ** DAY_BITS)
  const month = Math.floor(until / 2 ** MONTH_BITS)
  const months = Array.from({ length: MONTHS }, (_, i) => marks.month(month - 2 - i))
  return [
    // What was said while the channels were looked up may lie in the next day.
    { marks: [[marks.day(day + 1), marks.day(day), marks.day(day - 1)]] },
    { marks: [[marks.month(month), marks.month(month - 1)]], before: (day - 1) * 2 ** DAY_BITS },
    { marks: [months], before: (month - 1) * 2 ** MONTH_BITS },
    { marks: [], before: (month - 1 - MONTHS) * 2 ** MONTH_BITS },
  ]
}
