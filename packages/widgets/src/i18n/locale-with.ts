/** The hour cycle: `h12` begins again at noon, `h23` does not. */
export type Hours = 'h12' | 'h23'

/**
 * The language with its hour cycle, as an `Intl` locale, and with the country of the browser: times in Britain differ
 * from those in the USA. A server does not know the reader's country; Node's `navigator` has its own.
 */
export function localeWith(language: string, hours?: Hours): string {
  const accepted = typeof window === 'undefined' ? [] : navigator.languages
  const spoken = accepted.find((one) => one.split('-', 1)[0] === language) ?? language
  return hours ? `${spoken}-u-hc-${hours}` : spoken
}
