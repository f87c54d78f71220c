/** Times in a row of a list; the other formats of times, lists and numbers are in `format.ts`. */

const made = new Map<string, unknown>()

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

/** "14:05", "2:05 PM" */
export function timeOfDay(language: string, date: Date): string {
  return dateFormat(language, 'time', { timeStyle: 'short' }).format(date)
}

/** Day and time in full, for titles and descriptions. */
export function fullTime(language: string, date: Date): string {
  return dateFormat(language, 'full', { dateStyle: 'full', timeStyle: 'short' }).format(date)
}

/** Calendar days between two times in the viewer's zone; negative for days to come. */
export function daysBetween(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

export const dateFormat = (language: string, name: string, options: Intl.DateTimeFormatOptions) =>
  once(`${language} ${name}`, () => new Intl.DateTimeFormat(language, options))

export function relative(language: string): Intl.RelativeTimeFormat {
  return once(`${language} relative`, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
}

/** Formatters are slow to create, so each is created once. */
export function once<Formatter>(name: string, make: () => Formatter): Formatter {
  const formatter = (made.get(name) as Formatter | undefined) ?? make()
  made.set(name, formatter)
  return formatter
}
