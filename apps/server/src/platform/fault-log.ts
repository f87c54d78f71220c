import type { Logger } from 'pino'
import type { Clock } from './clock.ts'

/** The same fault is written down once in this time. */
const RETRY_DELAY_MS = 60_000
/** Distinct faults that are counted. */
const KINDS_MAX = 1_000

/**
 * Writes faults down: each kind at once, and while it lasts once a minute, with how often it happened meanwhile. A
 * database that is away fails every call, and a log that fills the disk makes that worse.
 */
export class FaultLog {
  #log: Logger
  #clock: Clock
  #kinds = new Map<string, { at: number; times: number }>()
  constructor(log: Logger, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  report(message: string, error: unknown, fields: Record<string, unknown> = {}) {
    const kind = `${message} ${kindOf(error, fields)}`
    const now = this.#clock.elapsed()
    const known = this.#kinds.get(kind)
    if (known && now - known.at < RETRY_DELAY_MS) {
      known.times += 1
      return
    }
    this.#kinds.delete(kind)
    if (this.#kinds.size >= KINDS_MAX) this.#kinds.delete(this.#kinds.keys().next().value as string)
    this.#kinds.set(kind, { at: now, times: 0 })
    this.#log.error({ ...fields, err: error, ...(known && known.times > 0 && { more: known.times }) }, message)
  }
}

/** A service that is down fails the same way everywhere; a bug is identified by its place in the code. */
function kindOf(error: unknown, fields: Record<string, unknown>): string {
  const { code, name, stack } = (error ?? {}) as { code?: unknown; name?: string; stack?: string }
  if (typeof code === 'string' || typeof code === 'number') return String(code)
  const place = stack?.split('\n').find((line) => line.trimStart().startsWith('at '))
  return `${JSON.stringify(fields)} ${name ?? String(error)} ${place ?? ''}`
}
