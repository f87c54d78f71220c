import { call } from '../http-client.ts'
import { againMs } from './again.ts'
import type { ProductChannel } from './chat-service.server.ts'
import type { ChatStateEvent } from './chat-state.ts'

/**
 * Fetches the person's channels, one answer after the other, so that no earlier one takes the place of a later one.
 * Where none comes it asks again: nobody is told that there are no conversations before that is known.
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
      if (!this.#hasEnded) this.#again = setTimeout(() => this.fetch(), againMs())
    }
    this.#isFetching = false
  }

  /**
   * Something was said in a channel. One that the list does not have is fetched with it, and then listed.
   *
   * @param at  when what its list goes by was said last
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
