/** Lists, which may also be written as several parameters, with or without brackets [HTTP-27]. */
const LIST = /^(ids|endpoints)(\[\d*\])?$/

/**
 * Parses a query string: of a repeated parameter the last one counts, unless it is a list; an empty one counts as
 * absent, and NUL is dropped.
 */
export function queryOf(text: string): Record<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    const list = LIST.exec(name)?.[1]
    const before = list && values.get(list)
    values.set(list ?? name, before ? `${before},${withoutNul(value)}` : withoutNul(value))
  }
  return Object.fromEntries([...values].filter(([, value]) => value !== ''))
}

/** PostgreSQL refuses NUL; it is dropped from addresses as from bodies. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
