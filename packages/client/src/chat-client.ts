import { CHANNELS_PAGE, MEMBERS_PAGE_MAX, SWEEP_MS } from '@parley/protocol/limits'
import { askedLimit, Channel, checkChannelName } from './channels/channel.ts'
import type { ChannelContext } from './channels/channel-context.ts'
import { ended } from './channels/channel-state.ts'
import { clientError } from './chat-error.ts'
import type { ClientContext } from './client-context.ts'
import type { ClientEvents } from './client-events.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Connection } from './connection/connection.ts'
import { ConnectionRunner, type SocketConstructor, wasClosed } from './connection/runner.ts'
import { type ChatEvent, EventListeners, type Listening, type Subscription } from './events.ts'
import { address, type Caller, checkWanted, type Method, type RequestOptions, request, unless } from './http.ts'
import { Cell, type Live, merged } from './live.ts'
import { Moderation } from './moderation/moderation.ts'
import { soon } from './on-demand.ts'
import { Polls } from './polls/polls.ts'
import { randomID } from './random-id.ts'
import { ClientCalls } from './rare-calls.ts'
import {
  type Answer,
  type CallOptions,
  type ChannelMute,
  type ChannelRequest,
  type ChannelStateAnswer,
  type Filter,
  type Me,
  type Mute,
  type OwnUser,
  type Sort,
  type User,
  type UserRequest,
  wireSort,
} from './shapes.ts'
import type { ClientStorage } from './storage/storage.ts'
import type { ThreadList } from './threads/thread-list.ts'
import { Threads, type ThreadsHandle } from './threads/threads.ts'
import { developmentToken, type TokenOrProvider, Tokens } from './token.ts'

/** The SDK version whose common calls have the same names here [HTTP-16]. */
export const compatibleWith = '8.45.0'

export interface ChatClientOptions {
  /** The URL of the chat server, for example `https://chat.example.com`; the socket connects to the same host. */
  baseURL: string
  /** The timeout of one call, in milliseconds; 3000 by default [HTTP-5]. */
  timeout?: number
  /** Whether long polling may replace a socket that fails; off by default [LPL-9]. */
  enableWSFallback?: boolean
  /** Whether channels are reloaded after a reconnect; on by default [client.md 3.5]. */
  recoverStateOnReconnect?: boolean
  /** The URL of your own insights service for connection attempts; nothing is reported without it [INS-6]. */
  insightsUrl?: string
  /** A push device, registered with the connection. */
  device?: { id: string; push_provider: string; push_provider_name?: string }
  logger?: (level: 'info' | 'warn' | 'error', message: string, details?: unknown) => void
  /** Storage for drafts and unsent messages; in memory by default. */
  storage?: ClientStorage
  /** Platform functions, for tests and for platforms that lack one of these. */
  clock?: Clock
  random?: () => number
  WebSocket?: SocketConstructor
  fetch?: typeof fetch
}

/** The user's unread messages in all channels. */
export interface Unread {
  readonly total: number
  readonly channels: number
}

export interface ChannelsQueryOptions {
  /** 10 by default, 30 at most. */
  limit?: number
  offset?: number
  /** 25 by default, never more than 100 [LIM-2]. */
  message_limit?: number
  member_limit?: number
  watch?: boolean
  presence?: boolean
  state?: boolean
  /**
   * The name of a filter and sort that the app has stored, and the values to fill into them, for servers that support
   * this.
   */
  predefined_filter?: string
  filter_values?: Record<string, unknown>
  sort_values?: Record<string, unknown>
  user_id?: string
}

