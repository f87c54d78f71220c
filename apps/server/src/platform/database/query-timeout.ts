import { ChatError } from '../chat-error.ts'

/** Timeout of a query that its caller wrote, unless the operator sets another. */
export const QUERY_TIMEOUT_MS = 3_000

/** @param ms  how long it was given */
export function queryTooSlow(ms: number, options?: ErrorOptions): ChatError {
  return new ChatError(
    'RequestTimeoutError',
    `the query takes longer than ${ms} ms; narrow it, for instance by members, or ask for fewer conditions`,
    options,
  )
}
