import type { Logger } from 'pino'

/** More than an operator can look at; of those that fail beyond, each failure is written down. */
const OUTAGES_MAX = 10_000

/**
 * Logs once when another server begins to fail, and once when it answers again, however often it is called meanwhile.
 */
export class Outages {
  #log: Logger
  #failing = new Map<string, number>()
  constructor(log: Logger) {
    this.#log = log
  }

  /** @param who what is asked: the same text for each call of it */
  failed(who: string, fields: Record<string, unknown>, message: string) {
    const times = this.#failing.get(who) ?? 0
    if (times === 0) this.#log.warn(fields, `${message}; it is said again when that is over`)
    if (times > 0 || this.#failing.size < OUTAGES_MAX) this.#failing.set(who, times + 1)
  }

  answered(who: string, fields: Record<string, unknown>, message: string) {
    const times = this.#failing.get(who)
    if (times === undefined) return
    this.#failing.delete(who)
    this.#log.info({ ...fields, failed: times }, message)
  }
}
