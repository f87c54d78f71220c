import { type Clock, pause } from '../clock.ts'

/**
 * A server that is about to end. First it says so to whoever decides where calls are sent, and goes on answering until
 * they have noticed; then it lets its clients go.
 */
export class Drain {
  #clock: Clock
  #ms: number
  #hurried = new AbortController()
  #isBegun = false
  /** @param ms  how long whoever sends calls may take to notice, and as long again the clients to go */
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
