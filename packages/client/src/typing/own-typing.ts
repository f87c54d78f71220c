import { TYPING_REPEAT_MS, TYPING_STOP_MS } from '@parley/protocol/limits'
import type { ChannelContext } from '../channels/channel-context.ts'
import type { CallOptions } from '../shapes.ts'

/**
 * Sends the user's typing in one channel: a start at most every 2 s, a stop after 1 s without keystrokes [TYP-1,
 * TYP-2].
 */
export class OwnTyping {
  #context: ChannelContext
  #typing: { parentID: string | undefined; lastKey: number; lastSent: number } | undefined
  constructor(context: ChannelContext) {
    this.#context = context
  }

  async keystroke(parentID: string | undefined, call?: CallOptions) {
    if (this.#isSilent()) return
    if (this.#typing && this.#typing.parentID !== parentID) await this.stop(this.#typing.parentID, call)
    const { channel, host } = this.#context
    const now = host.clock.now()
    const before = this.#typing
    const isDue = !before || now - before.lastSent >= TYPING_REPEAT_MS
    this.#typing = { parentID, lastKey: now, lastSent: isDue ? now : before.lastSent }
    if (isDue) await channel.sendEvent({ type: 'typing.start', parent_id: parentID }, call)
  }

  async stop(parentID: string | undefined, call?: CallOptions) {
    if (!this.#typing) return
    this.#typing = undefined
    if (!this.#isSilent()) await this.#context.channel.sendEvent({ type: 'typing.stop', parent_id: parentID }, call)
  }

  /** Sends `typing.stop` for a user who has not typed for more than a second. */
  async sweep(now: number) {
    if (this.#typing && now - this.#typing.lastKey > TYPING_STOP_MS) await this.stop(this.#typing.parentID)
  }

  /** Whether typing events are turned off, in the channel or by the user [TYP-8]. */
  #isSilent(): boolean {
    const { channel, host } = this.#context
    if (!channel.initialized || channel.data.config?.typing_events === false) return true
    return host.me()?.privacy_settings?.typing_indicators?.enabled === false
  }
}
