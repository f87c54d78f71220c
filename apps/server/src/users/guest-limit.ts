import { ChatError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import { networkOf } from '../http/trusted-proxies.ts'

const MINUTE_MS = 60_000
/** Networks counted at once; where more come in one minute, it is all of them together that are let in. */
const NETWORKS_MAX = 20_000

/** Bounds how many guests one network makes in a minute: each is a user for good, and nobody asks who they are [SET-6]. */
export class GuestLimit {
  #clock: Clock
  #perMinute: number | undefined
  #minute = 0
  #made = new Map<string, number>()

  /** @param perMinute  undefined for any number, 0 for none */
  constructor(clock: Clock, perMinute: number | undefined) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** @throws ChatError NotAllowedError (17) — no guests are let in; RateLimitError (9) — too many came from there */
  take(address: string | undefined) {
    if (this.#perMinute === undefined) return
    if (this.#perMinute === 0) throw new ChatError('NotAllowedError', 'guests are not welcome on this server')
    const minute = Math.floor(this.#clock.now() / MINUTE_MS)
    if (minute !== this.#minute) {
      this.#minute = minute
      this.#made.clear()
    }
    const network = networkOf(address ?? '')
    const place = this.#made.has(network) || this.#made.size < NETWORKS_MAX ? network : ''
    const made = this.#made.get(place) ?? 0
    if (made >= this.#perMinute)
      throw new ChatError(
        'RateLimitError',
        `Too many requests: one network may bring ${this.#perMinute} guests a minute`,
        {
          retryAfterSeconds: Math.ceil(((minute + 1) * MINUTE_MS - this.#clock.now()) / 1_000),
        },
      )
    this.#made.set(place, made + 1)
  }
}
