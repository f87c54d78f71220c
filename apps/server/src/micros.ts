/**
 * Times inside the server are whole microseconds since 1970; on the wire they are RFC 3339 in UTC.
 * @see messaging.md 1.9
 */
export type Micros = number

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/

/** Trailing zeros of the fraction are dropped. */
export function isoOf(at: Micros): string {
  const millis = Math.floor(at / 1000)
  const iso = new Date(millis).toISOString()
  const fraction = String(at - Math.floor(at / 1_000_000) * 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return fraction === '' ? `${iso.slice(0, 19)}Z` : `${iso.slice(0, 20)}${fraction}Z`
}

/** Any offset and precision; undefined for text that is no time. */
export function microsOf(iso: string): Micros | undefined {
  const match = RFC_3339.exec(iso)
  if (!match) return undefined
  const [, date, time, fraction = '', zone] = match
  const seconds = Date.parse(`${date}T${time}${zone}`)
  return Number.isNaN(seconds) ? undefined : seconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}
