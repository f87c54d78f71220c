import { isChannelId, isChannelType } from '@parley/protocol/cid'
import { MARK_UNREAD_WINDOW, MESSAGES_PAGE, TYPING_FORGET_MS } from '@parley/protocol/limits'
import { type ChatError, clientError } from '../chat-error.ts'
import type { Clock } from '../clock.ts'
import { Composer } from '../composer/composer.ts'
import type { DraftStorage } from '../composer/drafts.ts'
import { type ChatEvent, EventListeners, type Listening, type Subscription } from '../events.ts'
import type { Method, RequestOptions } from '../http.ts'
import { MESSAGES_ASKED_MAX, MESSAGES_KEPT_UNSEEN, REPLIES_ASKED } from '../limits.ts'
import { aspect, Cell, type Live, sameMembers } from '../live.ts'
import { type LocalMessage, localMessage } from '../messages/local-message.ts'
import {
  currentSet,
  findMessage,
  latestSet,
  type Meanwhile,
  type Page,
  trimmed,
  union,
  withCurrent,
  withPage,
} from '../messages/message-sets.ts'
import { type MessageDraft, Outbox, type ReactionDraft, type SendOptions } from '../messages/outbox.ts'
import { outgoingChannelData } from '../messages/outgoing.ts'
import {
  type Answer,
  type CallOptions,
  type ChannelConfig,
  type ChannelData,
  type ChannelMute,
  type ChannelRequest,
  type ChannelStateAnswer,
  type Filter,
  type Member,
  type MemberRequest,
  type Message,
  type MessageRequest,
  type OwnUser,
  type PartialUpdate,
  type Reaction,
  type Sort,
  type User,
  wireSort,
} from '../shapes.ts'
import { OwnTyping } from '../typing/own-typing.ts'
import { type Asked, unreadMentions, withAnswer } from './channel-answer.ts'
import {
  type ChannelState,
  channelState,
  countsHere,
  newChannelState,
  own,
  type StateContext,
  withChanged,
  withoutMessage,
  withSets,
  withTypingExpired,
} from './channel-state.ts'

export interface MessagePageOptions {
  /** 25 unless said otherwise, never more than 100 [LIM-1, LIM-2]. */
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

/** An event of the application's own, or `typing.start`. */
export type OwnEvent = { type: string; parent_id?: string } & Record<string, unknown>

/** What a channel needs of its client. */
export interface ChannelHost {
  readonly isServerSide: boolean
  readonly clock: Clock
  readonly drafts: DraftStorage
  call<Fields>(method: Method, path: string, options?: RequestOptions): Promise<Answer<Fields>>
  me(): OwnUser | User | undefined
  context(cid: string): StateContext
  muteOf(cid: string): ChannelMute | undefined
  /** Resolves once there is a connection; watching needs one. */
  connected(): Promise<void>
  /** The channel got its real cid. */
  renamed(from: string, to: string): void
  tell(event: { type: string; cid?: string } & Record<string, unknown>): void
  failed(message: string, error: unknown): void
}

/** What the client alone does with a channel. */
export interface ChannelReins {
  /** Brings the state up to date with an event, before any listener hears of it. */
  receive(event: ChatEvent): void
  /** Then its listeners. */
  tell(event: ChatEvent): void
  /** Takes the answer of a query that was about several channels. */
  take(answer: ChannelStateAnswer, asked: Asked): void
  /** Notes what comes and goes by events from now on, for the answer that is on its way. */
  startMeanwhile(): Meanwhile
  endMeanwhile(meanwhile: Meanwhile): void
  change(change: (state: ChannelState) => ChannelState): void
  sweep(now: number): void
  disconnect(): void
  readonly listeners: number
}

/**
 * One channel: its live state and everything one can do in it.
 * Channels come from `client.channel()` and `client.queryChannels()`.
 */
export class Channel implements Live<ChannelState>, Listening {
  readonly type: string
  /** What is being written here [client.md 5.8]. */
  readonly composer: Composer
  /** Others who are writing in the channel itself, in the order they began. */
  readonly typists: Live<readonly User[]>
  #host: ChannelHost
  #id: string | undefined
  #cid: string
  #cell: Cell<ChannelState>
  #listeners: EventListeners
  #typing: OwnTyping
  #outbox: Outbox
  #given: ChannelRequest
  #typists = new Map<string | undefined, Live<readonly User[]>>()
  #composers = new Map<string | undefined, Composer>()
  #watching: Promise<Answer<ChannelStateAnswer>> | undefined
  #paging = new Map<'older' | 'newer', Promise<void>>()
  #meanwhile = new Set<Noted>()
  constructor(
    host: ChannelHost,
    identity: { type: string; id: string | undefined; cid: string },
    data: ChannelRequest,
    reins: (reins: ChannelReins) => void,
  ) {
    this.#host = host
    this.type = identity.type
    this.#id = identity.id
    this.#cid = identity.cid
    this.#given = data
    const { members: _, ...shown } = data
    const failed = (error: unknown) => host.failed(`A listener of ${this.#cid} failed.`, error)
    this.#cell = new Cell(newChannelState(shown as ChannelData), failed)
    this.#listeners = new EventListeners(failed)
    this.typists = this.typistsIn(undefined)
    this.#typing = new OwnTyping((type, parent_id) => this.sendEvent({ type, parent_id }))
    this.#outbox = new Outbox(this.#outboxDoor())
    this.composer = this.composerIn(undefined)
    const channel = this
    reins({
      receive: (event) => this.#receive(event),
      tell: (event) => this.#listeners.tell(event),
      take: (answer, asked) => this.#take(answer, asked, true),
      startMeanwhile: () => this.#startMeanwhile(),
      endMeanwhile: (meanwhile) => void this.#meanwhile.delete(meanwhile as Noted),
      change: (change) => this.#change(change),
      sweep: (now) => this.#sweep(now),
      disconnect: () => this.#change((state) => ({ ...state, initialized: false, disconnected: true })),
      get listeners() {
        return channel.#cell.listeners
      },
    })
  }

