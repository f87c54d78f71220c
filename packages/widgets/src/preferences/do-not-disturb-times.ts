import { dateAndTime } from '../i18n/format.ts'
import { dateFormat, daysBetween, timeOfDay } from '../i18n/row-time.ts'
import { HOUR_MS, MORNING_HOUR, NIGHT_ENDS_HOUR } from '../limits.ts'

export const inAnHour = (now: Date) => new Date(now.getTime() + HOUR_MS)

/** For a user who is awake at two, the next morning is that of the same day. */
export function nextMorning(now: Date): Date {
  const morning = new Date(now)
  if (now.getHours() >= NIGHT_ENDS_HOUR) morning.setDate(now.getDate() + 1)
  morning.setHours(MORNING_HOUR, 0, 0, 0)
  return morning
}

/** "2:05 PM", "Thu, 8:00 AM", "Dec 24, 2026, 8:00 AM" */
export function endOf(locale: string, end: Date, now: Date): string {
  const days = daysBetween(now, end)
  if (days <= 0) return timeOfDay(locale, end)
  if (days >= 7) return dateAndTime(locale, end)
  return dateFormat(locale, 'day and time', { weekday: 'short', hour: 'numeric', minute: '2-digit' }).format(end)
}

/** A time as a date and time field expects it, in the reader's zone. */
export function asField(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
