/**
 * The delay before an unreachable server is tried again; up to twice as long, so that clients do not retry all at once.
 */
const AGAIN_MS = 5_000

export function againMs(): number {
  return AGAIN_MS * (1 + Math.random())
}
