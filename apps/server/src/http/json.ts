import { ChatError } from '../chat-error.ts'

/** Text that databases and sockets cannot carry: NUL, and halves of surrogate pairs. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])|\\ufff[ef]/

/**
 * Parses JSON from outside. NUL and lone surrogates in it, which PostgreSQL refuses, are dropped.
 *
 * @throws ChatError InputError (4) — it is not JSON
 */
export function parseJson(text: string, name: string): unknown {
  try {
    const value = JSON.parse(text)
    return SUSPECT.test(text) || !text.isWellFormed() || text.includes('\0') ? cleaned(value) : value
  } catch (cause) {
    throw new ChatError('InputError', `${name} is not valid JSON`, { cause, fields: { [name]: 'is not valid JSON' } })
  }
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const result = {}
  for (const [key, item] of Object.entries(value))
    Object.defineProperty(result, cleaned(key) as string, {
      value: cleaned(item),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return result
}
