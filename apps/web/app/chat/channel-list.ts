import { call } from '../http-client.ts'
import type { ProductChannel } from './chat-service.server.ts'
import type { ChatStateEvent } from './chat-state.ts'
import { retryDelayMs } from './retry-delay.ts'

/**
 * Fetches the user's channels, one request at a time, so that an older response never replaces a newer one. It retries
 * after a failure: the UI must not show "no conversations" before the server has answered.
 */
export class ChannelList {
  #dispatch: (event: ChatStateEvent) => void
  #isFetching = false
  #isStale = false
  #listed = new Set<string>()
  #hasEnded = false
  #again: ReturnType<typeof setTimeout> | undefined
  constructor(dispatch: (event: ChatStateEvent) => void) {
    this.#dispatch = dispatch
  }

  async fetch(): Promise<void> {
    this.#isStale = true
    if (this.#isFetching) return
    this.#isFetching = true
    clearTimeout(this.#again)
    this.#dispatch({ type: 'ChannelListFetched' })
    try {
      while (this.#isStale) {
        this.#isStale = false
        const { channels } = await call<{ channels: ProductChannel[] }>('/chat/api/channels', { method: 'POST' })
        if (this.#isStale) continue
        this.#listed = new Set(channels.map(({ cid }) => cid))
        this.#dispatch({ type: 'ChannelListUpdated', channels })
      }
    } catch (error) {
      console.error('The channel list could not be fetched.', error)
      if (!this.#hasEnded) this.#again = setTimeout(() => this.fetch(), retryDelayMs())
    }
    this.#isFetching = false
  }

  /**
   * Handles a new message in a channel. A channel that is missing from the list makes it fetch the list.
   *
   * @param at  `last_message_at`, by which the list is sorted
   */
  spokenIn(channelId: string, at: string | undefined): void {
    if (this.#isFetching || !this.#listed.has(channelId)) void this.fetch()
    else if (at !== undefined) this.#dispatch({ type: 'ChannelSpokenIn', channelId, at })
  }

  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#again)
  }
}
