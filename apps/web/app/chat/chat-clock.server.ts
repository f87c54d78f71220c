import { performance } from 'node:perf_hooks'

/** For so long the answer that took least time is believed before those that took more. */
const BEST_FOR_MS = 60_000
/** What the chat server says in every answer: its time in milliseconds since 1970 [HTTP-32]. */
const SERVER_TIME = 'x-server-time'

/**
 * The time of the chat server, which decides from when a token holds and which are taken back. The clock of this
 * machine may be minutes off: then nobody could come in, or nothing would be taken back. It is heard with every answer
 * and goes on by what the processor counts. Between question and answer it is not known exactly, so there are two
 * bounds: what is made carries the lower one, what ends it the upper one, and nothing made before outlives its end.
 */
export class ChatClock {
  #known: { sent: number; heard: number; time: number } | undefined
  #elapsed: () => number

  /** @param elapsed milliseconds since any moment; nobody sets it */
  constructor(elapsed = () => performance.now()) {
    this.#elapsed = elapsed
  }

  get isKnown(): boolean {
    return this.#known !== undefined
  }

  /** It is no earlier than this, in milliseconds since 1970; before the first answer, this machine's time. */
  atLeast(): number {
    const known = this.#known
    return known ? Math.floor(known.time + this.#elapsed() - known.heard) : Date.now()
  }

  /** It is no later than this, in milliseconds since 1970; before the first answer, this machine's time. */
  atMost(): number {
    const known = this.#known
    // Told in whole milliseconds.
    return known ? Math.ceil(known.time + 1 + this.#elapsed() - known.sent) : Date.now()
  }

  /** Makes calls of the chat server as `fetch` does, and hears what time it is there. */
  readonly fetch: typeof fetch = async (...given) => {
    const sent = this.#elapsed()
    const answer = await fetch(...given)
    this.hear(answer.headers.get(SERVER_TIME), sent)
    return answer
  }

  /** @param sent when the question was sent, by what the processor counts */
  hear(said: string | null, sent: number) {
    const time = Number(said ?? undefined)
    if (!Number.isSafeInteger(time) || time <= 0) return
    const heard = this.#elapsed()
    const known = this.#known
    if (known && heard - sent > known.heard - known.sent && heard - known.heard < BEST_FOR_MS) return
    this.#known = { sent, heard, time }
  }
}
