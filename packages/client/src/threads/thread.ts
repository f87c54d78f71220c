import type { Channel } from '../channels/channel.ts'
import type { ChannelContext } from '../channels/channel-context.ts'
import { type LoadedThread, messageIn, own } from '../channels/channel-state.ts'
import type { Composer } from '../composer/composer.ts'
import type { ChatEvent } from '../events.ts'
import { THREADS_EVERY_MS } from '../limits.ts'
import { aspect, Cell, type Live, merged } from '../live.ts'
import { type LocalMessage, localMessage } from '../messages/local-message.ts'
import { currentSet, emptySets } from '../messages/message-sets.ts'
import { soon } from '../on-demand.ts'
import type { CallOptions, ThreadData } from '../shapes.ts'
import { type ThreadFields, threadFields, threadState } from './thread-state.ts'
import type { ThreadsContext } from './threads.ts'
import { throttled } from './throttled.ts'

/** The state of a thread; custom fields are beside these fields [THR-1, THR-2]. */
export type ThreadState = ThreadFields & {
  readonly parent_message: LocalMessage
  /** The shown replies, oldest first, without gaps. */
  readonly replies: readonly LocalMessage[]
  readonly reply_count: number
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  readonly loading: boolean
  /** The server no longer sends its events; showing the thread reloads it. */
  readonly stale: boolean
}

/** Events that change nothing if an answer already included them. */
const idempotent = ['message.new', 'message.read', 'notification.mark_read']

type Soon = typeof import('../lazy-chunk-soon.ts')
type Standing = Pick<ThreadState, 'loading' | 'stale'>

/** One thread, by the id of its parent message. Threads come from `client.threads` and `client.getThread()`. */
export class Thread implements Live<ThreadState> {
  /** The id of the parent message. */
  readonly id: string
  /** The channel of the thread; it need not be watched. */
  readonly channel: Channel
  #context: ThreadsContext
  #place: ChannelContext
  #fields: Cell<ThreadFields>
  #standing: Cell<Standing>
  #loaded: Live<LoadedThread | undefined>
  #parent: LocalMessage
  #capabilities: readonly string[] | undefined
  #state: { of: readonly unknown[]; value: ThreadState } | undefined
  #isShown = false
  #markReadSoon: () => Promise<void>
  #reloadSoon: () => Promise<void>
  constructor(
    context: ThreadsContext,
    place: ChannelContext,
    data: ThreadData,
    limit: number,
    events: readonly ChatEvent[],
  ) {
    this.id = data.parent_message_id
    this.channel = place.channel
    this.#context = context
    this.#place = place
    const failed = (error: unknown) => context.log('warn', `A listener of ${this.id} failed.`, error)
    this.#fields = new Cell(threadFields(data), failed)
    this.#standing = new Cell<Standing>({ loading: false, stale: false }, failed)
    this.#loaded = aspect(place.channel, ({ threads }) => own(threads, this.id))
    this.#parent = localMessage(data.parent_message)
    this.#markReadSoon = throttled(context.clock, THREADS_EVERY_MS, () => this.#markRead())
    this.#reloadSoon = throttled(context.clock, THREADS_EVERY_MS, () => this.reload())
    this.take(data, limit, events)
  }

