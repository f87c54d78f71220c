import { type Clock, every } from '../clock.ts'
import type { SequencedBus } from './sequenced-bus.ts'

/** A user is shown offline only if no new connection arrives within this time [messaging.md 2.7]. */
const OFFLINE_AFTER_MS = 5_000
const BEAT_MS = 5_000
/** A node silent for this long counts as dead, and its users as offline. */
const DEAD_AFTER_MS = 16_000
/** Users in one bus message; the bus takes no more than a megabyte. */
const USERS_PER_BUS_MESSAGE = 2_000

type News =
  /** Asks all others who is there. */
  | { say: 'hello' }
  | { say: 'bye' }
  /** All online users, with their connection counts; the last part ends the list. */
  | { say: 'here'; users: [key: string, connections: number][]; last: boolean }
  | { say: 'online'; users: string[] }
  | { say: 'offline'; users: string[] }
  /** How many connections a user has there; of who just came online it is one. */
  | { say: 'connections'; user: string; count: number }
  | { say: 'beat' }

/** What others must know of the nodes of a cluster. */
export interface NodeNews {
  /** The node ended, or timed out: its users are offline. */
  gone(node: string, how: { dead: boolean }): void
  /** It was taken for dead, and is not. */
  back(node: string): void
}

interface OtherNode {
  lastReceivedAt: number
  users: Map<string, number>
  /** The list of its users as far as it came. */
  list: Map<string, number>
}

/**
 * The online users, on this node and on the others. Every node keeps its own view and publishes only its own
 * connections, so nothing here touches the database.
 */
export class Presence {
  #clock: Clock
  #sequencedBus: SequencedBus | undefined
  #changed: (app: string, userId: string, online: boolean) => void
  /** Connection counts of online users; zero until it is published that the user left. */
  #here = new Map<string, number>()
  #leaving = new Map<string, () => void>()
  #elsewhere = new Map<string, OtherNode>()
  /** Users of nodes that ended a moment ago, who may be reconnecting to another. */
  #moving = new Map<ReadonlyMap<string, number>, () => void>()
  #nodes: NodeNews
  /** Nodes taken for dead. */
  #lost = new Set<string>()
  #closed = false
  #stop: (() => void)[] = []
  constructor(
    clock: Clock,
    sequencedBus: SequencedBus | undefined,
    changed: (app: string, userId: string, online: boolean) => void,
    nodes: NodeNews,
  ) {
    this.#nodes = nodes
    this.#clock = clock
    this.#sequencedBus = sequencedBus
    this.#changed = changed
    if (!sequencedBus) return
    this.#stop.push(sequencedBus.receive<News>('presence', (news) => this.#onNews(news.node, news)))
    this.#stop.push(every(clock, BEAT_MS, () => this.#beat()))
    this.askAll()
  }

  /** Asks the other nodes who is there. */
  askAll() {
    this.#publish({ say: 'hello' })
  }

  isOnline(app: string, userId: string): boolean {
    return this.#isOnline(`${app}|${userId}`)
  }

