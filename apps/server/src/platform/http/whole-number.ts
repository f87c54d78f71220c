import { inputError } from '../chat-error.ts'

/**
 * A number in a query.
 *
 * @throws ChatError InputError (4) — it is no whole number, or out of bounds
 */
export function whole(field: string, text: string | undefined, otherwise: number, min: number, max: number): number {
  const value = text === undefined ? otherwise : Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw inputError(field, `${field} must be a whole number from ${min} to ${max}`)
  return value
}
