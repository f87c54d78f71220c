import type { IncomingMessage, ServerResponse } from 'node:http'

/** Calls that are answered at the same time; at 1,500 calls a second, the next one would wait a third of a second. */
const IN_FLIGHT_MAX = 500
/** Bytes of their bodies together. */
const BODY_BYTES_MAX = 64 * 1_048_576
/** Assumed size of a body without a declared length. */
const UNKNOWN_BODY_BYTES = 65_536
/** How long calls are taken in during one turn of the event loop; those that came with them would wait the longer. */
const TURN_MAX_MS = 100
/** So many may be under way however long a turn takes: one long turn does not mean that too much is asked. */
const IN_FLIGHT_ALWAYS = 300
/** Writes that wait for their commit: one transaction. */
const WRITES_MAX = 500

/** What sheds load, for the operator to turn. */
export interface LoadSheddingSettings {
  /** Calls that are answered at the same time. */
  callsInFlight: number
}

export const CALLS_IN_FLIGHT = IN_FLIGHT_MAX

/**
 * Refuses calls that would have to wait too long, before any work is done for them. A server that accepts all calls
 * answers all late, even those given up long ago, until its memory is full.
 *
 * Three queues are bounded: the calls of one turn of the event loop, those under way, and writes before the commit.
 */
export class LoadShedding {
  #callsMax: number
  #writesWaiting: () => number
  #now: () => number
  #calls = 0
  #bodyBytes = 0
  #turnSince: number | undefined
  #shed = 0

  /**
   * @param writesWaiting  for their commit
   * @param now  in milliseconds
   */
  constructor({ callsInFlight }: LoadSheddingSettings, writesWaiting: () => number, now = () => performance.now()) {
    this.#callsMax = callsInFlight
    this.#writesWaiting = writesWaiting
    this.#now = now
  }

  /** Calls refused since the start. */
  get shed(): number {
    return this.#shed
  }

  /**
   * Whether a call is let in; it counts until its answer is written or its connection gone.
   *
   * @returns false where it is to be refused at once
   */
  admit({ headers }: Pick<IncomingMessage, 'headers'>, answer: Pick<ServerResponse, 'once'>): boolean {
    const bytes = bodyBytesOf(headers)
    if (this.#isOverloaded(bytes)) {
      this.#shed += 1
      return false
    }
    this.#calls += 1
    this.#bodyBytes += bytes
    answer.once('close', () => {
      this.#calls -= 1
      this.#bodyBytes -= bytes
    })
    return true
  }

  #isOverloaded(bytes: number): boolean {
    const now = this.#now()
    if (this.#turnSince === undefined) {
      this.#turnSince = now
      // After all that has come in at once, and before what comes next is looked at.
      setImmediate(() => {
        this.#turnSince = undefined
      })
    }
    return (
      (now - this.#turnSince > TURN_MAX_MS && this.#calls >= Math.min(IN_FLIGHT_ALWAYS, this.#callsMax)) ||
      this.#calls >= this.#callsMax ||
      (this.#bodyBytes > 0 && this.#bodyBytes + bytes > BODY_BYTES_MAX) ||
      this.#writesWaiting() >= WRITES_MAX
    )
  }
}

function bodyBytesOf({ 'content-length': length, 'transfer-encoding': encoding }: IncomingMessage['headers']): number {
  if (encoding !== undefined) return UNKNOWN_BODY_BYTES
  return Number(length) || 0
}
