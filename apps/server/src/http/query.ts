/** Lists, which may also be written as several parameters, with or without brackets [HTTP-27]. */
const LIST = /^(ids|endpoints)(\[\d*\])?$/

/**
 * What an address asks: of a parameter given twice the last one counts, unless it is a list; one that is empty says
 * nothing, and NUL is dropped.
 */
export function queryOf(text: string): Record<string, string> {
  const said = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    const list = LIST.exec(name)?.[1]
    const before = list && said.get(list)
    said.set(list ?? name, before ? `${before},${withoutNul(value)}` : withoutNul(value))
  }
  return Object.fromEntries([...said].filter(([, value]) => value !== ''))
}

/** PostgreSQL refuses NUL; it is dropped from addresses as from bodies. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