  /** The whole state; see `ThreadState`. */
  snapshot = (): ThreadState => {
    const of = [this.#fields.snapshot(), this.#standing.snapshot(), this.#loaded.snapshot()] as const
    if (!this.#state?.of.every((part, i) => part === of[i])) this.#state = { of, value: this.#whole(...of) }
    return this.#state.value
  }

  /** Calls the listener after every change, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => {
    const ends = [this.#fields, this.#standing, this.#loaded].map((part) => part.subscribe(listener))
    return () => {
      for (const end of ends) end()
    }
  }

  /** The user's own unread replies. */
  get unreadCount(): number {
    return own(this.#fields.snapshot().read, this.#context.client.userID)?.unread_messages ?? 0
  }

  /** The composer of this thread. */
  get composer(): Composer {
    return this.channel.composerIn(this.id)
  }

  /** Call it when a view shows the thread: new replies are marked read. */
  show() {
    this.#isShown = true
    if (this.#standing.snapshot().stale) this.#inBackground(this.#reloadSoon())
    this.#inBackground(this.markRead())
  }

  /** Call it when the view is closed: new replies count as unread. */
  hide() {
    this.#isShown = false
  }

  /** Reloads the thread. Unsent replies stay. */
  async reload(call: CallOptions = {}): Promise<void> {
    await this.#whileLoading(async () => {
      await this.#context.read(this.id, call)
      // More replies were missed than the answer has.
      if (this.snapshot().hasNewer) await this.#load('newer', call)
    })
  }

  /** Adds the 50 replies before the shown ones. Does nothing if there are none. */
  async loadOlder(call: CallOptions = {}): Promise<void> {
    await this.#whileLoading(() => this.#load('older', call))
  }

  /** Adds the 50 replies after the shown ones. Does nothing at the live end. */
  async loadNewer(call: CallOptions = {}): Promise<void> {
    await this.#whileLoading(() => this.#load('newer', call))
  }

  /** Marks the thread read, at most once per second, and only if it has unread replies or `force` is set. */
  async markRead({ force = false } = {}): Promise<void> {
    if (force || this.unreadCount > 0) await this.#markReadSoon()
  }

  /** Only for the thread list: applies an answer. */
  take(data: ThreadData, limit: number, events: readonly ChatEvent[]) {
    this.#capabilities = data.channel.own_capabilities
    this.#fields.set(threadFields(data))
    for (const event of events) if (idempotent.includes(event.type)) this.#learn(event)
    ;(soon.module as Soon).takeThread(this.#place, data, limit, events)
    this.#stands({ stale: false })
    if (this.#isShown) this.#inBackground(this.markRead())
  }

  /** Only for the thread list: applies an event, before the channel does. */
  receive(event: ChatEvent) {
    const { me } = this.#learn(event)
    if (event.type === 'message.new' && event.message.parent_id === this.id && this.#isShown)
      if (event.message.user?.id !== me) this.#inBackground(this.markRead({ force: true }))
    if (event.type === 'user.watching.stop' && event.user.id === me) this.grewStale()
  }

  /** Only for the thread list: no more events arrive for it. */
  grewStale() {
    this.#stands({ stale: true })
    if (this.#isShown) this.#inBackground(this.#reloadSoon())
  }

  #whole(fields: ThreadFields, standing: Standing, loaded: LoadedThread | undefined): ThreadState {
    const set = currentSet(loaded?.sets ?? emptySets)
    this.#parent = loaded?.parent ?? this.#parent
    const { messages: replies, hasOlder, hasNewer } = set
    const parent_message = this.#parent
    return {
      ...fields,
      ...standing,
      parent_message,
      replies,
      reply_count: parent_message.reply_count,
      hasOlder,
      hasNewer,
    } as ThreadState
  }

  #learn(event: ChatEvent) {
    const context = this.#context.eventContext(this.channel.cid)
    this.#fields.set(
      threadState(this.#fields.snapshot(), event, {
        ...context,
        capabilities: this.channel.data.own_capabilities ?? this.#capabilities,
        isShown: this.#isShown,
        known: (id) => messageIn(this.channel.state, id),
        hasPosition: (id) => {
          const { members, read } = this.channel.state
          return own(members, id) && own(read, id) !== undefined
        },
        following: (soon.module as Soon).following,
      }),
    )
    return context
  }

  async #markRead() {
    if (this.channel.getConfig()?.read_events === false || this.channel.disconnected) return
    const body = { thread_id: this.id }
    const { event } = await this.#place.call<{ event: ChatEvent<'message.read'> | null }>('POST', '/read', { body })
    // On this connection its event may not arrive: marking a thread read does not require watching it.
    if (!event) return
    this.receive(event)
    for (const events of this.#context.noted) events.push(event)
  }

  #load(kind: 'older' | 'newer', call: CallOptions): Promise<void> {
    return soon.use(({ loadReplies }) => loadReplies(this.#place, this.id, kind, call))
  }

  async #whileLoading(task: () => Promise<void>) {
    this.#stands({ loading: true })
    await task().finally(() => this.#stands({ loading: false }))
  }

  #stands(change: Partial<Standing>) {
    this.#standing.set(merged(this.#standing.snapshot(), change))
  }

  #inBackground(task: Promise<void>) {
    task.catch((error) => this.#context.log('warn', `${this.id} could not be recovered.`, error))
  }
}
