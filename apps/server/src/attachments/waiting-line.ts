import { ChatError } from '../chat-error.ts'

/** Work that costs: a few at a time, some in line, and whoever comes after that is asked to try again. */
export class WaitingLine {
  #places: number
  #length: number
  #busy = 0
  #waiting: (() => void)[] = []
  /**
   * @param places  how many work at a time
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
      // The place goes on to whoever has waited longest.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#busy -= 1
    }
  }
}
