import { inputError } from '../chat-error.ts'

/**
 * Whether a query parameter is true; an absent one is false. Programs write it as their language does: `true`, `True`
 * or `1`.
 *
 * @throws ChatError InputError (4) — another value
 */
export function isTrue(field: string, text: string | undefined): boolean {
  if (text === undefined || /^(false|f|0|)$/i.test(text)) return false
  if (/^(true|t|1)$/i.test(text)) return true
  throw inputError(field, `${field} must be true or false`)
}
