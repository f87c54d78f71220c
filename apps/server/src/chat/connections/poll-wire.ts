import type { Wire } from '../../platform/realtime/connection.ts'
import { bodyOf } from '../../platform/realtime/frames.ts'

/**
 * Bytes of events after which an answer takes no more: as JSON within JSON it may be twice as long, and has to fit into
 * one message of the bus, which is a megabyte, together with one event of any length.
 */
const ANSWER_BYTES = 128 * 1024

/**
 * Queues events of a long-poll connection until the next poll [messaging.md 2.8]. Events are JSON texts here; the
 * events of an abandoned poll are put back.
 */
export class PollWire implements Wire {
  readonly isPolled = true
  waitingBytes = 0
  isOver = false
  #events: string[] = []
  #poll: ((events: string[]) => void) | undefined
  #ended: () => void
  /** @param ended called once, when the client will not poll again */
  constructor(ended: () => void) {
    this.#ended = ended
  }

  write(frames: readonly Buffer[]) {
    for (const frame of frames) {
      this.#events.push(bodyOf(frame))
      this.waitingBytes += frame.length
    }
    this.#answer()
  }

  /** Resolves as soon as there is something, or with nothing when `giveUp` is called or another poll comes. */
  poll(): { events: Promise<string[]>; giveUp: () => void } {
    this.#poll?.([])
    const { promise, resolve } = Promise.withResolvers<string[]>()
    this.#poll = resolve
    this.#answer()
    return {
      events: promise,
      giveUp: () => {
        if (this.#poll === resolve) this.#poll = undefined
        resolve([])
      },
    }
  }

  /** An answer was lost on its way: the next poll gets its events, first. */
  giveBack(events: readonly string[]) {
    this.#events.unshift(...events)
    for (const event of events) this.waitingBytes += Buffer.byteLength(event)
    this.#answer()
  }

  close() {
    this.terminate()
  }

  terminate() {
    if (this.isOver) return
    this.isOver = true
    this.#poll?.([])
    this.#poll = undefined
    this.#events = []
    this.#ended()
  }

  #answer() {
    if (!this.#poll || this.#events.length === 0) return
    let bytes = 0
    let count = 0
    while (count < this.#events.length && (count === 0 || bytes < ANSWER_BYTES))
      bytes += Buffer.byteLength(this.#events[count++]!)
    const events = this.#events.splice(0, count)
    this.waitingBytes = this.#events.length === 0 ? 0 : Math.max(0, this.waitingBytes - bytes)
    this.#poll(events)
    this.#poll = undefined
  }
}
