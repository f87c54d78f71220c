/**
 * Every test of the kit runs on one fixed day, in the test and in its pages, so that texts for today, yesterday and the
 * hour are the same in the evening and at the turn of a year. Time runs on from there as on the machine.
 */

/** In local time, which is that of the pages as well: a Wednesday, with no change of daylight saving time near. */
export const MORNING = new Date(2026, 5, 10, 10)

/**
 * The difference to the day of the machine; `TEST_DAY=machine` removes it, to run the tests, and the kit, on other
 * days.
 */
export const dayShiftMs: number = process.env.TEST_DAY === 'machine' ? 0 : sinceMachine()

/** Determined once in a worker, before its date is moved. */
function sinceMachine() {
  const worker = globalThis as { dayShiftMs?: number }
  worker.dayShiftMs ??= MORNING.getTime() - Date.now()
  return worker.dayShiftMs
}
