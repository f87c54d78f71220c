import { type Clock, pause } from '../clock.ts'

/**
 * Graceful shutdown. The server first reports itself unhealthy to the load balancer, and keeps answering until that has
 * noticed; then it closes its clients' connections.
 */
export class Drain {
  #clock: Clock
  #ms: number
  #hurried = new AbortController()
  #isBegun = false
  /** @param ms  time for the load balancer to notice, and the same again to close the clients */
  constructor(clock: Clock, ms: number) {
    this.#clock = clock
    this.#ms = ms
  }

  /** Nothing more should be sent here. */
  get isBegun(): boolean {
    return this.#isBegun
  }

  /** @param letGo asks the clients to go, spread over a time */
  async begin(letGo: (ms: number, hurried: AbortSignal) => Promise<void>) {
    this.#isBegun = true
    const { signal } = this.#hurried
    if (this.#ms === 0) return
    await pause(this.#clock, this.#ms, signal)
    await letGo(this.#ms, signal)
  }

  hurry() {
    this.#hurried.abort()
  }
}