  /** On all nodes. What two of them let in at the same moment they learn of a moment later. */
  connectionsOf(app: string, userId: string): number {
    const key = `${app}|${userId}`
    let count = this.#here.get(key) ?? 0
    for (const { users } of this.#elsewhere.values()) count += users.get(key) ?? 0
    return count
  }

  /** All online users on all nodes, with their connection counts. */
  *onlineUsers(): Generator<{ app: string; userId: string; connections: number }> {
    const here = new Map(this.#here)
    for (const { users } of this.#elsewhere.values())
      for (const [key, count] of users) here.set(key, (here.get(key) ?? 0) + count)
    for (const [key, connections] of here) {
      const at = key.indexOf('|')
      yield { app: key.slice(0, at), userId: key.slice(at + 1), connections }
    }
  }

  /** The other nodes that are alive. */
  get otherNodes(): string[] {
    return [...this.#elsewhere.keys()]
  }

  /** The user's first connection here. */
  arrived(app: string, userId: string) {
    const key = `${app}|${userId}`
    this.#leaving.get(key)?.()
    this.#leaving.delete(key)
    if (this.#here.has(key)) return
    const was = this.#isOnline(key)
    this.#here.set(key, 1)
    this.#publish({ say: 'online', users: [key] })
    if (!was) this.#announce(key, true)
  }

  /** How many connections the user has here now. */
  counted(app: string, userId: string, count: number) {
    const key = `${app}|${userId}`
    const before = this.#here.get(key)
    if (before === undefined || before === count) return
    this.#here.set(key, count)
    this.#publish({ say: 'connections', user: key, count })
  }

  /** The user's last connection here is gone. */
  left(app: string, userId: string) {
    const key = `${app}|${userId}`
    if (this.#closed || !this.#here.has(key) || this.#leaving.has(key)) return
    const cancel = this.#clock.after(OFFLINE_AFTER_MS, () => {
      this.#leaving.delete(key)
      this.#here.delete(key)
      this.#publish({ say: 'offline', users: [key] })
      if (!this.#isOnline(key)) this.#announce(key, false)
    })
    this.#leaving.set(key, cancel)
  }

  close() {
    for (const cancel of this.#leaving.values()) cancel()
    for (const cancel of this.#moving.values()) cancel()
    for (const stop of this.#stop) stop()
    this.#publish({ say: 'bye' })
    // Connections end after this, and there is nothing more to publish.
    this.#closed = true
  }

  #isOnline(key: string): boolean {
    if (this.#here.has(key)) return true
    for (const { users } of this.#elsewhere.values()) if (users.has(key)) return true
    for (const users of this.#moving.keys()) if (users.has(key)) return true
    return false
  }

  #announce(key: string, online: boolean) {
    const bar = key.indexOf('|')
    this.#changed(key.slice(0, bar), key.slice(bar + 1), online)
  }

  #publish(news: News) {
    if (!this.#closed) this.#sequencedBus?.send('presence', news)
  }

  #beat() {
    this.#publish({ say: 'beat' })
    for (const [node, { lastReceivedAt }] of this.#elsewhere)
      if (this.#clock.elapsed() - lastReceivedAt > DEAD_AFTER_MS) {
        this.#lost.add(node)
        this.#forget(node, { dead: true })
      }
  }

  #notifyAllLocal() {
    const all = [...this.#here]
    for (let at = 0; at === 0 || at < all.length; at += USERS_PER_BUS_MESSAGE)
      this.#publish({
        say: 'here',
        users: all.slice(at, at + USERS_PER_BUS_MESSAGE),
        last: at + USERS_PER_BUS_MESSAGE >= all.length,
      })
  }

  #onNews(node: string, news: News) {
    if (news.say === 'bye') return this.#forget(node, { dead: false })

    let other = this.#elsewhere.get(node)
    if (!other || news.say === 'hello') {
      other ??= { lastReceivedAt: 0, users: new Map(), list: new Map() }
      this.#elsewhere.set(node, other)
      this.#notifyAllLocal()
      // A node we did not know may have missed our hello; one question returns its users.
      if (news.say === 'beat') this.askAll()
    }
    other.lastReceivedAt = this.#clock.elapsed()
    if (this.#lost.delete(node)) this.#nodes.back(node)
    if (news.say === 'here') this.#onUserList(other, news.users, news.last)
    if (news.say === 'online') for (const key of news.users) this.#set(other.users, key, true)
    if (news.say === 'connections' && other.users.has(news.user)) other.users.set(news.user, news.count)
    if (news.say === 'offline') for (const key of news.users) this.#set(other.users, key, false)
  }

  #onUserList(other: OtherNode, users: readonly [string, number][], last: boolean) {
    for (const [key, count] of users) other.list.set(key, count)
    if (!last) return
    const { list } = other
    other.list = new Map()
    for (const key of [...other.users.keys()]) if (!list.has(key)) this.#set(other.users, key, false)
    for (const [key, count] of list) {
      if (!other.users.has(key)) this.#set(other.users, key, true)
      other.users.set(key, count)
    }
  }

  #set(users: Map<string, number>, key: string, online: boolean) {
    const was = this.#isOnline(key)
    if (online) users.set(key, 1)
    else users.delete(key)
    if (was !== this.#isOnline(key)) this.#announce(key, !was)
  }

  #forget(node: string, how: { dead: boolean }) {
    this.#sequencedBus?.forget(node)
    const other = this.#elsewhere.get(node)
    if (!other) return
    this.#elsewhere.delete(node)
    this.#nodes.gone(node, how)
    const { users } = other
    const leave = () => {
      this.#moving.delete(users)
      for (const key of users.keys()) if (!this.#isOnline(key)) this.#announce(key, false)
    }
    // A dead node was silent for longer than that.
    if (how.dead) leave()
    else this.#moving.set(users, this.#clock.after(OFFLINE_AFTER_MS, leave))
  }
}
