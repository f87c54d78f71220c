/** Times, lists and numbers the way a language writes them. Formatters are slow to make, so each is made once. */

const made = new Map<string, unknown>()
function once<Formatter>(name: string, make: () => Formatter): Formatter {
  const formatter = (made.get(name) as Formatter | undefined) ?? make()
  made.set(name, formatter)
  return formatter
}

export const dateFormat = (language: string, name: string, options: Intl.DateTimeFormatOptions) =>
  once(`${language} ${name}`, () => new Intl.DateTimeFormat(language, options))

/** "14:05", "2:05 PM" */
export function timeOfDay(language: string, date: Date): string {
  return dateFormat(language, 'time', { timeStyle: 'short' }).format(date)
}

/** Day and time in full, for titles and descriptions. */
export function fullTime(language: string, date: Date): string {
  return dateFormat(language, 'full', { dateStyle: 'full', timeStyle: 'short' }).format(date)
}

/** "3 Jun 2026, 14:05", "Jun 3, 2026, 2:05 PM" */
export function dateAndTime(language: string, date: Date): string {
  return dateFormat(language, 'moment', { dateStyle: 'medium', timeStyle: 'short' }).format(date)
}

/** Short enough for a list row: the time today, "yesterday", the weekday this week, else the date. */
export function rowTime(language: string, date: Date, now: Date): string {
  const days = daysBetween(date, now)
  if (days <= 0) return timeOfDay(language, date)
  if (days === 1) return relative(language).format(-1, 'day')
  if (days < 7) return dateFormat(language, 'weekday', { weekday: 'short' }).format(date)
  if (date.getFullYear() === now.getFullYear())
    return dateFormat(language, 'day', { day: 'numeric', month: 'short' }).format(date)
  return dateFormat(language, 'year', { day: 'numeric', month: 'short', year: 'numeric' }).format(date)
}

/** "5 minutes ago", "yesterday", "3 months ago" */
export function timeAgo(language: string, date: Date, now: Date): string {
  const minutes = Math.round((now.getTime() - date.getTime()) / 60_000)
  if (minutes < 60) return relative(language).format(-Math.max(0, minutes), 'minute')
  if (minutes < 24 * 60) return relative(language).format(-Math.round(minutes / 60), 'hour')
  const days = Math.max(1, daysBetween(date, now))
  if (days < 31) return relative(language).format(-days, 'day')
  if (days < 365) return relative(language).format(-Math.round(days / 30.4), 'month')
  return relative(language).format(-Math.round(days / 365), 'year')
}

/** "Ann, Bob, and Cleo" */
export function listOf(language: string, parts: readonly string[]): string {
  return once(`${language} list`, () => new Intl.ListFormat(language, { type: 'conjunction' })).format(parts)
}

/** "Ann, Bob": facts side by side, for the accessible name of a row. */
export function factsOf(language: string, parts: readonly string[]): string {
  return once(`${language} facts`, () => new Intl.ListFormat(language, { type: 'unit', style: 'short' })).format(parts)
}

/** "42%" of a share from 0 to 1. */
export function percent(language: string, share: number): string {
  return once(`${language} percent`, () => new Intl.NumberFormat(language, { style: 'percent' })).format(share)
}

/** "June 2026" */
export function monthName(language: string, date: Date): string {
  return dateFormat(language, 'month', { month: 'long', year: 'numeric' }).format(date)
}

/** "24 hours", "7 days" */
export function lasting(language: string, count: number, unit: 'second' | 'minute' | 'hour' | 'day'): string {
  const make = () => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' })
  return once(`${language} lasting ${unit}`, make).format(count)
}

/** "0:07", "12:30" */
export function clockTime(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

/** Calendar days between two moments in the viewer's zone; negative for days to come. */
export function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

export function relative(language: string): Intl.RelativeTimeFormat {
  return once(`${language} relative`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
}
