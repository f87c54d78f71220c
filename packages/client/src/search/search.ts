import type { ChatClient } from '../chat-client.ts'
import { ChatError } from '../chat-error.ts'
import { RESULTS_ASKED } from '../limits.ts'
import { Cell, type Live, merged } from '../live.ts'
import type { Answer, ChannelStateAnswer, Filter, User } from '../shapes.ts'
import type { SearchAnswer } from './search-calls.ts'

/** The results for a text. If one source fails, the results of the others are shown. */
export interface SearchState {
  readonly text: string
  readonly searching: boolean
  /** Own channels by name. They are not watched: open one with `client.channel(type, id).watch()`. */
  readonly channels: readonly ChannelStateAnswer[]
  /** Other users, by id or name. */
  readonly users: readonly User[]
  /** Messages in own channels, by word prefixes. */
  readonly messages: SearchAnswer['results']
  /** Whether there are more messages. */
  readonly hasMore: boolean
  /** The error of the source that failed last. */
  readonly error: ChatError | undefined
}

/** Limits a search to some messages. Channels and users are then not searched. */
export interface SearchWithin {
  /** Only in this channel. */
  cid?: string
  /** Only messages with these fields, as in `client.search()`. */
  messages?: Filter
}

const nothing: SearchState = {
  text: '',
  searching: false,
  channels: [],
  users: [],
  messages: [],
  hasMore: false,
  error: undefined,
}

/**
 * A search for channels, users and messages at once, while the user types [client.md 5.9].
 *
 * ```ts
 * import { Search } from '@parley/client/search'
 *
 * const search = new Search(client)
 * search.subscribe(() => show(search.snapshot()))
 * await search.setText('tea')
 * ```
 */
export class Search implements Live<SearchState> {
  #client: ChatClient
  #limit: number
  #onlyMessages: boolean
  #cell = new Cell<SearchState>(nothing)
  #running: AbortController | undefined
  #next: string | undefined
  #within: SearchWithin = {}
  /**
   * @param options.limit  how many results of each kind; 10 by default
   * @param options.onlyMessages  never search channels and users
   */
  constructor(
    client: ChatClient,
    { limit = RESULTS_ASKED, onlyMessages = false }: { limit?: number; onlyMessages?: boolean } = {},
  ) {
    this.#client = client
    this.#limit = limit
    this.#onlyMessages = onlyMessages
  }

  /** The results; see `SearchState`. */
  snapshot = (): SearchState => this.#cell.snapshot()
  /** Calls the listener after every change, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => this.#cell.subscribe(listener)

  /** Starts a new search and cancels the pending one; an empty text has no results. Never rejects. */
  async setText(text: string, within: SearchWithin = {}): Promise<void> {
    this.#running?.abort()
    this.#within = within
    const words = text.trim()
    if (words === '') {
      this.#running = undefined
      return this.#cell.set({ ...nothing, text })
    }
    const running = new AbortController()
    this.#running = running
    this.#next = undefined
    this.#cell.set({ ...this.snapshot(), text, searching: true, error: undefined })
    const { signal } = running
    const none = (otherwise: Partial<SearchState>) => this.#noted(running, otherwise)
    const messages = this.#messages(words, undefined, signal).then(...none({ messages: [], hasMore: false }))
    if (this.#onlyMessages || within.cid || within.messages) this.#set(running, { channels: [], users: [] })
    else
      await Promise.all([
        this.#channels(words, signal).then(...none({ channels: [] })),
        this.#users(words, signal).then(...none({ users: [] })),
      ])
    await messages
    this.#set(running, { searching: false })
  }

  /** Adds the next page of messages. Does nothing if there is none. */
  async loadMoreMessages(): Promise<void> {
    const running = this.#running
    const { messages, searching, text } = this.snapshot()
    if (!running || searching || this.#next === undefined) return
    this.#set(running, { searching: true, error: undefined })
    const found = this.#messages(text.trim(), this.#next, running.signal)
    await found
      .then((page) => ({ ...page, messages: [...messages, ...page.messages] }))
      .then(...this.#noted(running, {}))
    this.#set(running, { searching: false })
  }

  async #channels(words: string, signal: AbortSignal): Promise<Partial<SearchState>> {
    const body = {
      filter_conditions: { ...this.#mine(), name: { $autocomplete: words } },
      sort: [{ field: 'last_message_at', direction: -1 }],
      state: true,
      watch: false,
      presence: false,
      limit: this.#limit,
      message_limit: 1,
    }
    const { channels } = await this.#client.request<Answer<{ channels: ChannelStateAnswer[] }>>('POST', '/channels', {
      body,
      signal,
    })
    return { channels }
  }

  async #users(words: string, signal: AbortSignal): Promise<Partial<SearchState>> {
    const filter: Filter = { $or: [{ id: { $autocomplete: words } }, { name: { $autocomplete: words } }] }
    const { users } = await this.#client.queryUsers(filter, [], { limit: this.#limit + 1 }, { signal })
    const others = users.filter(({ id }) => id !== this.#client.userID)
    return { users: others.slice(0, this.#limit) }
  }

  async #messages(words: string, next: string | undefined, signal: AbortSignal) {
    const page = { limit: this.#limit, ...(next !== undefined && { next }) }
    const { cid, messages } = this.#within
    // The last word of a user who is typing may be incomplete.
    const wanted = { ...messages, text: { $autocomplete: words } }
    const answer = await this.#client.search(cid ? { cid } : this.#mine(), wanted, page, { signal })
    if (!signal.aborted) this.#next = answer.next
    return { messages: answer.results, hasMore: answer.next !== undefined }
  }

  #mine(): Filter {
    return { members: { $in: [this.#client.userID ?? ''] } }
  }

  /** The handlers for an answer and for an error; on an error, `otherwise` is shown. */
  #noted(running: AbortController, otherwise: Partial<SearchState>) {
    return [
      (found: Partial<SearchState>) => this.#set(running, found),
      (error: unknown) => this.#set(running, { ...otherwise, error: asChatError(error) }),
    ] as const
  }

  /** Sets results, unless the text has changed since. */
  #set(running: AbortController, found: Partial<SearchState>) {
    if (this.#running === running) this.#cell.set(merged(this.snapshot(), found))
  }
}

function asChatError(error: unknown): ChatError {
  return error instanceof ChatError ? error : new ChatError(String(error), { cause: error })
}
