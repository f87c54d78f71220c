import { isChannelId, isChannelType } from '@parley/protocol/cid'
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import type { ChatClient } from '../chat-client.ts'
import { clientError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import { Composer } from '../composer/composer.ts'
import { EventListeners, type Listening, type Subscription } from '../events.ts'
import { MESSAGES_ASKED_MAX } from '../limits.ts'
import { aspect, Cell, type Live, merged, sameMembers } from '../live.ts'
import { dateOf, type LocalMessage } from '../messages/local-message.ts'
import { latestSet, unknownSets } from '../messages/message-sets.ts'
import type { Outbox } from '../messages/outbox.ts'
import { soon, toWrite } from '../on-demand.ts'
import { ChannelCalls } from '../rare-calls.ts'
import type {
  Answer,
  CallOptions,
  ChannelConfig,
  ChannelData,
  ChannelRequest,
  ChannelStateAnswer,
  User,
} from '../shapes.ts'
import type { OwnTyping } from '../typing/own-typing.ts'
import { type Asked, withAnswer } from './channel-answer.ts'
import type { ChannelContext } from './channel-context.ts'
import { type ChannelState, countsHere, newChannelState, own } from './channel-state.ts'

export interface MessagePageOptions {
  /** 25 by default, never more than 100 [LIM-1, LIM-2]. */
  limit?: number
  id_lt?: string
  id_lte?: string
  id_gt?: string
  id_gte?: string
  id_around?: string
  created_at_before?: string
  created_at_before_or_equal?: string
  created_at_after?: string
  created_at_after_or_equal?: string
  created_at_around?: string
}

export interface ChannelQuery {
  data?: ChannelRequest
  state?: boolean
  watch?: boolean
  presence?: boolean
  messages?: MessagePageOptions
  members?: { limit?: number; offset?: number }
  watchers?: { limit?: number; offset?: number }
  user_id?: string
}

type Soon = typeof import('../lazy-chunk-soon.ts')

/** One channel: its live state and its calls. Channels come from `client.channel()` and `client.queryChannels()`. */
export class Channel extends ChannelCalls implements Live<ChannelState>, Listening {
  /** The channel type, `messaging` for example. */
  readonly type: string
  /** The composer of the channel itself [client.md 5.8]. */
  readonly composer: Composer
  /** Other users who are typing in the channel itself, in the order they began. */
  readonly typists: Live<readonly User[]>
  protected override readonly context: ChannelContext
  #host: ClientContext
  #id: string | undefined
  #cid: string
  #cell: Cell<ChannelState>
  #listeners: EventListeners
  #given: ChannelRequest = {}
  #typists = new Map<string | undefined, Live<readonly User[]>>()
  #composers = new Map<string | undefined, Composer>()
  #typing: OwnTyping | undefined
  /** Watch requests under way, by their options. */
  #watching = new Map<string, Promise<Answer<ChannelStateAnswer>>>()
  /** The listeners that may show the history. */
  #readers = new Set<() => void>()
  /** Settles when all requested watching has ended. */
  #watched: Promise<void> | undefined
  #stopping: Promise<unknown> | undefined
  constructor(
    host: ClientContext,
    { type, id, cid }: { type: string; id?: string; cid: string },
    data: ChannelRequest,
    adopted: (context: ChannelContext) => void,
  ) {
    super()
    this.#host = host
    this.type = type
    this.#id = id
    this.#cid = cid
    const failed = (error: unknown) => host.log('error', `A listener of ${this.#cid} failed.`, error)
    this.#cell = new Cell(newChannelState(), failed)
    this.#listeners = new EventListeners(failed)
    this.typists = this.typistsIn(undefined)
    const channel = this
    const ownerID = host.me()?.id
    let outbox: Outbox | undefined
    this.context = {
      channel: this,
      host,
      // Callers of these getters have loaded the module with them.
      get outbox() {
        outbox ??= new (soon.module as Soon).Outbox(channel.context, ownerID)
        return outbox
      },
      get typing() {
        return channel.#typing
      },
      presence: false,
      paging: new Map(),
      given: () => this.#given,
      path: () => this.#path(),
      call: async (method, path, options) => host.request(method, this.#path() + path, options),
      checkUsable: () => this.#checkUsable(),
      checkInitialized: () => this.#checkInitialized(),
      listeners: () => this.#cell.listeners + this.#listeners.size,
      readers: () => this.#readers.size,
      change: (change) => this.#change(change),
      tell: (event) => this.#listeners.tell(event),
      take: (answer, asked) => {
        if (this.#id === undefined) this.#named(answer)
        this.#take(answer, asked, true)
      },
      give: (data) => this.#give(data),
    }
    this.composer = this.composerIn(undefined)
    this.#give(data)
    adopted(this.context)
  }

  /** undefined until the first query, if the channel was named by its members alone. */
  get id(): string | undefined {
    return this.#id
  }

  /** A temporary one until the first query, if the channel was named by its members alone. */
  get cid(): string {
    return this.#cid
  }

  /** The same as `snapshot()`. */
  get state(): ChannelState {
    return this.#cell.snapshot()
  }

  /** The channel's own data: name, own capabilities, `hidden`, `frozen`, custom fields. */
  get data(): ChannelData {
    return this.state.data
  }

  /** Whether it is watched or was queried, and is not known to be out of date. */
  get initialized(): boolean {
    return this.state.initialized
  }

  /** Whether it is deleted, or its user signed out: every call of it throws. */
  get disconnected(): boolean {
    return this.state.disconnected
  }

  /** The whole state. It keeps its identity until something changes. */
  snapshot = (): ChannelState => this.#cell.snapshot()
  /**
   * Calls the listener after every change, until the returned function is called. All loaded messages are kept
   * meanwhile; views that show a channel without its history use `preview`.
   */
  subscribe = (listener: () => void): (() => void) => {
    const end = this.#cell.subscribe(listener)
    this.#readers.add(end)
    return () => {
      this.#readers.delete(end)
      end()
    }
  }
  /** The same for a row of a channel list: if only `preview` has listeners, the newest 200 messages are kept. */
  get preview(): Live<ChannelState> {
    return this.#cell
  }

  /** Listens to events of this channel, of one type or of all. */
  on: Listening['on'] = (...given: unknown[]): Subscription => this.#listeners.add(...(given as [unknown]))

  /** Removes a listener that `on` added, for the same type and the same function. */
  off(...given: [handler: unknown] | [type: string, handler: unknown]) {
    this.#listeners.remove(...given)
  }

  // Reading the state

  /** @throws ChatError CLIENT_CHANNEL_DISCONNECTED */
  getClient(): ChatClient {
    this.#checkUsable()
    return this.#host.client
  }

  /** The configuration of the channel's type; undefined before the first query. */
  getConfig(): ChannelConfig | undefined {
    return this.data.config
  }

  /** The newest message, wherever the list is scrolled. */
  lastMessage(): LocalMessage | undefined {
    return latestSet(this.state.sets)?.messages.at(-1)
  }

  /** Up to when the user has read the channel. */
  lastRead(): Date | undefined {
    return own(this.state.read, this.#host.client.userID)?.last_read
  }

  /**
   * The user's unread messages; with a date, those of the newest loaded messages that are younger and count
   * [client.md 2.5].
   * @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED
   */
  countUnread(since?: Date): number {
    // What was loaded can be read while it is out of date [CHN-10].
    if (this.state.sets === unknownSets) this.#checkInitialized()
    return since ? this.#countNewest((message) => message.created_at > since) : this.state.unreadCount
  }

  /** Counts only in the newest loaded messages. @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED */
  countUnreadMentions(): number {
    // Refuses where the channel is not watched.
    this.countUnread()
    const me = this.#host.client.userID
    const lastRead = this.lastRead()
    return this.#countNewest(
      ({ created_at, mentioned_users }) =>
        (!lastRead || created_at > lastRead) && mentioned_users.some(({ id }) => id === me),
    )
  }

  /** @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED */
  muteStatus(): { muted: boolean; createdAt: Date | null; expiresAt: Date | null } {
    this.#checkInitialized()
    const mute = this.#host.muteOf(this.#cid)
    return {
      muted: mute !== undefined,
      createdAt: dateOf(mute?.created_at) ?? null,
      expiresAt: dateOf(mute?.expires) ?? null,
    }
  }

  /** Other users who are typing in one thread, or in the channel itself when no thread is named [TYP-7]. */
  typistsIn(parentID: string | undefined): Live<readonly User[]> {
    const typists =
      this.#typists.get(parentID) ??
      aspect<ChannelState, readonly User[]>(
        this.#cell,
        ({ typing }) => Object.values(typing).flatMap((event) => (event.parent_id === parentID ? [event.user] : [])),
        sameMembers,
      )
    this.#typists.set(parentID, typists)
    return typists
  }

  /** The composer of one thread, or of the channel itself when no thread is named. */
  composerIn(parentID: string | undefined): Composer {
    const composer = this.#composers.get(parentID) ?? new Composer(this, this.#host, parentID)
    this.#composers.set(parentID, composer)
    return composer
  }

  // The channel itself

  /** Loads the channel and watches it. Concurrent calls with the same options share the request. */
  watch(options: ChannelQuery = {}, call: CallOptions = {}): Promise<Answer<ChannelStateAnswer>> {
    const asked = { state: true, watch: true, presence: false, ...options }
    // A request that its caller may abort is not shared.
    if (call.signal) return this.query(asked, call)
    const wanted = JSON.stringify(asked)
    const watching = this.#watching.get(wanted) ?? this.query(asked, call).finally(() => this.#watching.delete(wanted))
    this.#watching.set(wanted, watching)
    return watching
  }

  /**
   * Queries the channel with a page of its messages. A page next to the shown messages joins them; a page around a
   * message replaces them.
   */
  query(options: ChannelQuery = {}, call: CallOptions = {}): Promise<Answer<ChannelStateAnswer>> {
    const answer = this.#query(options, call)
    if (options.watch) this.#watched = Promise.allSettled([this.#watched, answer]).then(() => {})
    return answer
  }

  async #query(options: ChannelQuery, call: CallOptions): Promise<Answer<ChannelStateAnswer>> {
    this.#checkUsable()
    if (this.#id === undefined && !this.#given.members?.length)
      throw clientError('CLIENT_CHANNEL_ID_MISSING', 'channel id is not defined')
    if (options.watch || options.presence) {
      await this.#stopping
      this.#checkUsable()
    }
    const asked = { state: true, ...options }
    const limit = askedLimit(asked.messages?.limit)
    const messages = asked.messages && { ...asked.messages, limit }
    const { data = {}, ...rest } = asked
    const request = () => {
      const path = this.#id === undefined ? `/channels/${this.type}` : this.#path()
      const body = { ...rest, messages, data: { ...this.#given, ...data } }
      return this.#host.request<Answer<ChannelStateAnswer>>('POST', `${path}/query`, { body, ...call })
    }
    return this.#host.asks(options, call, request, async (answer, events) => {
      this.#checkUsable()
      this.#named(answer)
      if (options.presence) this.context.presence = true
      if (options.watch) this.#host.watched(this.context, true)
      const isNewest = !messages || Object.keys(messages).every((field) => field === 'limit')
      const state = asked.state !== false
      const initialized = state || options.watch === true
      // A channel opened in the middle of its history needs the rest of the state as well.
      if (isNewest || !this.initialized) {
        const { members, watchers } = options
        this.#take(answer, { limit: isNewest ? limit : 0, state, members, watchers, events }, initialized)
      }
      if (!isNewest) await soon.use((module) => module.takePage(this.context, answer, messages, events))
      return answer
    })
  }

  /** Ends `watch`. The client also evicts a channel without listeners; watching it again restores it. */
  stopWatching(call: CallOptions = {}): Promise<void> {
    // One after the other: with concurrent calls, the last one to arrive would win.
    const before = Promise.allSettled([this.#watched, this.#stopping])
    this.#watching.clear()
    const stopped = before.then(async () => {
      await this.context.call('POST', '/stop-watching', { body: {}, ...call })
      this.#change((state) => merged(state, { initialized: false }))
      this.#host.watched(this.context, false)
    })
    this.#stopping = stopped.catch(() => {})
    return stopped
  }

  // Typing [client.md 2.6]

  /** Call it for every keystroke; the event is sent at most every 2 s [TYP-1]. */
  keystroke(parentID?: string, call: CallOptions = {}): Promise<void> {
    return this.#ownTyping((typing) => typing.keystroke(parentID, call))
  }

  /** Sends `typing.stop`; sending a message does it, too. */
  stopTyping(parentID?: string, call: CallOptions = {}): Promise<void> {
    return this.#ownTyping((typing) => typing.stop(parentID, call))
  }

  // What stands behind

  #countNewest(isMeant: (message: LocalMessage) => boolean): number {
    const context = this.#host.eventContext(this.#cid)
    const messages = latestSet(this.state.sets)?.messages ?? []
    return messages.filter((message) => isMeant(message) && countsHere(this.state, message, context)).length
  }

  #change(change: (state: ChannelState) => ChannelState) {
    const state = change(this.#cell.snapshot())
    this.#cell.set(soon.module?.withEdits(this.context.outbox, state) ?? state)
  }

  #give(data: ChannelRequest) {
    this.#given = { ...this.#given, ...data }
    const { members: _, ...shown } = data
    if (Object.keys(shown).length > 0)
      this.#change((state) => ({ ...state, data: { ...state.data, ...(shown as ChannelData) } }))
  }

  #take(answer: ChannelStateAnswer, asked: Asked, initialized: boolean) {
    const capabilities = this.data.own_capabilities
    this.#change((before) => {
      const context = { ...this.#host.eventContext(this.#cid), countedTo: answer.channel.last_message_at ?? '1970' }
      const next = withAnswer(before, answer, asked, context)
      // The answer may be older or newer than these events; applying them again is harmless.
      const now = soon.module?.withEvents(next, asked.events, this.#cid, context) ?? next
      return { ...now, initialized: before.initialized || initialized }
    })
    soon
      .use(({ taken }) => taken(this.context, asked, capabilities))
      .catch((error) => this.#host.log('error', `${this.#cid} could not be recovered.`, error))
    this.#host.arrived(this)
  }

  #named(answer: ChannelStateAnswer) {
    const { active } = this.#host
    const from = this.#cid
    this.#id = answer.channel.id
    this.#cid = answer.channel.cid
    this.#given = {} // The server has taken the given data.
    if (from !== this.#cid && active.delete(from)) active.set(this.#cid, this.context)
  }

  /** A failed typing event is only logged, never thrown. */
  #ownTyping(send: (typing: OwnTyping) => Promise<void>): Promise<void> {
    return toWrite
      .use(({ OwnTyping }) => {
        this.#typing ??= new OwnTyping(this.context)
        return send(this.#typing)
      })
      .catch((error) => this.#host.log('error', `${this.#cid}: typing was not told.`, error))
  }

  #path(): string {
    this.#checkUsable()
    if (this.#id === undefined) throw clientError('CLIENT_CHANNEL_ID_MISSING', 'channel id is not defined')
    return `/channels/${this.type}/${encodeURIComponent(this.#id)}`
  }

  #checkUsable() {
    if (this.disconnected)
      throw clientError('CLIENT_CHANNEL_DISCONNECTED', "You can't use a channel after client.disconnect() was called")
  }

  #checkInitialized() {
    this.#checkUsable()
    if (this.initialized || this.#host.isServerSide) return
    const message = `Channel ${this.#cid} hasn't been initialized yet. Make sure to call .watch() and wait for it to resolve.`
    throw clientError('CLIENT_CHANNEL_NOT_INITIALIZED', message)
  }
}

/** @throws ChatError CLIENT_CHANNEL_TYPE, CLIENT_CHANNEL_ID [CHN-5, CHN-7, CHN-8] */
export function checkChannelName(type: string, id: string | undefined) {
  if (type.includes(':')) throw clientError('CLIENT_CHANNEL_TYPE', `Channel type ${type} can't contain ":"`)
  if (id?.includes(':')) throw clientError('CLIENT_CHANNEL_ID', `Channel id ${id} can't contain ":"`)
  if (!isChannelType(type))
    throw clientError('CLIENT_CHANNEL_TYPE', `Invalid chat type ${type}, letters, numbers and "_-" are allowed`)
  if (id !== undefined && !isChannelId(id))
    throw clientError('CLIENT_CHANNEL_ID', `Invalid chat id ${id}, letters, numbers and "!-_" are allowed`)
}

export function askedLimit(limit: number | undefined): number {
  return Math.min(limit ?? MESSAGES_PAGE, MESSAGES_ASKED_MAX)
}
