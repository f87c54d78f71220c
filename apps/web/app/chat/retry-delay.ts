/**
 * The delay before an unreachable server is tried again; up to twice as long, so that clients do not retry all at once.
 */
const RETRY_DELAY_MS = 5_000

export function retryDelayMs(): number {
  return RETRY_DELAY_MS * (1 + Math.random())
}
