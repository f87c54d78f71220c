import { dateFormat, daysBetween, relative } from '../i18n/row-time.ts'

/** "Today", "Yesterday", "Monday" within six days, then "5 March", with the year when it is another. */
export function dayName(language: string, day: Date, today: Date): string {
  return capital(language, dayWithin(language, day, today))
}

/** The same within a sentence: "yesterday". */
export function dayWithin(language: string, day: Date, today: Date): string {
  const days = daysBetween(day, today)
  if (days === 0 || days === 1) return relative(language).format(-days, 'day')
  if (days > 1 && days <= 6) return dateFormat(language, 'long weekday', { weekday: 'long' }).format(day)
  const year = day.getFullYear() === today.getFullYear() ? undefined : 'numeric'
  return dateFormat(language, `long day ${year}`, { day: 'numeric', month: 'long', year }).format(day)
}

/** A name on its own is capitalised like a sentence. */
function capital(language: string, text: string): string {
  const [first = ''] = text
  return first.toLocaleUpperCase(language) + text.slice(first.length)
}

/** The viewer's calendar day in the format of a date field: an ISO time would give the day in UTC. */
export function isoDay(day: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