  get id() {
    return this.#id
  }

  /** A temporary one until the first query of a channel that was named by its members alone. */
  get cid() {
    return this.#cid
  }

  get state() {
    return this.#cell.snapshot()
  }

  get data() {
    return this.state.data
  }

  get initialized() {
    return this.state.initialized
  }

  get disconnected() {
    return this.state.disconnected
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  on: Listening['on'] = (...given: unknown[]): Subscription => this.#listeners.add(...(given as [unknown]))

  off(...given: [handler: unknown] | [type: string, handler: unknown]) {
    this.#listeners.remove(...given)
  }

  // Reading

  getConfig(): ChannelConfig | undefined {
    return this.data.config
  }

  lastMessage(): LocalMessage | undefined {
    return latestSet(this.state.sets)?.messages.at(-1)
  }

  lastRead(): Date | undefined {
    const me = this.#host.me()
    return me && own(this.state.read, me.id)?.last_read
  }

  /** Own unread messages; with a date, those of the newest loaded ones that are younger and count [client.md 2.5]. */
  countUnread(since?: Date): number {
    if (!since) return this.state.unreadCount
    const context = this.#host.context(this.#cid)
    const messages = latestSet(this.state.sets)?.messages ?? []
    return messages.filter((message) => message.created_at > since && countsHere(this.state, message, context)).length
  }

  /** Only the newest loaded messages are looked at. */
  countUnreadMentions(): number {
    const context = this.#host.context(this.#cid)
    if (context.me === undefined) return 0
    return unreadMentions(this.state, context.me, (message) => countsHere(this.state, message, context))
  }

  /** @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED */
  muteStatus(): { muted: boolean; createdAt: Date | null; expiresAt: Date | null } {
    this.#checkInitialized()
    const mute = this.#host.muteOf(this.#cid)
    if (!mute) return { muted: false, createdAt: null, expiresAt: null }
    const expiresAt = mute.expires ? new Date(mute.expires) : null
    return { muted: true, createdAt: new Date(mute.created_at), expiresAt }
  }

  /** Others who are writing in one thread, or in the channel itself when no thread is named [TYP-7]. */
  typistsIn(parentID: string | undefined): Live<readonly User[]> {
    const typists =
      this.#typists.get(parentID) ??
      aspect<ChannelState, readonly User[]>(this, ({ typing }) => typistsOf(typing, parentID), sameMembers)
    this.#typists.set(parentID, typists)
    return typists
  }

  /** What is being written in one thread, or in the channel itself when no thread is named. */
  composerIn(parentID: string | undefined): Composer {
    const composer = this.#composers.get(parentID) ?? new Composer(this, this.#host, parentID)
    this.#composers.set(parentID, composer)
    return composer
  }

  // The channel itself

  /** Makes the channel, or reads it when it exists. */
  async create(options: ChannelQuery = {}, call: CallOptions = {}) {
    return this.query({ watch: false, state: false, presence: false, ...options }, call)
  }

  /** Loads the channel and follows it. Calls made meanwhile share the request. */
  watch(options: ChannelQuery = {}, call: CallOptions = {}): Promise<Answer<ChannelStateAnswer>> {
    this.#watching ??= this.query({ state: true, watch: true, presence: false, ...options }, call).finally(() => {
      this.#watching = undefined
    })
    return this.#watching
  }

