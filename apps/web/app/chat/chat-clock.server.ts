import { performance } from 'node:perf_hooks'

/** For this long, the response with the shortest round trip is preferred to slower ones. */
const BEST_FOR_MS = 60_000
/** The header of every response with the chat server's time, in milliseconds since 1970 [HTTP-32]. */
const SERVER_TIME = 'x-server-time'

/**
 * The chat server's time, which decides from when a token is valid and which tokens are revoked. This machine's clock
 * may be minutes off: then no user could connect, or nothing would be revoked. Every response carries that time; in
 * between, the monotonic clock advances it. The time within a round trip is not known exactly, so there are two bounds:
 * what is issued carries the lower one, what revokes it the upper one, and nothing issued before survives its
 * revocation.
 */
export class ChatClock {
  #known: { sent: number; heard: number; time: number } | undefined
  #elapsed: () => number

  /** @param elapsed monotonic milliseconds since any moment; only tests set it */
  constructor(elapsed = () => performance.now()) {
    this.#elapsed = elapsed
  }

  get isKnown(): boolean {
    return this.#known !== undefined
  }

  /** The lower bound, in milliseconds since 1970; before the first response, this machine's time. */
  atLeast(): number {
    const known = this.#known
    return known ? Math.floor(known.time + this.#elapsed() - known.heard) : Date.now()
  }

  /** The upper bound, in milliseconds since 1970; before the first response, this machine's time. */
  atMost(): number {
    const known = this.#known
    // The header has whole milliseconds.
    return known ? Math.ceil(known.time + 1 + this.#elapsed() - known.sent) : Date.now()
  }

  /** A `fetch` for calls to the chat server that reads the time from each response. */
  readonly fetch: typeof fetch = async (...given) => {
    const sent = this.#elapsed()
    const answer = await fetch(...given)
    this.hear(answer.headers.get(SERVER_TIME), sent)
    return answer
  }

  /** @param sent when the request was sent, by the monotonic clock */
  hear(said: string | null, sent: number) {
    const time = Number(said ?? undefined)
    if (!Number.isSafeInteger(time) || time <= 0) return
    const heard = this.#elapsed()
    const known = this.#known
    if (known && heard - sent > known.heard - known.sent && heard - known.heard < BEST_FOR_MS) return
    this.#known = { sent, heard, time }
  }
}
