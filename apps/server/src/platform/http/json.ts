import { ChatError, inputError } from '../chat-error.ts'
import { isDeeperThan, JSON_DEPTH } from '../depth.ts'

/** Some programs put it before everything they write in UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'

/** A number that may be too big for any number here; JSON.parse makes Infinity of it, and JSON.stringify null. */
const HUGE = /\d\.?[eE]\+?\d{3}|\d{300}/

/** Text that databases and sockets cannot carry: NUL, and halves of surrogate pairs. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/

/**
 * Parses JSON of a caller, also after a byte order mark. Drops NUL and lone surrogates in it, which PostgreSQL refuses.
 *
 * @throws ChatError InputError (4) — it is not JSON, nested too deep, or has a number that none can hold
 */
export function parseJson(text: string, name: string): unknown {
  const value = parsed(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, name)
  // A text this short cannot be nested so deep.
  if (text.length > 2 * JSON_DEPTH && isDeeperThan(JSON_DEPTH, value))
    throw inputError(name, `${name} is nested deeper than ${JSON_DEPTH} levels`)
  if (HUGE.test(text)) checkFinite(value, name)
  return SUSPECT.test(text) || !text.isWellFormed() || text.includes('\0') ? cleaned(value) : value
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ChatError('InputError', `${name} is not valid JSON`, { cause, fields: { [name]: 'is not valid JSON' } })
  }
}

/** @param field  its path, as in other errors: without the name of the whole */
function checkFinite(value: unknown, whole: string, field = '') {
  if (value === Infinity || value === -Infinity)
    throw inputError(field || whole, `${field || whole} is too big a number`)
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) checkFinite(item, whole, field === '' ? key : `${field}.${key}`)
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
