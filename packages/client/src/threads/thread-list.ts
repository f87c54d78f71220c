/** The calls about threads, and their list; loaded on first use. */
import { own } from '../channels/channel-state.ts'
import { clientError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import type { ChatEvent } from '../events.ts'
import {
  PARTICIPANTS_LISTED,
  PARTICIPANTS_OF_ONE,
  REPLIES_LISTED,
  REPLIES_OF_ONE,
  THREADS_ASKED,
  THREADS_EVERY_MS,
} from '../limits.ts'
import { type Cell, merged } from '../live.ts'
import {
  type Answer,
  type Around,
  type CallOptions,
  type Filter,
  type OwnUser,
  type Page,
  type PartialUpdate,
  type Sort,
  type ThreadData,
  wireSort,
} from '../shapes.ts'
import { Thread } from './thread.ts'
import type { ThreadListState, ThreadsContext } from './threads.ts'
import { throttled } from './throttled.ts'

/** Fields that the server manages [THR-21…THR-27]. */
const managed = ['created_at', 'id', 'type', 'user', 'reply_count', 'participants', 'channel']

export interface ThreadsQuery {
  filter?: Filter
  sort?: Sort
  /** 25 by default, which is also the most. */
  limit?: number
  participant_limit?: number
  reply_limit?: number
  member_limit?: number
  watch?: boolean
  next?: string
  prev?: string
  user_id?: string
}

export interface ThreadQuery {
  participant_limit?: number
  reply_limit?: number
  member_limit?: number
  watch?: boolean
  user_id?: string
}

export class ThreadList {
  #context: ThreadsContext
  #cell: Cell<ThreadListState>
  #known = new Map<string, Thread>()
  #recoverSoon: () => Promise<void>
  #loading: Promise<void> | undefined
  #isForgotten = false
  constructor(context: ClientContext, cell: Cell<ThreadListState>) {
    this.#context = { ...context, read: (id, call) => this.getThread(id, {}, call) }
    this.#cell = cell
    this.#recoverSoon = throttled(context.clock, THREADS_EVERY_MS, () => this.reload())
  }

  // Calls

  async queryThreads(options: ThreadsQuery = {}, call: CallOptions = {}): Promise<{ threads: Thread[] } & Around> {
    const { sort, ...rest } = options
    const asked = {
      limit: THREADS_ASKED,
      participant_limit: PARTICIPANTS_LISTED,
      reply_limit: REPLIES_LISTED,
      watch: true,
      ...rest,
    }
    const body = { ...asked, sort: sort && wireSort(sort) }
    const request = () => this.#context.request<Page<{ threads: ThreadData[] }>>('POST', '/threads', { body, ...call })
    return this.#context.asks(asked, call, request, ({ threads, next, prev }, events) => ({
      threads: threads.map((thread) => this.#taken(thread, asked.reply_limit, events)),
      next,
      prev,
    }))
  }

  async getThread(id: string, options: ThreadQuery = {}, call: CallOptions = {}): Promise<Thread> {
    const asked = {
      participant_limit: PARTICIPANTS_OF_ONE,
      reply_limit: REPLIES_OF_ONE,
      watch: true,
      ...options,
    }
    const request = () =>
      this.#context.request<Answer<{ thread: ThreadData }>>('GET', threadPath(id), { query: asked, ...call })
    return this.#context.asks(asked, call, request, ({ thread }, events) =>
      this.#taken(thread, asked.reply_limit, events),
    )
  }

  async partialUpdateThread(
    id: string,
    update: PartialUpdate & { user_id?: string },
    call: CallOptions = {},
  ): Promise<Answer<{ thread: ThreadData }>> {
    if (!id) throw clientError('CLIENT_MESSAGE_ID_MISSING', 'A message id is needed to update a thread')
    const fields = [...Object.keys(update.set ?? {}), ...(update.unset ?? [])]
    const field = fields.find((name) => managed.includes(name))
    if (field !== undefined)
      throw clientError('CLIENT_THREAD_FIELD', `${field} is managed by the server and can't be set on a thread`)
    return this.#context.request('PATCH', threadPath(id), { body: update, ...call })
  }

  // The list

  async load(call: CallOptions = {}): Promise<void> {
    if (this.#cell.snapshot().loaded) return
    await this.#whileLoading(async (state) => {
      if (!state.loaded) await this.#read(state, call)
    })
  }

  async loadMore(call: CallOptions = {}): Promise<void> {
    if (this.#cell.snapshot().next === undefined) return
    await this.#whileLoading(async ({ next }) => {
      if (next === undefined) return
      const page = await this.queryThreads({ next }, call)
      const { threads } = this.#cell.snapshot()
      const others = page.threads.filter((thread) => !threads.includes(thread))
      this.#set({ threads: [...threads, ...others], next: page.next })
    })
  }

  async reload(call: CallOptions = {}): Promise<void> {
    await this.#whileLoading((state) => this.#read(state, call))
  }

  async #read({ loaded, threads, newThreadIds: asked }: ThreadListState, call: CallOptions) {
    const count = threads.length + asked.length
    const limit = loaded && count > 0 ? Math.min(count, THREADS_ASKED) : THREADS_ASKED
    const page = await this.queryThreads({ limit }, call)
    // The answer may not include events that arrived meanwhile.
    const known = [...asked, ...page.threads.map(({ id }) => id)]
    const newThreadIds = this.#cell.snapshot().newThreadIds.filter((id) => !known.includes(id))
    this.#set({ ...page, next: page.next, loaded: true, newThreadIds, orderStale: false })
  }

  // Events

  receive(event: ChatEvent) {
    const cid = 'cid' in event ? event.cid : undefined
    for (const thread of this.#known.values())
      if (cid === undefined || thread.channel.cid === cid) this.#tell(thread, event)
    const { loaded, threads, newThreadIds } = this.#cell.snapshot()
    if (event.type === 'connection.recovered') {
      for (const thread of this.#known.values()) thread.grewStale()
      if (loaded)
        this.#recoverSoon().catch((error) => this.#context.log('warn', 'Threads could not be recovered.', error))
    }
    if (event.type === 'notification.thread_message_new' && loaded) {
      const id = event.thread_id
      if (threads.some((thread) => thread.id === id)) this.#set({ orderStale: true })
      else if (!newThreadIds.includes(id)) this.#set({ newThreadIds: [...newThreadIds, id] })
    }
  }

  /** Removes threads whose channel or parent message is gone. */
  settle() {
    const gone = [...this.#known.values()].filter(
      ({ id, channel }) => channel.disconnected || !own(channel.state.threads, id),
    )
    if (gone.length === 0) return
    for (const { id } of gone) this.#known.delete(id)
    const { threads } = this.#cell.snapshot()
    const kept = threads.filter((thread) => !gone.includes(thread))
    if (kept.length < threads.length) this.#set({ threads: kept })
  }

  /** The server sends no more events of the channel's threads. @returns whether there are any */
  unwatched(cid: string): boolean {
    const threads = [...this.#known.values()].filter(({ channel }) => channel.cid === cid)
    for (const thread of threads) thread.grewStale()
    return threads.length > 0
  }

  forget() {
    this.#isForgotten = true
    this.#known.clear()
  }

  /** A deleted or restored reply changes the unread count, also if its event has no thread totals. */
  #tell(thread: Thread, event: ChatEvent) {
    const wasUnread = thread.unreadCount > 0
    thread.receive(event)
    const isUnread = thread.unreadCount > 0
    if (
      isUnread === wasUnread ||
      'unread_threads' in event ||
      (event.type !== 'message.deleted' && event.type !== 'message.undeleted')
    )
      return
    const { unread_threads = 0 } = this.#context.me() as OwnUser
    this.#context.merge({ unread_threads: Math.max(0, unread_threads + (isUnread ? 1 : -1)) })
  }

  #taken(data: ThreadData, limit: number, events: readonly ChatEvent[]) {
    if (this.#isForgotten) throw clientError('CLIENT_NO_USER', 'Signed out meanwhile')
    const { type, id } = data.channel
    const active = this.#context.activeChannel(type, id)
    const known = this.#known.get(data.parent_message_id)
    if (known && known.channel === active.channel) {
      known.take(data, limit, events)
      return known
    }
    const thread = new Thread(this.#context, active, data, limit, events)
    this.#known.set(thread.id, thread)
    return thread
  }

  /** Concurrent calls wait for the one under way, and then make their own. */
  async #whileLoading(task: (state: ThreadListState) => Promise<void>) {
    const before = this.#loading
    const run = (async () => {
      await before?.catch(() => {})
      this.#set({ loading: true })
      await task(this.#cell.snapshot())
    })()
    this.#loading = run
    await run.finally(() => {
      if (this.#loading === run) this.#loading = undefined
      this.#set({ loading: this.#loading !== undefined })
    })
  }

  #set(change: Partial<ThreadListState>) {
    if (!this.#isForgotten) this.#cell.set(merged(this.#cell.snapshot(), change))
  }
}

function threadPath(id: string): string {
  return `/threads/${encodeURIComponent(id)}`
}