  /**
   * Asks for the channel, with a page of its messages.
   * A page that lies beside the shown messages joins them; one around a message becomes the shown one.
   */
  async query(options: ChannelQuery = {}, call: CallOptions = {}): Promise<Answer<ChannelStateAnswer>> {
    this.#checkUsable()
    if (this.#id === undefined && !this.#given.members?.length)
      throw clientError('CLIENT_CHANNEL_ID_MISSING', 'channel id is not defined')
    if ((options.watch || options.presence) && !this.#host.isServerSide) {
      await this.#host.connected()
      this.#checkUsable()
    }
    const asked = { state: true, ...options }
    const messages = asked.messages && { ...asked.messages, limit: askedLimit(asked.messages.limit) }
    const path = this.#id === undefined ? `/channels/${this.type}/query` : `${this.#path()}/query`
    const { data = {}, ...rest } = asked
    const body = { ...rest, messages, data: { ...this.#given, ...data } }

    const meanwhile = this.#startMeanwhile()
    try {
      const answer = await this.#host.call<ChannelStateAnswer>('POST', path, { body, ...call })
      this.#checkUsable()
      this.#named(answer)
      const isNewest = !messages || Object.keys(messages).every((field) => field === 'limit')
      const limit = messages?.limit ?? MESSAGES_PAGE
      const state = asked.state !== false
      if (isNewest) this.#take(answer, { limit, state, meanwhile }, state)
      else this.#takePage(answer, messages)
      return answer
    } finally {
      this.#meanwhile.delete(meanwhile)
    }
  }

  async stopWatching(call: CallOptions = {}): Promise<void> {
    await this.#call('POST', '/stop-watching', { body: {}, ...call })
    this.#change((state) => ({ ...state, initialized: false }))
  }

  /** Replaces the channel's own data; what is not given is gone [CHN-30…CHN-36]. */
  async update(
    data: ChannelRequest | ChannelData = {},
    message?: MessageRequest,
    options: object = {},
    call: CallOptions = {},
  ): Promise<Answer<ChannelUpdate>> {
    return this.#update({ data: outgoingChannelData(data), message, ...options }, call)
  }

  async updatePartial(update: PartialUpdate, call: CallOptions = {}): Promise<Answer<ChannelUpdate>> {
    const answer = await this.#call<ChannelUpdate>('PATCH', '', { body: update, ...call })
    this.#updated(answer)
    return answer
  }

  async addMembers(
    members: readonly MemberRequest[],
    message?: MessageRequest,
    options: { hide_history?: boolean; skip_push?: boolean } = {},
    call: CallOptions = {},
  ) {
    return this.#update({ add_members: members, message, ...options }, call)
  }

  async removeMembers(
    ids: readonly string[],
    message?: MessageRequest,
    options: { skip_push?: boolean } = {},
    call: CallOptions = {},
  ) {
    return this.#update({ remove_members: ids, message, ...options }, call)
  }

  async inviteMembers(members: readonly MemberRequest[], message?: MessageRequest, call: CallOptions = {}) {
    return this.#update({ invites: members, message }, call)
  }

  async acceptInvite(options: { message?: MessageRequest; user_id?: string } = {}, call: CallOptions = {}) {
    return this.#update({ accept_invite: true, ...options }, call)
  }

  async rejectInvite(options: { message?: MessageRequest; user_id?: string } = {}, call: CallOptions = {}) {
    return this.#update({ reject_invite: true, ...options }, call)
  }

  async addModerators(ids: readonly string[], message?: MessageRequest, call: CallOptions = {}) {
    return this.#update({ add_moderators: ids, message }, call)
  }

  async demoteModerators(ids: readonly string[], message?: MessageRequest, call: CallOptions = {}) {
    return this.#update({ demote_moderators: ids, message }, call)
  }

  async assignRoles(
    roles: readonly { user_id: string; channel_role: string }[],
    message?: MessageRequest,
    call: CallOptions = {},
  ) {
    return this.#update({ assign_roles: roles, message }, call)
  }

  /** Seconds a member waits between two messages, 1–120. */
  async enableSlowMode(seconds: number, call: CallOptions = {}) {
    return this.#update({ cooldown: seconds }, call)
  }

  async disableSlowMode(call: CallOptions = {}) {
    return this.#update({ cooldown: 0 }, call)
  }

  async truncate(
    options: {
      hard_delete?: boolean
      skip_push?: boolean
      truncated_at?: string
      message?: MessageRequest
      user_id?: string
    } = {},
    call: CallOptions = {},
  ) {
    return this.#call<{ channel: ChannelData; message?: Message }>('POST', '/truncate', { body: options, ...call })
  }

  async hide(userID?: string, clearHistory = false, call: CallOptions = {}): Promise<void> {
    await this.#call('POST', '/hide', { body: { user_id: userID, clear_history: clearHistory }, ...call })
  }

  async show(userID?: string, call: CallOptions = {}): Promise<void> {
    await this.#call('POST', '/show', { body: { user_id: userID }, ...call })
  }

  async delete(options: { hard_delete?: boolean } = {}, call: CallOptions = {}) {
    return this.#call<{ channel: ChannelData }>('DELETE', '', { query: options, ...call })
  }

  /** Asks for a call in this channel; a server without calls refuses with code 4. */
  async createCall(options: { id: string; type: string } & Record<string, unknown>, call: CallOptions = {}) {
    return this.#call<{ call: Record<string, unknown>; token?: string }>('POST', '/call', { body: options, ...call })
  }

  // Members

  async queryMembers(
    filter: Filter,
    sort: Sort = [],
    options: { limit?: number; offset?: number; user_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ members: Member[] }>> {
    this.#checkUsable()
    const who = this.#id === undefined ? { members: this.#given.members } : { id: this.#id }
    const payload = { type: this.type, ...who, filter_conditions: filter, sort: wireSort(sort), ...options }
    return this.#host.call('GET', '/members', { query: { payload }, ...call })
  }

  /** @throws ChatError CLIENT_MEMBER_ID_MISSING [MEM-12] */
  async partialUpdateMember(userID: string, update: PartialUpdate, call: CallOptions = {}) {
    this.#memberID(userID, 'update a member')
    return this.#updateMember(userID, update, call)
  }

  async archive(options: { user_id?: string } = {}, call: CallOptions = {}) {
    return this.#updateMember(this.#memberID(options.user_id, 'archive'), { set: { archived: true } }, call)
  }

  async unarchive(options: { user_id?: string } = {}, call: CallOptions = {}) {
    return this.#updateMember(this.#memberID(options.user_id, 'unarchive'), { set: { archived: false } }, call)
  }

  async pin(options: { user_id?: string } = {}, call: CallOptions = {}) {
    return this.#updateMember(this.#memberID(options.user_id, 'pin'), { set: { pinned: true } }, call)
  }

  async unpin(options: { user_id?: string } = {}, call: CallOptions = {}) {
    return this.#updateMember(this.#memberID(options.user_id, 'unpin'), { set: { pinned: false } }, call)
  }

  /** @param options.expiration milliseconds from now; for good when left out */
  async mute(options: { expiration?: number; user_id?: string } = {}, call: CallOptions = {}) {
    this.#path()
    const body = { channel_cid: this.#cid, ...options }
    return this.#host.call<{ channel_mute: ChannelMute }>('POST', '/moderation/mute/channel', { body, ...call })
  }

  async unmute(options: { user_id?: string } = {}, call: CallOptions = {}) {
    this.#path()
    const body = { channel_cid: this.#cid, ...options }
    return this.#host.call('POST', '/moderation/unmute/channel', { body, ...call })
  }

  // Messages, as plain calls

  /** One request. The local state is left to the event; `send` shows the message at once. */
  async sendMessage(message: MessageRequest, options: SendOptions = {}, call: CallOptions = {}) {
    return this.#call<{ message: Message }>('POST', '/message', { body: { message, ...options }, ...call })
  }

  async getMessagesById(ids: readonly string[], call: CallOptions = {}) {
    return this.#call<{ messages: Message[] }>('GET', '/messages', { query: { ids }, ...call })
  }

  /** A page of a thread, 50 unless said otherwise; what comes is added to `state.replies`. */
  async getReplies(
    parentID: string,
    options: MessagePageOptions = {},
    sort?: Sort,
    call: CallOptions = {},
  ): Promise<Answer<{ messages: Message[] }>> {
    this.#checkUsable()
    const query = {
      ...options,
      limit: Math.min(options.limit ?? REPLIES_ASKED, MESSAGES_ASKED_MAX),
      sort: sort && JSON.stringify(wireSort(sort)),
    }
    const path = `/messages/${encodeURIComponent(parentID)}/replies`
    const answer = await this.#host.call<{ messages: Message[] }>('GET', path, { query, ...call })
    this.#change((state) => {
      const replies = union(own(state.replies, parentID) ?? [], answer.messages.map(localMessage))
      return { ...state, replies: { ...state.replies, [parentID]: replies } }
    })
    return answer
  }

  /** @throws ChatError CLIENT_REACTION_INCOMPLETE [RXN-5, RXN-6] */
  async sendReaction(
    messageID: string,
    reaction: ReactionDraft,
    options: { enforce_unique?: boolean; skip_push?: boolean } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ message: Message; reaction: Reaction }>> {
    if (!messageID) throw clientError('CLIENT_REACTION_INCOMPLETE', 'Sending a reaction needs a message id')
    if (!reaction?.type)
      throw clientError('CLIENT_REACTION_INCOMPLETE', 'Sending a reaction needs a non-empty reaction')
    this.#checkUsable()
    const path = `/messages/${encodeURIComponent(messageID)}/reaction`
    return this.#host.call('POST', path, { body: { reaction, ...options }, ...call })
  }

  /** @throws ChatError CLIENT_REACTION_INCOMPLETE [RXN-7, RXN-8] */
  async deleteReaction(
    messageID: string,
    type: string,
    userID?: string,
    call: CallOptions = {},
  ): Promise<Answer<{ message: Message; reaction: Reaction }>> {
    if (!messageID || !type)
      throw clientError('CLIENT_REACTION_INCOMPLETE', 'Deleting a reaction needs a message id and a reaction type')
    this.#checkUsable()
    const path = `/messages/${encodeURIComponent(messageID)}/reaction/${encodeURIComponent(type)}`
    return this.#host.call('DELETE', path, { query: { user_id: userID ?? this.#host.me()?.id }, ...call })
  }

  /** Runs an action that a message offers. An answer without a message ends a message only its author sees. */
  async sendAction(messageID: string, formData: Record<string, string>, call: CallOptions = {}) {
    needsMessageID(messageID, 'run an action of')
    const body = { message_id: messageID, form_data: formData }
    const path = `/messages/${encodeURIComponent(messageID)}/action`
    this.#checkUsable()
    const answer = await this.#host.call<{ message?: Message }>('POST', path, { body, ...call })
    const { message } = answer
    this.#change((state) => (message ? withChanged(state, localMessage(message)) : withoutMessage(state, messageID)))
    return answer
  }

  async getReactions(
    messageID: string,
    options: { limit?: number; offset?: number } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ reactions: Reaction[] }>> {
    this.#checkUsable()
    return this.#host.call('GET', `/messages/${encodeURIComponent(messageID)}/reactions`, { query: options, ...call })
  }

  async sendEvent(event: OwnEvent, call: CallOptions = {}): Promise<void> {
    this.#checkInitialized()
    await this.#call('POST', '/event', { body: { event }, ...call })
  }

  // Messages, shown at once [client.md 2.7]

  /**
   * Shows a message at once and sends it. Does not reject when the server or the network refuses: the message it
   * resolves with then has the status `failed` and an `error`, and `retry` sends it again.
   */
  async send(draft: MessageDraft, options: SendOptions = {}, call: CallOptions = {}): Promise<LocalMessage> {
    this.#checkUsable()
    return this.#outbox.send(draft, options, call)
  }

  /** Sends again what failed, under the same id: a message as a message, an edit as an edit [MSG-33]. */
  async retry(messageID: string, call: CallOptions = {}): Promise<LocalMessage> {
    this.#checkUsable()
    return this.#outbox.retry(messageID, call)
  }

  /** Shows the changes at once. On failure they stay and the message is marked failed. */
  async edit(messageID: string, changes: Partial<MessageDraft>, call: CallOptions = {}): Promise<LocalMessage> {
    this.#checkUsable()
    return this.#outbox.edit(messageID, changes, call)
  }

  /**
   * Shows the message as deleted at once; it comes back, and the call rejects, when the server refuses.
   * A message that never reached the server just goes.
   */
  async remove(messageID: string, options: { hard?: boolean } = {}, call: CallOptions = {}): Promise<void> {
    this.#checkUsable()
    return this.#outbox.remove(messageID, options, call)
  }

  /** Shows the reaction at once; it is taken back, and the call rejects, when the server refuses. */
  async react(
    messageID: string,
    reaction: string | ReactionDraft,
    options: { enforce_unique?: boolean } = {},
    call: CallOptions = {},
  ): Promise<void> {
    this.#checkUsable()
    const draft = typeof reaction === 'string' ? { type: reaction } : reaction
    return this.#outbox.react(messageID, draft, options.enforce_unique ?? false, call)
  }

  async unreact(messageID: string, type: string, call: CallOptions = {}): Promise<void> {
    this.#checkUsable()
    return this.#outbox.unreact(messageID, type, call)
  }

  // Moving through the history [client.md 2.8]

  /** Adds the page before the shown messages. Does nothing when there is none. */
  loadOlder(call: CallOptions = {}): Promise<void> {
    return this.#loadPage('older', call)
  }

  /** Adds the page after the shown messages. Does nothing at the live end. */
  loadNewer(call: CallOptions = {}): Promise<void> {
    return this.#loadPage('newer', call)
  }

  /** Shows the stretch of history around a message, or the newest messages. In a thread: that part of the thread. */
  async jumpTo(target: string | 'latest', options: { parentId?: string } = {}, call: CallOptions = {}): Promise<void> {
    this.#checkUsable()
    if (target === 'latest') return this.#jumpToLatest(call)
    if (options.parentId) {
      await this.getReplies(options.parentId, { id_around: target }, undefined, call)
      return this.jumpTo(options.parentId, {}, call)
    }
    const set = this.state.sets.find(({ messages }) => messages.some(({ id }) => id === target))
    if (set) return this.#change((state) => withSets(state, withCurrent(state.sets, set)))
    await this.query({ messages: { limit: MESSAGES_PAGE, id_around: target } }, call)
  }

  // Reading marks

  /**
   * Marks the channel read, or one of its threads.
   * @returns null, without a request, where the channel keeps no read state
   */
  async markRead(
    options: { message_id?: string; thread_id?: string; user_id?: string } = {},
    call: CallOptions = {},
  ): Promise<Answer<{ event: ChatEvent<'message.read'> | null }> | null> {
    if (!this.#host.isServerSide) this.#checkInitialized()
    if (this.#keepsNoReads()) return null
    return this.#call('POST', '/read', { body: options, ...call })
  }

  /**
   * The named message becomes the first unread one.
   * @throws ChatError CLIENT_MARK_UNREAD_TOO_OLD — only the newest 100 can be named [READ-17]
   */
  async markUnread(
    options: { message_id?: string; message_timestamp?: string; thread_id?: string; user_id?: string },
    call: CallOptions = {},
  ): Promise<Answer | null> {
    if (!this.#host.isServerSide) this.#checkInitialized()
    if (this.#keepsNoReads()) return null
    if (options.message_id && this.#isOlderThanNewest(options.message_id, MARK_UNREAD_WINDOW)) {
      const text = `Cannot mark unread messages older than the newest ${MARK_UNREAD_WINDOW} channel messages.`
      throw clientError('CLIENT_MARK_UNREAD_TOO_OLD', `Error marking message unread. ${text}`)
    }
    return this.#call('POST', '/unread', { body: options, ...call })
  }

  // Typing [client.md 2.6]

  /** Call it for every key; the others are told at most every 2 s [TYP-1]. */
  async keystroke(parentID?: string): Promise<void> {
    if (this.#typesSilently()) return
    await this.#typing.keystroke(parentID, this.#host.clock.now()).catch(this.#typingLost)
  }

  async stopTyping(parentID?: string): Promise<void> {
    if (this.#typesSilently()) return
    await this.#typing.stop(parentID).catch(this.#typingLost)
  }

  // What stands behind

  #receive(event: ChatEvent) {
    for (const meanwhile of this.#meanwhile) {
      if (event.type === 'message.new') meanwhile.came.add(event.message.id)
      if (event.type === 'message.deleted' && event.hard_delete) meanwhile.went.add(event.message.id)
    }
    const frozen = this.data.frozen
    this.#change((state) => channelState(state, event, this.#host.context(this.#cid)))
    // What one may do in a frozen channel is for the server to say [CHN-45].
    if (event.type === 'channel.updated' && frozen !== undefined && this.data.frozen !== frozen && this.initialized)
      this.query({ state: false }).catch((error) => this.#host.failed(`${this.#cid} could not be read again.`, error))
    if (event.type === 'message.new' && event.user?.id === this.#host.me()?.id)
      this.composerIn(event.message.parent_id).posted(event.message.id)
    // Nobody looks at it, so it need not grow without end.
    if (event.type === 'message.new' && this.#cell.listeners === 0)
      this.#change((state) => withSets(state, trimmed(state.sets, MESSAGES_KEPT_UNSEEN)))
  }

  #change(change: (state: ChannelState) => ChannelState) {
    this.#cell.set(change(this.#cell.snapshot()))
  }

  #take(answer: ChannelStateAnswer, asked: Asked, initialized: boolean) {
    const capabilities = this.data.own_capabilities
    this.#change((before) => {
      const next = withAnswer(before, answer, asked, this.#host.context(this.#cid))
      return { ...next, initialized: before.initialized || initialized }
    })
    const now = this.data.own_capabilities
    if (capabilities && now && capabilities.toSorted().join() !== now.toSorted().join())
      this.#host.tell({ type: 'capabilities.changed', cid: this.#cid, own_capabilities: now })
  }

  /** A page of the history, joined to the sets where it belongs. */
  #takePage(answer: ChannelStateAnswer, asked: MessagePageOptions & { limit: number }) {
    const messages = answer.messages.map((message) => localMessage(message as Message))
    const shown = currentSet(this.state.sets).messages
    const { limit } = asked
    let page: Page | undefined
    if (asked.id_around) page = { kind: 'around', id: asked.id_around, messages, limit }
    else if (asked.id_lt && asked.id_lt === shown[0]?.id) page = { kind: 'older', messages, limit }
    else if (asked.id_gt && asked.id_gt === shown.at(-1)?.id) page = { kind: 'newer', messages, limit }
    if (!page) return
    const joined = page
    this.#change((state) => withSets(state, withPage(state.sets, joined)))
  }

  #loadPage(kind: 'older' | 'newer', call: CallOptions): Promise<void> {
    const set = currentSet(this.state.sets)
    const received = set.messages.filter(({ status }) => status === 'received')
    const edge = kind === 'older' ? received[0] : received.at(-1)
    if (!edge || !(kind === 'older' ? set.hasOlder : set.hasNewer)) return Promise.resolve()
    const running = this.#paging.get(kind)
    if (running) return running
    const position = kind === 'older' ? { id_lt: edge.id } : { id_gt: edge.id }
    const page = this.#page(kind, edge.id, position, call).finally(() => this.#paging.delete(kind))
    this.#paging.set(kind, page)
    return page
  }

  async #page(kind: 'older' | 'newer', edge: string, position: MessagePageOptions, call: CallOptions) {
    this.#checkUsable()
    const body = { data: {}, state: true, messages: { limit: MESSAGES_PAGE, ...position } }
    const answer = await this.#call<ChannelStateAnswer>('POST', '/query', { body, ...call })
    const messages = answer.messages.map((message) => localMessage(message as Message))
    this.#change((state) => {
      // The reader may have jumped elsewhere meanwhile; the page belongs to where it was asked.
      const set = state.sets.find((other) => findMessage([other], edge))
      if (!set) return state
      const shown = currentSet(state.sets)
      const there = withPage(withCurrent(state.sets, set), { kind, messages, limit: MESSAGES_PAGE })
      if (set === shown) return withSets(state, there)
      const anchor = shown.messages[0]?.id
      const back = there.find((other) => anchor !== undefined && findMessage([other], anchor))
      return withSets(state, back ? withCurrent(there, back) : there)
    })
  }

  async #jumpToLatest(call: CallOptions) {
    const latest = latestSet(this.state.sets)
    const isWhole = latest && (!latest.hasOlder || latest.messages.length >= MESSAGES_PAGE)
    if (!isWhole) await this.query({ messages: { limit: MESSAGES_PAGE } }, call)
    this.#change((state) => {
      const set = latestSet(state.sets)
      return set ? withSets(state, withCurrent(state.sets, set)) : state
    })
  }

  #startMeanwhile(): Noted {
    const meanwhile = { came: new Set<string>(), went: new Set<string>() }
    this.#meanwhile.add(meanwhile)
    return meanwhile
  }

