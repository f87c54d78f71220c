import { shiftDate } from '../../../../scripts/shift-date.ts'
import { dayShiftMs } from './working-day.ts'

// Once in a worker, which keeps the setting from file to file.
const set = globalThis as { isDaySet?: boolean }
if (!set.isDaySet) shiftDate(dayShiftMs)
set.isDaySet = true
