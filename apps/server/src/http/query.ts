/**
 * What an address asks: of a parameter given twice the last one counts, one that is empty says nothing, and NUL is
 * dropped.
 */
export function queryOf(text: string): Record<string, string> {
  const said = [...new Map(new URLSearchParams(text))].map(([name, value]) => [name, withoutNul(value)] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== ''))
}

/** PostgreSQL refuses NUL; it is dropped from addresses as from bodies. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
