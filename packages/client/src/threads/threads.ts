import type { ClientContext } from '../client-context.ts'
import { Cell, type Live, merged } from '../live.ts'
import { OnDemand, soon } from '../on-demand.ts'
import type { CallOptions } from '../shapes.ts'
import type { Thread } from './thread.ts'
import type { ThreadList } from './thread-list.ts'

/** Loads the code for events as well, which threads use. */
const threadList = new OnDemand(() => soon.fetch().then(() => import('./thread-list.ts')))

/** The user's threads in the server's order: unread first, then by the newest reply. */
export interface ThreadListState {
  readonly threads: readonly Thread[]
  /** The cursor of the next page; undefined when there is none. */
  readonly next: string | undefined
  readonly loading: boolean
  readonly loaded: boolean
  /** How many threads have unread replies, listed or not. */
  readonly unreadThreads: number
  /** Threads that got a reply and are not listed yet; a reload lists them. */
  readonly newThreadIds: readonly string[]
  /** A listed thread got a reply, so the order is outdated; a reload corrects it. */
  readonly orderStale: boolean
}

const noThreads: ThreadListState = {
  threads: [],
  next: undefined,
  loading: false,
  loaded: false,
  unreadThreads: 0,
  newThreadIds: [],
  orderStale: false,
}

/** The client functions that threads use. */
export interface ThreadsContext extends ClientContext {
  /** Queries one thread again. */
  read(id: string, call: CallOptions): Promise<unknown>
}

/** The part of the threads that only the client uses. */
export interface ThreadsHandle {
  /** Set once threads were requested. */
  list: ThreadList | undefined
  countUnread(unreadThreads: number): void
  use<Result>(use: (list: ThreadList) => Promise<Result>): Promise<Result>
  forget(): void
}

/** The list of threads; its code is loaded on first use [client.md 5.2]. */
export class Threads implements Live<ThreadListState> {
  #cell: Cell<ThreadListState>
  #handle: ThreadsHandle
  constructor(context: ClientContext, handle: (handle: ThreadsHandle) => void) {
    this.#cell = new Cell(noThreads, (error) => context.log('warn', 'A listener failed.', error))
    const own: ThreadsHandle = {
      list: undefined,
      countUnread: (unreadThreads) => this.#cell.set(merged(this.#cell.snapshot(), { unreadThreads })),
      use: (use) =>
        threadList.use((module) => {
          own.list ??= new module.ThreadList(context, this.#cell)
          return use(own.list)
        }),
      forget: () => {
        own.list?.forget()
        own.list = undefined
        this.#cell.set(noThreads)
      },
    }
    this.#handle = own
    handle(own)
  }

  /** The list as far as it is loaded; see `ThreadListState`. */
  snapshot = (): ThreadListState => this.#cell.snapshot()
  /** Calls the listener after every change, until the function it gives back is called. */
  subscribe = (listener: () => void): (() => void) => this.#cell.subscribe(listener)

  /** Loads the first 25 threads, once [THR-17]. */
  load(call: CallOptions = {}): Promise<void> {
    return this.#handle.use((list) => list.load(call))
  }

  /** Adds the next 25. Does nothing if there are none. */
  loadMore(call: CallOptions = {}): Promise<void> {
    return this.#handle.use((list) => list.loadMore(call))
  }

  /** Reloads the listed threads with the new ones, 25 at most; the same thread stays the same object [THR-18]. */
  reload(call: CallOptions = {}): Promise<void> {
    return this.#handle.use((list) => list.reload(call))
  }
}
