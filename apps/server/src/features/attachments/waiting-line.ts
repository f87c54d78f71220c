import { ChatError } from '../../platform/chat-error.ts'

/** Limits expensive work: a few run at a time, some wait, and further callers are asked to try again. */
export class WaitingLine {
  #places: number
  #length: number
  #busy = 0
  #waiting: (() => void)[] = []
  /**
   * @param places  how many run at a time
   * @param length  how many may wait
   */
  constructor(places: number, length: number) {
    this.#places = places
    this.#length = length
  }

  get full(): boolean {
    return this.#waiting.length >= this.#length
  }

  /** @throws ChatError RateLimitError (9) — too many are waiting already */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#busy >= this.#places) {
      if (this.full) throw new ChatError('RateLimitError', 'the server is busy with files; try again in a moment')
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else this.#busy += 1
    try {
      return await work()
    } finally {
      // The slot goes to the caller that has waited longest.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy -= 1
    }
  }
}
