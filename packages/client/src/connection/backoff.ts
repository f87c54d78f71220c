import { BACKOFF_CAP_MS } from '@parley/protocol/limits'
import { BACKOFF_BASE_MS, BACKOFF_PER_TRY_MS } from '../limits.ts'

/** The shortest and the longest wait before attempt `n` (1, 2, …), in milliseconds [CON-8, CON-22]. */
export function backoffRange(n: number): { ms: number; upToMs: number } {
  return {
    ms: Math.min(BACKOFF_PER_TRY_MS * n, BACKOFF_CAP_MS),
    upToMs: Math.min(BACKOFF_BASE_MS * 2 ** n, BACKOFF_CAP_MS),
  }
}

/** A random time in the range, so that clients do not reconnect all at once [CON-7]. */
export function spread({ ms, upToMs }: { ms: number; upToMs: number }, random: () => number): number {
  return Math.round(ms + (upToMs - ms) * random())
}