/** A user's client: one connection, live state, every call a user may make. */
export class ChatClient extends ClientCalls implements Listening {
  /** The application's key. */
  readonly key: string
  /** The state of the connection [client.md 3.3]. */
  readonly connection: Live<Connection>
  /** The value of the last `connection.changed`: `false` is dispatched 5 s late, `true` at once [CON-6]. */
  readonly online: Live<boolean>
  /** The user's unread messages, and the channels they are in. */
  readonly unread: Live<Unread>
  /** The threads that the user takes part in [client.md 5.2]. */
  readonly threads: Threads
  /** The polls that messages show [client.md 5.3]. */
  readonly polls: Polls
  /** Calls for moderators; a user's own bans, mutes and flags are calls of the client. */
  readonly moderation: Moderation
  protected override readonly context: ClientContext
  protected readonly tokens = new Tokens()
  #options: ChatClientOptions
  #clock: Clock
  #runner: ConnectionRunner
  #caller: Caller
  #listeners = new EventListeners((error) => this.context.log('error', 'A listener failed.', error))
  #online = new Cell(true)
  #unread = new Cell<Unread>({ total: 0, channels: 0 })
  #active = new Map<string, ChannelContext>()
  #fetched: ClientEvents | undefined
  /** Events that arrived before the code that handles them was loaded. */
  #early: ChatEvent[] = []
  #threads!: ThreadsHandle
  #me: Me | undefined
  /** The user data sent with the next connection. */
  #details: object = {}
  #isAnonymous = false
  #clientID = ''
  #connecting: Promise<OwnUser> | undefined
  #cancelSweep: (() => void) | undefined
  /** Incremented by every sign-out: operations begun before it end silently. */
  #generation = 0
  constructor(key: string, options: ChatClientOptions) {
    super()
    if (typeof options === 'string') throw clientError('CLIENT_WRONG_ENTRY', 'A secret needs @parley/client/server')
    if (!options?.baseURL) throw clientError('CLIENT_BASE_URL_MISSING', 'Pass the option baseURL')
    this.key = key
    this.#options = options
    this.#clock = options.clock ?? systemClock
    const random = options.random ?? Math.random
    const log: ClientContext['log'] = (...given) => options.logger?.(...given)
    const client = this
    let receivedUntil: string | undefined
    const baseURL = options.baseURL.replace(/\/+$/, '')
    const agent = `parley-client compatible-with-${compatibleWith}`
    this.#caller = {
      key,
      baseURL,
      agent,
      timeoutMs: options.timeout,
      tokens: this.tokens,
      userID: () => (this.#isAnonymous ? undefined : this.userID),
      connectionID: () => this.context.connectionID(),
      clock: this.#clock,
      random,
      fetch: options.fetch ?? ((...given) => fetch(...given)),
    }
    this.#runner = new ConnectionRunner({
      clock: this.#clock,
      random,
      get Socket() {
        return client.#options.WebSocket ?? (WebSocket as unknown as SocketConstructor)
      },
      url: (token) =>
        address(`${baseURL.replace(/^http/i, 'ws')}/connect`, {
          json: this.#introduction(),
          api_key: key,
          authorization: token,
          'stream-auth-type': this.#isAnonymous ? 'anonymous' : 'jwt',
          'X-Stream-Client': agent,
        }),
      fallback: options.enableWSFallback ?? false,
      longPoll: {
        call: (query, timeoutMs, signal) =>
          request({ ...this.#caller, timeoutMs }, 'GET', '/longpoll', { query, signal }),
        payload: () => this.#introduction(),
      },
      clientID: () => this.#clientID,
      token: (refused) => this.tokens.renewed(refused),
      isRenewable: () => this.tokens.isRenewable,
      heard: (event) => {
        if (event.me) this.context.missedSince = receivedUntil
        receivedUntil = (event.created_at ?? receivedUntil) as string | undefined
        this.#heard(event)
      },
      tell: (online) => {
        this.#online.set(online)
        this.context.tell({ type: 'connection.changed', online })
      },
      recover: () => void this.#recover(),
      log,
    })
    this.context = {
      client,
      isServerSide: this.isServerSide,
      clock: this.#clock,
      storage: options.storage ?? new Map(),
      active: this.#active,
      listeners: this.#listeners,
      random,
      request: (method, path, given) => this.request(method, path, given),
      me: () => this.#me,
      merge: (fields) => this.#merge(fields),
      eventContext: (cid) => ({
        me: this.userID,
        reader: this.isServerSide || this.#isAnonymous ? undefined : this.userID,
        mutedUserIDs: new Set(this.mutedUsers.filter((mute) => this.#lasts(mute)).map(({ target }) => target.id)),
        channelIsMuted: this.context.muteOf(cid) !== undefined,
      }),
      muteOf: (cid) => this.mutedChannels.find((mute) => mute.channel.cid === cid && this.#lasts(mute)),
      connected: async (call = {}) => {
        if (!this.isServerSide) await unless(call, this.#runner.connected())
      },
      connectionID: () => (this.connection.snapshot() as { connectionId?: string }).connectionId,
      generation: () => this.#generation,
      activeChannel: (type, id, members = []) => {
        const cid = `${type}:${id}`
        // At this moment, the application may request the channel by its members.
        const unnamed = isConversation(id)
          ? conversationCid(
              type,
              members.map(({ user_id }) => user_id),
            )
          : ''
        return this.#active.get(cid) ?? this.#active.get(unnamed) ?? this.#adopt({ type, id, cid }, {})
      },
      noted: new Set(),
      asks: async ({ watch, presence }, call, request, take) => {
        const generation = this.#generation
        for (;;) {
          if (watch || presence) await this.context.connected(call)
          const connection = this.context.connectionID()
          const events: ChatEvent[] = []
          this.context.noted.add(events)
          try {
            const given = await request()
            const isDeaf = watch && connection !== this.context.connectionID() && generation === this.#generation
            if (!isDeaf) return await take(given, events)
          } finally {
            this.context.noted.delete(events)
          }
        }
      },
      missedSince: undefined,
      arrived: (channel) => this.#events?.arrived(channel),
      watched: (active, isWatched) => {
        const { cid } = active.channel
        this.#events?.settled(active, isWatched)
        if (isWatched) this.#hold(active)
        else if (!this.#threads.list?.unwatched(cid) && active.listeners() === 0) this.#active.delete(cid)
      },
      tell: (event) => this.#heard({ created_at: new Date(this.#clock.now()).toISOString(), ...event }),
      log,
    }
    this.polls = new Polls(this.context)
    this.moderation = new Moderation(this.context)
    this.threads = new Threads(this.context, (handle) => {
      this.#threads = handle
    })
    this.connection = this.#runner.state
    if (options.insightsUrl) this.#watchConnection(options.insightsUrl)
    this.online = this.#online
    this.unread = this.#unread
  }

  /** The own user's id; undefined while no user is connected. */
  get userID(): string | undefined {
    return this.#me?.id
  }

  /** The own user, live. */
  get user(): Me | undefined {
    return this.#me
  }

  /** `{userID}--{uuid}`, different for every connection of a user. */
  get clientID(): string {
    return this.#clientID
  }

  /** The muted users; expired mutes are still listed. */
  get mutedUsers(): readonly Mute[] {
    return this.#me?.mutes ?? []
  }

  /** The muted channels; expired mutes are still listed. */
  get mutedChannels(): readonly ChannelMute[] {
    return this.#me?.channel_mutes ?? []
  }

  /** The ids of the blocked users; `blockUser` and `unBlockUser` update them. */
  get blockedUserIds(): readonly string[] {
    return this.#me?.blocked_user_ids ?? []
  }

  /** Whether this client has the secret. */
  get isServerSide(): boolean {
    return false
  }

  // Connecting [client.md 1.2]

  /**
   * Connects a user. Resolves with the own user once the server has confirmed the connection. The same user again gets
   * the connection already under way [AUTH-21], or, if that has ended for good, a new one with the token given now.
   *
   * @param call.signal  signs the user out again if it is aborted before there is a connection
   * @throws ChatError CLIENT_USER_ID_MISSING · CLIENT_OTHER_USER_CONNECTED · CLIENT_TOKEN_… ·
   *   the server's refusal · CLIENT_CONNECTION_FAILED when there is no connection within 15 s
   */
  async connectUser(user: UserRequest, tokenOrProvider: TokenOrProvider, call: CallOptions = {}): Promise<OwnUser> {
    if (!user?.id) throw clientError('CLIENT_USER_ID_MISSING', 'connectUser needs a user object with an id')
    if (this.#me?.id === user.id && this.#connecting) {
      // The connection may have ended because of the previous token.
      if ('error' in this.connection.snapshot()) this.tokens.setForUser(user.id, tokenOrProvider)
      // Under way or connected already, unless it was closed since.
      const again = this.#connecting.then(() => this.openConnection())
      return unless(
        call,
        again.then(() => this.#me as OwnUser),
      )
    }
    this.#checkSignedOut()
    this.tokens.setForUser(user.id, tokenOrProvider)
    return this.#signIn(user as User, false, call)
  }

  /** Connects without a user id or a token; such a user can only read public channels [AUTH-9]. */
  async connectAnonymousUser(call: CallOptions = {}): Promise<OwnUser> {
    this.#checkSignedOut()
    this.tokens.setFixed('')
    return this.#signIn({ id: `!anon-${randomID()}` } as User, true, call)
  }

  /** Creates a guest user on the server, and connects it [AUTH-10, AUTH-11]. */
  async setGuestUser(user: UserRequest, call: CallOptions = {}): Promise<OwnUser> {
    this.#checkSignedOut()
    const options = { body: { user }, ...call, withoutToken: true }
    const generation = this.#generation
    const guest = await request<{ user: User; access_token: string }>(this.#caller, 'POST', '/guest', options)
    if (generation !== this.#generation) throw wasClosed()
    return this.connectUser({ ...user, id: guest.user.id }, guest.access_token, call)
  }

  /** Signs the user out and clears all state of the user at once; resolves when the socket is closed. */
  disconnectUser(): Promise<void> {
    const closed = this.closeConnection()
    this.#forgetUser()
    return closed
  }

  /**
   * Opens the socket again after `closeConnection`, for the same user. A pending retry is made at once.
   * @param call.signal  closes it again if it is aborted before there is a connection
   */
  async openConnection(call: CallOptions = {}): Promise<void> {
    this.#checkSignedIn()
    const { at } = this.connection.snapshot()
    if (at !== 'idle' && at !== 'closed') {
      this.#runner.signal({ type: 'woke', silentMs: 0 })
      return unless(call, this.#runner.connected())
    }
    await this.#open(call, () => this.closeConnection())
    await this.#recover()
  }

  /** Closes the socket and keeps user, token and state, for example while a mobile app is in the background. */
  closeConnection(): Promise<void> {
    this.#cancelSweep?.()
    this.#cancelSweep = undefined
    this.#events?.cancel()
    return this.#runner.disconnect()
  }

  /** A token for development; valid only while the application's auth checks are off. */
  devToken(userID: string): string {
    return developmentToken(userID)
  }

  // Listening [client.md 1.4]

  /** Listens to one type of event, or to all of them. The state is updated before a listener is called. */
  on: Listening['on'] = (...given: unknown[]): Subscription => this.#listeners.add(...(given as [unknown]))

  /** Removes a listener that `on` added, for the same type and the same function. */
  off(...given: [handler: unknown] | [type: string, handler: unknown]) {
    this.#listeners.remove(...given)
  }

  // Channels [client.md 1.6]

  /**
   * The channel of this name, or the one of these members. The same channel is the same object.
   * @throws ChatError CLIENT_NO_USER, CLIENT_CHANNEL_TYPE, CLIENT_CHANNEL_ID, CLIENT_MEMBERS_MISSING
   */
  channel(type: string, data: ChannelRequest): Channel
  channel(type: string, id?: string | null, data?: ChannelRequest): Channel
  channel(type: string, idOrData?: string | null | ChannelRequest, given: ChannelRequest = {}): Channel {
    if (!this.#me && !this.isServerSide) throw clientError('CLIENT_NO_USER', 'Connect a user before using channels')
    const isData = typeof idOrData === 'object' && idOrData !== null
    const id = isData ? undefined : idOrData || undefined
    const data = isData ? idOrData : given
    checkChannelName(type, id)
    if (id === undefined) return this.#conversation(type, data)
    const cid = `${type}:${id}`
    const active = this.#active.get(cid)
    if (!active || active.channel.disconnected) return this.#adopt({ type, id, cid }, data).channel
    active.give(data)
    return active.channel
  }

  /**
   * The channels that match the filter, in the server's order, watched by default. The same channel is the same object.
   */
  async queryChannels(
    filter: Filter,
    sort: Sort = [],
    options: ChannelsQueryOptions = {},
    stateOptions: { skipInitialization?: readonly string[] } = {},
    call: CallOptions = {},
  ): Promise<Channel[]> {
    const asked = { state: true, watch: true, presence: false, limit: CHANNELS_PAGE, ...options }
    const message_limit = askedLimit(options.message_limit)
    const member_limit = options.member_limit ?? MEMBERS_PAGE_MAX
    const generation = this.#generation
    const body = { filter_conditions: filter, sort: wireSort(sort), ...asked, message_limit, member_limit }
    let known: ReadonlyMap<string, ChannelContext>
    const request = () => {
      known = new Map(this.#active)
      return this.request<Answer<{ channels: ChannelStateAnswer[] }>>('POST', '/channels', { body, ...call })
    }
    return this.context.asks(asked, call, request, (answer, events) => {
      if (generation !== this.#generation) return []
      return answer.channels.flatMap((given) => {
        const { type, id, cid } = given.channel
        // An event removed the channel meanwhile, and the answer may be older.
        if (known.get(cid)?.channel.disconnected && !this.#active.has(cid)) return []
        const active = this.context.activeChannel(type, id, given.members)
        const { channel, take } = active
        active.presence ||= asked.presence
        if (stateOptions.skipInitialization?.includes(cid)) return channel
        if (asked.watch) this.#events?.settled(active, true)
        take(given, { limit: message_limit, state: asked.state !== false, events })
        return channel
      })
    })
  }

  // Threads [client.md 5.1, 5.2]

  /** The threads that the user takes part in, 25 by default; the same thread is the same object [THR-3]. */
  queryThreads(...given: Parameters<ThreadList['queryThreads']>) {
    return this.#threads.use((list) => list.queryThreads(...given))
  }

  /** One thread, by the id of its parent message [THR-4]. @throws ChatError DoesNotExistError (16) */
  getThread(...given: Parameters<ThreadList['getThread']>) {
    return this.#threads.use((list) => list.getThread(...given))
  }

  /**
   * Sets the title or custom fields of a thread [THR-5].
   * @throws ChatError CLIENT_MESSAGE_ID_MISSING, CLIENT_THREAD_FIELD — the server manages the field [THR-21…THR-27]
   */
  partialUpdateThread(...given: Parameters<ThreadList['partialUpdateThread']>) {
    return this.#threads.use((list) => list.partialUpdateThread(...given))
  }

  // Other calls

  /** Whether the user has muted this user. @throws ChatError CLIENT_NO_USER */
  userMuteStatus(targetUserID: string): boolean {
    this.#checkSignedIn()
    return this.mutedUsers.some((mute) => mute.target.id === targetUserID && this.#lasts(mute))
  }

  /** The device to register with the next connection. @throws ChatError CLIENT_DEVICE_LATE — connected already */
  setLocalDevice(device: NonNullable<ChatClientOptions['device']>) {
    if (this.#me) throw clientError('CLIENT_DEVICE_LATE', 'Set the device before connecting')
    this.#options = { ...this.#options, device }
  }

  /** The app's public settings: its name and its upload limits. With the secret: all settings. */
  getAppSettings(call: CallOptions = {}): Promise<Answer<{ app: Record<string, unknown> }>> {
    // Every page makes this call as it connects, so it is not part of the lazily loaded calls.
    return this.request('GET', '/app', call)
  }

  /** Any API call, with the parameters and headers that every call has [client.md 4.1]. */
  request<Fields = Answer>(method: Method, path: string, options: RequestOptions = {}): Promise<Fields> {
    return request<Fields>(this.#caller, method, path, options)
  }

  // What stands behind

  #checkSignedIn() {
    if (this.#me) return
    const message = 'No user is set on this client; call connectUser or connectAnonymousUser first'
    throw clientError('CLIENT_NO_USER', message)
  }

  #checkSignedOut() {
    if (this.#me)
      throw clientError('CLIENT_OTHER_USER_CONNECTED', 'Another user is connected. Call disconnectUser() first')
  }

  #signIn(user: User, isAnonymous: boolean, call: CallOptions): Promise<OwnUser> {
    this.#me = user
    this.#isAnonymous = isAnonymous
    this.#details = isAnonymous ? {} : user
    this.#clientID = `${user.id}--${randomID()}`
    soon.fetch().catch((error) => this.context.log('warn', 'Code could not be fetched.', error))
    const connecting = this.#connect(call)
    this.#connecting = connecting
    return connecting
  }

  async #connect(call: CallOptions): Promise<OwnUser> {
    const generation = this.#generation
    try {
      await this.#open(call, () => generation === this.#generation && this.disconnectUser())
      return this.#me as OwnUser
    } catch (error) {
      // Clears a half-set user, so that a later connectUser works. A sign-out meanwhile has already done so.
      if (generation === this.#generation) this.#forgetUser()
      throw error
    }
  }

  /** @param giveUp  called at once: an aborted user may connect again in the same turn */
  async #open(call: CallOptions, giveUp: () => unknown) {
    checkWanted(call)
    const { signal } = call
    signal?.addEventListener('abort', giveUp)
    try {
      await this.#runner.connect()
      this.#sweepSoon()
    } catch (error) {
      checkWanted(call)
      throw error
    } finally {
      signal?.removeEventListener('abort', giveUp)
    }
  }

  #forgetUser() {
    this.#generation++
    this.#early = []
    for (const { change } of this.#active.values()) change(ended)
    this.#active.clear()
    this.tokens.forget()
    this.#me = undefined
    this.#clientID = ''
    this.#connecting = undefined
    this.#events?.forget()
    this.#online.set(true)
    this.#unread.set({ total: 0, channels: 0 })
    this.#threads.forget()
  }

  /** The user and the device of a connection [client.md 3.1]. */
  #introduction(): object {
    return {
      user_id: this.#caller.userID(),
      user_details: this.#details,
      device: this.#options.device,
      server_determines_connection_id: true,
      client_request_id: randomID(),
    }
  }

  #conversation(type: string, data: ChannelRequest): Channel {
    const members = (data.members ?? []).map((member) =>
      typeof member === 'string' ? member : 'user_id' in member ? (member.user_id as string) : member.user.id,
    )
    if (data.members && members.length === 0)
      throw clientError('CLIENT_MEMBERS_MISSING', 'A channel without an id needs at least one member')
    // Without members it cannot be identified; creating it will fail.
    if (members.length === 0) return this.#adopt({ type, cid: `${type}:` }, data).channel
    const cid = conversationCid(type, members)
    const known = this.#active.get(cid)?.channel ?? this.#namedConversation(cid)
    if (known && !known.disconnected) return known
    return this.#adopt({ type, cid }, data).channel
  }

  #namedConversation(cid: string): Channel | undefined {
    for (const { channel } of this.#active.values())
      if (isConversation(channel.id) && conversationCid(channel.type, Object.keys(channel.state.members)) === cid)
        return channel
  }

  #adopt(identity: { type: string; id?: string; cid: string }, data: ChannelRequest) {
    let adopted!: ChannelContext
    new Channel(this.context, identity, data, (active) => {
      adopted = active
    })
    this.#hold(adopted)
    this.#sweepSoon()
    return adopted
  }

  /** A client with the secret keeps no channels: it gets no events, so only callers use their channel objects. */
  #hold(active: ChannelContext) {
    if (!this.isServerSide) this.#active.set(active.channel.cid, active)
  }

  #lasts({ expires }: { expires?: string }): boolean {
    return !expires || new Date(expires).getTime() > this.#clock.now()
  }

  // Events [client.md 1.4, 1.5]

  #watchConnection(url: string) {
    import('./connection/insights.ts')
      .then((insights) => insights.watchConnection(url, this, this.#caller))
      .catch((error) => this.context.log('info', 'Insights could not be fetched.', error))
  }

  /** The code that applies events is loaded while the socket opens. Until then, events wait in order. */
  #heard(given: object) {
    const event = { ...given, received_at: new Date(this.#clock.now()) } as unknown as ChatEvent
    if (event.type === 'health.check' && event.me) {
      // The server's version of the user replaces all fields. Fields given by the application were sent, and may have
      // changed elsewhere by the next connection.
      this.#me = event.me
      this.#details = { id: this.#caller.userID() }
      this.#merge(event.me)
    }
    if (this.#events) return this.#events.dispatch(event)
    // These change no channel, so they need not wait.
    if (event.type === 'health.check' || event.type === 'connection.changed') return this.#listeners.tell(event)
    this.#early.push(event)
    if (this.#early.length === 1) void this.#catchUp()
  }

  get #events(): ClientEvents | undefined {
    if (soon.module) this.#fetched ??= new soon.module.ClientEvents(this.context, this.#threads)
    return this.#fetched
  }

  async #catchUp() {
    try {
      await soon.fetch()
      for (const event of this.#early.splice(0)) this.#events?.dispatch(event)
    } catch (error) {
      this.context.log('error', 'Events could not be taken.', error)
      // They cannot be replayed one by one: a new connection reloads everything.
      this.#early = []
      this.#runner.signal({ type: 'lost' })
    }
  }

  #merge(fields: Partial<OwnUser>) {
    if (!this.#me || Object.keys(fields).length === 0) return
    this.#me = { ...this.#me, ...fields }
    const { total_unread_count: total = 0, unread_channels: channels = 0, unread_threads = 0 } = this.#me
    this.#unread.set(merged(this.#unread.snapshot(), { total, channels }))
    this.#threads.countUnread(unread_threads)
  }

  async #recover() {
    const generation = this.#generation
    try {
      await soon.fetch()
      if (generation === this.#generation) await this.#events?.recover(this.#options.recoverStateOnReconnect !== false)
    } catch (error) {
      this.context.log('error', 'Channels could not be recovered.', error)
    }
  }

  /** Every 500 ms while a channel is active: ends expired typing, and the user's own [CON-16, CON-17]. */
  #sweepSoon() {
    if (this.#cancelSweep || this.isServerSide || this.#active.size === 0) return
    this.#cancelSweep = this.#clock.after(SWEEP_MS, () => {
      this.#cancelSweep = undefined
      for (const active of this.#active.values()) soon.module?.sweep(active, this.#clock.now())
      this.#sweepSoon()
    })
  }
}

/** Whether the server made the id from the members. */
function isConversation(id: string | undefined) {
  return id?.startsWith('!members-')
}

/** The temporary cid of a channel of these members, until the server has named it. */
function conversationCid(type: string, members: readonly string[]): string {
  return `${type}:!members-${members.toSorted().join()}`
}
