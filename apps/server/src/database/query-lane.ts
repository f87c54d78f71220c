import { ChatError } from '../chat-error.ts'

/** Queries that wait, of all callers. */
const WAITING_MAX = 200
/** Queries of one user that run or wait: a page asks for two or three at once. An app's server asks for all its users. */
const PER_USER_MAX = 4
const PER_SERVER_MAX = 100
/** No query waits longer than this for its turn. */
const WAIT_MAX_MS = 4_000
/** When to come again. */
const RETRY_AFTER_SECONDS = 2

/** Whose turn a query takes. */
export interface Asker {
  /** Of a user, or of an app's server. */
  name: string
  isServer: boolean
}

interface Waiting {
  start: () => void
  timer: NodeJS.Timeout
}

/**
 * Admission control for queries whose cost their callers decide. A few run at a time; the others wait in a bounded
 * queue, callers in turn, so that one who asks for much is a neighbour and not a queue for everybody.
 */
export class QueryLane {
  #running = 0
  #max: number
  #waitMaxMs: number
  /** By caller; the caller who was served last comes last. */
  #waiting = new Map<string, Waiting[]>()
  #waitingCount = 0
  #perCaller = new Map<string, number>()

  /** @param max  how many run at a time */
  constructor(max: number, waitMaxMs = WAIT_MAX_MS) {
    this.#max = max
    this.#waitMaxMs = waitMaxMs
  }

  /**
   * Runs a query when it is its turn.
   *
   * @throws ChatError RateLimitError (9) — too many of this caller, or of all, wait, or its turn did not come in time
   */
  async run<Result>({ name: caller, isServer }: Asker, query: () => Promise<Result>): Promise<Result> {
    const own = this.#perCaller.get(caller) ?? 0
    if (own >= (isServer ? PER_SERVER_MAX : PER_USER_MAX)) throw refused('wait for the answers to your other queries')
    this.#perCaller.set(caller, own + 1)
    try {
      if (this.#running >= this.#max) await this.#turnOf(caller)
      else this.#running += 1
      try {
        return await query()
      } finally {
        this.#next()
      }
    } finally {
      const left = this.#perCaller.get(caller)! - 1
      if (left === 0) this.#perCaller.delete(caller)
      else this.#perCaller.set(caller, left)
    }
  }

  #turnOf(caller: string): Promise<void> {
    if (this.#waitingCount >= WAITING_MAX) throw refused('too many queries wait for their turn')
    return new Promise((start, reject) => {
      const queue = this.#waiting.get(caller) ?? []
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        if (queue.length === 0) this.#waiting.delete(caller)
        this.#waitingCount -= 1
        reject(refused('the server is busy with other queries'))
      }, this.#waitMaxMs)
      const waiting = { start, timer }
      queue.push(waiting)
      this.#waiting.set(caller, queue)
      this.#waitingCount += 1
    })
  }

  /** Hands the place of a query that ended to the next caller. */
  #next() {
    const [next] = this.#waiting
    if (!next) {
      this.#running -= 1
      return
    }
    const [caller, queue] = next
    const { start, timer } = queue.shift()!
    this.#waitingCount -= 1
    this.#waiting.delete(caller)
    if (queue.length > 0) this.#waiting.set(caller, queue)
    clearTimeout(timer)
    start()
  }
}

function refused(why: string) {
  return new ChatError('RateLimitError', `Too many requests: ${why}`, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
