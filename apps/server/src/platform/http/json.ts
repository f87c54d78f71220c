import { ChatError, inputError } from '../chat-error.ts'
import { isDeeperThan, JSON_DEPTH } from '../depth.ts'

/** Text that databases and sockets cannot carry: NUL, and halves of surrogate pairs. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/

/**
 * Parses JSON of a caller. Drops NUL and lone surrogates in it, which PostgreSQL refuses.
 *
 * @throws ChatError InputError (4) — it is not JSON, or nested too deep
 */
export function parseJson(text: string, name: string): unknown {
  const value = parsed(text, name)
  // A text this short cannot be nested so deep.
  if (text.length > 2 * JSON_DEPTH && isDeeperThan(JSON_DEPTH, value))
    throw inputError(name, `${name} is nested deeper than ${JSON_DEPTH} levels`)
  return SUSPECT.test(text) || !text.isWellFormed() || text.includes('\0') ? cleaned(value) : value
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
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