  #named(answer: ChannelStateAnswer) {
    const from = this.#cid
    this.#id = answer.channel.id
    this.#cid = answer.channel.cid
    this.#given = {} // The server has it.
    if (from !== this.#cid) this.#host.renamed(from, this.#cid)
  }

  #sweep(now: number) {
    this.#change((state) => withTypingExpired(state, now - TYPING_FORGET_MS))
    this.#typing.sweep(now).catch(this.#typingLost)
  }

  /** Nobody who writes wants to hear that the others do not see it. */
  #typingLost = (error: unknown) => this.#host.failed(`${this.#cid}: typing was not told.`, error)

  async #update(body: object, call: CallOptions): Promise<Answer<ChannelUpdate>> {
    const answer = await this.#call<ChannelUpdate>('POST', '', { body, ...call })
    this.#updated(answer)
    return answer
  }

  #updated(answer: ChannelUpdate) {
    const event = { type: 'channel.updated', channel: answer.channel, cid: this.#cid } as unknown as ChatEvent
    this.#change((state) => channelState(state, event, this.#host.context(this.#cid)))
  }

  #updateMember(userID: string, update: PartialUpdate, call: CallOptions) {
    const path = `/member/${encodeURIComponent(userID)}`
    return this.#call<{ channel_member: Member }>('PATCH', path, { body: update, ...call })
  }

  #memberID(given: string | undefined, action: string): string {
    const id = given || (this.#host.isServerSide || action === 'update a member' ? undefined : this.#host.me()?.id)
    if (!id) throw clientError('CLIENT_MEMBER_ID_MISSING', `A user id is needed to ${action}`)
    return id
  }

  /** Whether so many newer messages are loaded that it cannot be among the newest; the server knows the rest. */
  #isOlderThanNewest(messageID: string, count: number): boolean {
    const newest = latestSet(this.state.sets)?.messages.filter(({ status }) => status === 'received') ?? []
    const at = newest.findIndex(({ id }) => id === messageID)
    return at >= 0 && newest.length - at > count
  }

  #keepsNoReads(): boolean {
    return this.data.config?.read_events === false && !this.#host.isServerSide
  }

  /** Nothing is told where typing is switched off, in the channel or by the user [TYP-8]. */
  #typesSilently(): boolean {
    if (!this.initialized || this.data.config?.typing_events === false) return true
    const own = this.#host.me() as OwnUser | undefined
    return own?.privacy_settings?.typing_indicators?.enabled === false
  }

  #outboxDoor() {
    const channel = this
    const messagePath = (id: string) => `/messages/${encodeURIComponent(id)}`
    return {
      clock: this.#host.clock,
      get cid() {
        return channel.#cid
      },
      me: () => this.#host.me(),
      state: () => this.state,
      change: (change: (state: ChannelState) => ChannelState) => this.#change(change),
      context: () => this.#host.context(this.#cid),
      post: async (draft: MessageDraft, options: SendOptions, call: CallOptions) =>
        (await this.sendMessage(draft, options, call)).message,
      fetch: async (id: string) => (await this.#host.call<{ message: Message }>('GET', messagePath(id))).message,
      patch: async (id: string, set: Partial<MessageDraft>, call: CallOptions) =>
        (await this.#host.call<{ message: Message }>('PUT', messagePath(id), { body: { set }, ...call })).message,
      delete: async (id: string, { hard }: { hard?: boolean }, call: CallOptions) => {
        const query = { hard: hard ? true : undefined }
        return (await this.#host.call<{ message: Message }>('DELETE', messagePath(id), { query, ...call })).message
      },
      addReaction: async (id: string, reaction: ReactionDraft, enforce_unique: boolean, call: CallOptions) =>
        (await this.sendReaction(id, reaction, enforce_unique ? { enforce_unique } : {}, call)).message,
      removeReaction: async (id: string, type: string, call: CallOptions) =>
        (await this.deleteReaction(id, type, undefined, call)).message,
      loadLatest: () => {
        const asked = this.query({ messages: { limit: MESSAGES_PAGE } })
        asked.catch((error) => this.#host.failed(`${this.#cid}: the newest messages were not loaded.`, error))
      },
    }
  }

  async #call<Fields>(method: Method, path: string, options: RequestOptions): Promise<Answer<Fields>> {
    return this.#host.call<Fields>(method, this.#path() + path, options)
  }

  #path(): string {
    this.#checkUsable()
    if (this.#id === undefined) throw clientError('CLIENT_CHANNEL_ID_MISSING', 'channel id is not defined')
    return `/channels/${this.type}/${encodeURIComponent(this.#id)}`
  }

  #checkUsable() {
    if (this.disconnected) throw disconnectedError()
  }

  #checkInitialized() {
    this.#checkUsable()
    if (this.initialized) return
    const message = `Channel ${this.#cid} hasn't been initialized yet. Make sure to call .watch() and wait for it to resolve.`
    throw clientError('CLIENT_CHANNEL_NOT_INITIALIZED', message)
  }
}

type Noted = { came: Set<string>; went: Set<string> }

export interface ChannelUpdate {
  channel: ChannelData
  members: Member[]
  message?: Message
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

/** @throws ChatError CLIENT_MESSAGE_ID_MISSING [MSG-17] */
export function needsMessageID(id: string | undefined, action: string) {
  if (!id) throw clientError('CLIENT_MESSAGE_ID_MISSING', `A message id is needed to ${action} a message`)
}

function typistsOf(typing: ChannelState['typing'], parentID: string | undefined): User[] {
  return Object.values(typing).flatMap((event) => (event.parent_id === parentID ? [event.user as User] : []))
}

function askedLimit(limit: number | undefined): number {
  return Math.min(limit ?? MESSAGES_PAGE, MESSAGES_ASKED_MAX)
}

function disconnectedError(): ChatError {
  return clientError('CLIENT_CHANNEL_DISCONNECTED', "You can't use a channel after client.disconnect() was called")
}
