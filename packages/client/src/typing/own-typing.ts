import { TYPING_REPEAT_MS, TYPING_STOP_MS } from '@parley/protocol/limits'
import type { CallOptions } from '../shapes.ts'

type Send = (type: 'typing.start' | 'typing.stop', parentID: string | undefined, call?: CallOptions) => Promise<unknown>

/**
 * Own typing in one channel, told to the others: a start at most every 2 s, a stop once the keys rest for 1 s
 * [TYP-1, TYP-2]. The sweep of the client calls `sweep`.
 */
export class OwnTyping {
  #send: Send
  #typing: { parentID: string | undefined; lastKey: number; lastSent: number } | undefined
  constructor(send: Send) {
    this.#send = send
  }

  async keystroke(parentID: string | undefined, now: number, call?: CallOptions) {
    if (this.#typing && this.#typing.parentID !== parentID) await this.stop(this.#typing.parentID, call)
    const before = this.#typing
    const isDue = !before || now - before.lastSent >= TYPING_REPEAT_MS
    this.#typing = { parentID, lastKey: now, lastSent: isDue ? now : before.lastSent }
    if (isDue) await this.#send('typing.start', parentID, call)
  }

  async stop(parentID: string | undefined, call?: CallOptions) {
    this.#typing = undefined
    await this.#send('typing.stop', parentID, call)
  }

  /** Says stop for someone whose keys have rested for more than a second. */
  async sweep(now: number) {
    if (this.#typing && now - this.#typing.lastKey > TYPING_STOP_MS) await this.stop(this.#typing.parentID)
  }
}
