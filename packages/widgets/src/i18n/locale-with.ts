/** How hours are counted: `h12` begins again at noon, `h23` does not. */
export type Hours = 'h12' | 'h23'

/**
 * The language with its hours, as `Intl` reads it, and with the country that the browser names: somebody in Britain
 * does not read times as people in the USA do.
 */
export function localeWith(language: string, hours?: Hours): string {
  const spoken = navigator.languages.find((one) => one.split('-', 1)[0] === language) ?? language
  return hours ? `${spoken}-u-hc-${hours}` : spoken
}
