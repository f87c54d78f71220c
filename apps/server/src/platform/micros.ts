/**
 * Times inside the server are whole microseconds since 1970; on the wire they are RFC 3339 in UTC.
 * @see messaging.md 1.9
 */
export type Micros = number

/** RFC 3339, and what some languages make of it: an offset without its colon, or none [HTTP-26]. */
const TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-]\d{2}):?(\d{2}))?$/

/** The second whose text was made last: neighbours in a list mostly share it. */
let lastSecond = { second: -1, text: '' }

/** Trailing zeros of the fraction are dropped. */
export function isoOf(at: Micros): string {
  const second = Math.floor(at / 1_000_000)
  if (second !== lastSecond.second) lastSecond = { second, text: new Date(second * 1000).toISOString().slice(0, 19) }
  const micros = at - second * 1_000_000
  if (micros === 0) return `${lastSecond.text}Z`
  const digits = String(micros).padStart(6, '0')
  let end = 6
  while (digits[end - 1] === '0') end -= 1
  return `${lastSecond.text}.${digits.slice(0, end)}Z`
}

/**
 * Any offset and precision, UTC without one; undefined for text that is no time, such as 30 February or 24 o'clock. What
 * no number can hold is as far away as one can. The only parser of times here: schemas check with it, too.
 */
export function microsOf(iso: string): Micros | undefined {
  const match = TIME.exec(iso)
  if (!match) return undefined
  const [, date, time, fraction = '', hours = '+00', minutes = '00'] = match
  const seconds = Date.parse(`${date}T${time}${hours}:${minutes}`)
  if (Number.isNaN(seconds) || !isOnCalendar(`${date}T${time}`)) return undefined
  const micros = seconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(micros, Number.MAX_SAFE_INTEGER))
}

/** `Date.parse` makes 1 March of 30 February, and the next day of 24 o'clock. */
function isOnCalendar(local: string): boolean {
  return new Date(Date.parse(`${local}Z`)).toISOString().startsWith(local)
}
