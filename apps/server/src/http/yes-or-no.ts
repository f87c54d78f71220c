import { inputError } from '../chat-error.ts'

/**
 * Whether an address says yes; one that says nothing says no. Programs write it as their language does: `true`, `True`
 * or `1`.
 *
 * @throws ChatError InputError (4) — it says something else
 */
export function isTrue(field: string, text: string | undefined): boolean {
  if (text === undefined || /^(false|f|0|)$/i.test(text)) return false
  if (/^(true|t|1)$/i.test(text)) return true
  throw inputError(field, `${field} must be true or false`)
}
