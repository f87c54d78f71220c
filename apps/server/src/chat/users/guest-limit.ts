import { ChatError } from '../../platform/chat-error.ts'
import type { Clock } from '../../platform/clock.ts'
import { networkOf } from '../../platform/http/trusted-proxies.ts'

const MINUTE_MS = 60_000
/** Maximum networks counted separately per minute; all further ones share one counter. */
const NETWORKS_MAX = 20_000

/**
 * Limits how many guests one network creates per minute: each is a permanent user without any authentication [SET-6].
 */
export class GuestLimit {
  #clock: Clock
  #perMinute: number | undefined
  #minute = 0
  #made = new Map<string, number>()

  /** @param perMinute  undefined for no limit, 0 to refuse all guests */
  constructor(clock: Clock, perMinute: number | undefined) {
    this.#clock = clock
    this.#perMinute = perMinute
  }

  /** @throws ChatError NotAllowedError (17) — guests are disabled; RateLimitError (9) — too many from this network */
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
