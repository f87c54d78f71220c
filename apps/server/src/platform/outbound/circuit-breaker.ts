import type { Clock } from '../clock.ts'

/** After this many failures in a row a server is not called for a while, and then tried once. */
const FAILURES = 10
const PAUSE_MS = 30_000

/** Circuit breaker for outbound calls: a target that keeps failing gets no calls for a while. */
export class CircuitBreaker {
  #clock: Clock
  /** Failures in a row, and until when no calls are allowed. */
  #failing = new Map<string, { failures: number; until: number }>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether a call is allowed now. After a pause one is, and no other while that one is under way. */
  allowsCall(who: string): boolean {
    const failing = this.#failing.get(who)
    const now = this.#clock.elapsed()
    if (!failing) return true
    if (failing.until > now) return false
    if (failing.failures >= FAILURES) failing.until = now + PAUSE_MS
    return true
  }

  answered(who: string) {
    this.#failing.delete(who)
  }

  failed(who: string) {
    const failures = (this.#failing.get(who)?.failures ?? 0) + 1
    this.#failing.set(who, { failures, until: failures >= FAILURES ? this.#clock.elapsed() + PAUSE_MS : 0 })
  }
}
