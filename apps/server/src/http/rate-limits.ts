import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'

const WINDOW_SECONDS = 60
/** What the headers say where no limit is set [SET-5]. */
const UNLIMITED = 10_000

export interface RateState {
  limit: number
  remaining: number
  /** Unix seconds when the window ends. */
  reset: number
  /** Seconds until then. */
  wait: number
}

/** Calls per app, endpoint and platform in one-minute windows [messaging.md 1.8]. Off by default. */
export class RateLimits {
  #clock: Clock
  #limit: number
  #window = 0
  #counts = new Map<string, number>()
  /** @param limit calls per minute and endpoint; 0 is no limit */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock
    this.#limit = limit
  }

  count(app: string, endpoint: string, platform: string): RateState {
    const window = Math.floor(this.#clock.now() / 1000 / WINDOW_SECONDS)
    if (window !== this.#window) {
      this.#window = window
      this.#counts.clear()
    }
    const key = `${app}|${endpoint}|${platform}`
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return this.#state(count)
  }

  /** What is left to a caller of whom nothing is known. */
  untouched(): RateState {
    return this.#state(0)
  }

  /** @throws ChatError RateLimitError (9) */
  check(app: string, endpoint: string, platform: string) {
    if (this.#limit === 0 || (this.#counts.get(`${app}|${endpoint}|${platform}`) ?? 0) <= this.#limit) return
    throw new ChatError('RateLimitError', `Too many requests: ${this.#limit} a minute are allowed`)
  }

  #state(count: number): RateState {
    const now = Math.floor(this.#clock.now() / 1000)
    const reset = (Math.floor(now / WINDOW_SECONDS) + 1) * WINDOW_SECONDS
    const limit = this.#limit || UNLIMITED
    return { limit, remaining: Math.max(0, limit - count), reset, wait: reset - now }
  }
}

/** Which counter a call falls under, from what the client says of itself. */
export function platformOf(client: string | undefined, isServer: boolean): string {
  if (isServer) return 'server'
  if (client?.includes('android')) return 'android'
  return client?.includes('ios') || client?.includes('swift') ? 'ios' : 'web'
}
