import type { Clock } from '../clock.ts'

/** After a look that failed. */
const RETRY_DELAY_MS = 1_000

/** Looks for what has passed this node by until a look succeeds that began after the last news of a loss. */
export class Resync {
  #clock: Clock
  #look: () => Promise<unknown>
  #failed: (error: unknown) => void
  #at: 'rest' | 'looking' | 'looking, and behind again' | 'waiting' | 'closed' = 'rest'
  constructor(clock: Clock, look: () => Promise<unknown>, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#look = look
    this.#failed = failed
  }

  /** Something may have passed this node by. */
  begin() {
    if (this.#at === 'looking') this.#at = 'looking, and behind again'
    else if (this.#at === 'rest') void this.#lookNow()
  }

  close() {
    this.#at = 'closed'
  }

  async #lookNow() {
    if (this.#at === 'closed') return
    this.#at = 'looking'
    const caughtUp = await this.#look().then(
      () => true,
      (error: unknown) => {
        this.#failed(error)
        return false
      },
    )
    if (this.#is('closed')) return
    if (caughtUp && this.#is('looking')) {
      this.#at = 'rest'
      return
    }
    this.#at = 'waiting'
    this.#clock.after(RETRY_DELAY_MS, () => void this.#lookNow())
  }

  #is(at: string) {
    return this.#at === at
  }
}
