/**
 * Every test of the kit happens on one day, for itself and for its pages: what is told of today, of yesterday and of the
 * hour is the same in the evening and at the turn of a year. Time goes on from there as it does on the machine.
 */

/** In local time, which is that of the pages as well: a Wednesday, and no night in which clocks are changed is near. */
const MORNING = new Date(2026, 5, 10, 10)

/**
 * How far the day is from that of the machine; `TEST_DAY=machine` has none of it, to see what becomes of the tests, and of
 * the kit, on the days to which a machine is set.
 */
export const dayShiftMs: number = process.env.TEST_DAY === 'machine' ? 0 : sinceMachine()

/** Found out once in a worker, before its date is moved. */
function sinceMachine() {
  const worker = globalThis as { dayShiftMs?: number }
  worker.dayShiftMs ??= MORNING.getTime() - Date.now()
  return worker.dayShiftMs
}
