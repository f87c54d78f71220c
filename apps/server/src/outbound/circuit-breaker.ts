import type { Clock } from '../clock.ts'

/** Who failed this often in a row is left alone for a while, and then tried once. */
const FAILURES = 10
const PAUSE_MS = 30_000

/** Knows which of other people's servers are worth asking at this moment. */
export class CircuitBreaker {
  #clock: Clock
  /** Failures in a row, and until when nobody asks. */
  #failing = new Map<string, { failures: number; until: number }>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether it may be asked now. After a pause one may, and whoever comes while that one tries may not. */
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
