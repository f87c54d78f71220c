/** "Today", "Yesterday", "Monday" within six days, then "5 March", with the year when it is another. */
export function dayName(language: string, day: Date, today: Date): string {
  return capital(language, dayWithin(language, day, today))
}

/** The same within a sentence: "yesterday". */
export function dayWithin(language: string, day: Date, today: Date): string {
  const days = calendarDays(day, today)
  if (days === 0 || days === 1) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-days, 'day')
  if (days > 1 && days <= 6) return format(language, day, { weekday: 'long' })
  const year = day.getFullYear() === today.getFullYear() ? undefined : 'numeric'
  return format(language, day, { day: 'numeric', month: 'long', year })
}

function format(language: string, day: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(language, options).format(day)
}

/** A name that stands alone begins like a sentence. */
function capital(language: string, text: string): string {
  const [first = '', ...rest] = new Intl.Segmenter(language).segment(text)
  const letter = typeof first === 'string' ? first : first.segment
  return letter.toLocaleUpperCase(language) + rest.map(({ segment }) => segment).join('')
}

/** The viewer's calendar day, as a date field has it: an ISO time would be the day in Greenwich. */
export function isoDay(day: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}

/** In the viewer's zone; negative for days to come. */
function calendarDays(from: Date, to: Date): number {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}
