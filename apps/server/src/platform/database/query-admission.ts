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

/** What a caller has under way. */
interface Caller {
  isServer: boolean
  running: number
  waiting: Waiting[]
}

/**
 * Admission control for queries whose cost their callers decide. A few run at a time, one per user; the others wait in
 * a bounded queue, callers in turn, so that an expensive caller does not block the others.
 */
export class QueryAdmission {
  #running = 0
  #waiting = 0
  #max: number
  #waitMaxMs: number
  /** Those with something under way; the one who was served last comes last. */
  #callers = new Map<string, Caller>()

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
  async run<Result>({ name, isServer }: Asker, query: () => Promise<Result>): Promise<Result> {
    const caller = this.#callers.get(name) ?? { isServer, running: 0, waiting: [] }
    if (caller.running + caller.waiting.length >= (isServer ? PER_SERVER_MAX : PER_USER_MAX))
      throw refused('wait for the answers to your other queries')
    this.#callers.set(name, caller)
    try {
      if (this.#running < this.#max && mayStart(caller)) this.#start(name, caller)
      else await this.#turnOf(caller)
      try {
        return await query()
      } finally {
        this.#running -= 1
        caller.running -= 1
        this.#startNext()
      }
    } finally {
      if (caller.running + caller.waiting.length === 0) this.#callers.delete(name)
    }
  }

  #turnOf(caller: Caller): Promise<void> {
    if (this.#waiting >= WAITING_MAX) throw refused('too many queries wait for their turn')
    return new Promise((start, reject) => {
      const timer = setTimeout(() => {
        caller.waiting.splice(caller.waiting.indexOf(waiting), 1)
        this.#waiting -= 1
        reject(refused('the server is busy with other queries'))
      }, this.#waitMaxMs)
      const waiting = { start, timer }
      caller.waiting.push(waiting)
      this.#waiting += 1
    })
  }

  /** Gives the place of a query that ended to the next caller who may have it. */
  #startNext() {
    for (const [name, caller] of this.#callers) {
      if (caller.waiting.length === 0 || !mayStart(caller)) continue
      const { start, timer } = caller.waiting.shift()!
      clearTimeout(timer)
      this.#waiting -= 1
      this.#start(name, caller)
      start()
      return
    }
  }

  #start(name: string, caller: Caller) {
    this.#running += 1
    caller.running += 1
    this.#callers.delete(name)
    this.#callers.set(name, caller)
  }
}

function mayStart({ isServer, running }: Caller): boolean {
  return isServer || running === 0
}

function refused(why: string) {
  return new ChatError('RateLimitError', `Too many requests: ${why}`, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
