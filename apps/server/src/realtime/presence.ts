import { type Clock, every } from '../clock.ts'
import type { Bus } from './bus.ts'

/** A user is shown offline only if no new connection arrives within this time [messaging.md 2.7]. */
const OFFLINE_AFTER_MS = 5_000
const BEAT_MS = 5_000
/** A node that was not heard for this long is taken for dead, and its users for gone. */
const DEAD_AFTER_MS = 16_000

type News =
  | { node: string; say: 'hello' }
  | { node: string; say: 'bye' }
  | { node: string; say: 'online'; users: string[] }
  | { node: string; say: 'offline'; users: string[] }
  /** How many connections a user has there; of who just came online it is one. */
  | { node: string; say: 'connections'; user: string; count: number }
  | { node: string; say: 'beat' }

/** What others must know of the nodes of a cluster. */
export interface NodeNews {
  /** It ended, or was not heard for long: whoever was there is there no more. */
  gone(node: string): void
  /** It was taken for dead, and is not. */
  back(node: string): void
}

/**
 * Who is online, on this node and on the others. Every node keeps its own view and tells only its own
 * connections, so nothing here touches the database.
 */
export class Presence {
  #node: string
  #clock: Clock
  #bus: Bus | undefined
  #changed: (app: string, userId: string, online: boolean) => void
  /** How many connections who is here has; none while it is not yet said that somebody left. */
  #here = new Map<string, number>()
  #leaving = new Map<string, () => void>()
  #elsewhere = new Map<string, { heardAt: number; users: Map<string, number> }>()
  #nodes: NodeNews
  /** Nodes taken for dead. */
  #lost = new Set<string>()
  #closed = false
  #stop: (() => void)[] = []
  constructor(
    node: string,
    clock: Clock,
    bus: Bus | undefined,
    changed: (app: string, userId: string, online: boolean) => void,
    nodes: NodeNews,
  ) {
    this.#nodes = nodes
    this.#node = node
    this.#clock = clock
    this.#bus = bus
    this.#changed = changed
    if (!bus) return
    this.#stop.push(bus.subscribe('presence', (text) => this.#hear(JSON.parse(text))))
    this.#stop.push(every(clock, BEAT_MS, () => this.#beat()))
    this.#tell({ node, say: 'hello' })
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

  /** Everybody who is here, on all nodes, with how many connections they have. */
  *everybody(): Generator<{ app: string; userId: string; connections: number }> {
    const here = new Map(this.#here)
    for (const { users } of this.#elsewhere.values())
      for (const [key, count] of users) here.set(key, (here.get(key) ?? 0) + count)
    for (const [key, connections] of here) {
      const at = key.indexOf('|')
      yield { app: key.slice(0, at), userId: key.slice(at + 1), connections }
    }
  }

  /** How many other nodes are alive. */
  get otherNodes(): number {
    return this.#elsewhere.size
  }

  /** The user's first connection here. */
  arrived(app: string, userId: string) {
    const key = `${app}|${userId}`
    this.#leaving.get(key)?.()
    this.#leaving.delete(key)
    if (this.#here.has(key)) return
    const was = this.#isOnline(key)
    this.#here.set(key, 1)
    this.#tell({ node: this.#node, say: 'online', users: [key] })
    if (!was) this.#announce(key, true)
  }

  /** How many connections the user has here now. */
  counted(app: string, userId: string, count: number) {
    const key = `${app}|${userId}`
    const before = this.#here.get(key)
    if (before === undefined || before === count) return
    this.#here.set(key, count)
    this.#tell({ node: this.#node, say: 'connections', user: key, count })
  }

  /** The user's last connection here is gone. */
  left(app: string, userId: string) {
    const key = `${app}|${userId}`
    if (this.#closed || !this.#here.has(key) || this.#leaving.has(key)) return
    const callOff = this.#clock.after(OFFLINE_AFTER_MS, () => {
      this.#leaving.delete(key)
      this.#here.delete(key)
      this.#tell({ node: this.#node, say: 'offline', users: [key] })
      if (!this.#isOnline(key)) this.#announce(key, false)
    })
    this.#leaving.set(key, callOff)
  }

  close() {
    for (const callOff of this.#leaving.values()) callOff()
    for (const stop of this.#stop) stop()
    this.#tell({ node: this.#node, say: 'bye' })
    // Connections end after this, and nobody is left to be told.
    this.#closed = true
  }

  #isOnline(key: string): boolean {
    if (this.#here.has(key)) return true
    for (const { users } of this.#elsewhere.values()) if (users.has(key)) return true
    return false
  }

  #announce(key: string, online: boolean) {
    const bar = key.indexOf('|')
    this.#changed(key.slice(0, bar), key.slice(bar + 1), online)
  }

  #tell(news: News) {
    if (!this.#closed) this.#bus?.publish('presence', JSON.stringify(news))
  }

  #beat() {
    this.#tell({ node: this.#node, say: 'beat' })
    for (const [node, { heardAt }] of this.#elsewhere)
      if (this.#clock.now() - heardAt > DEAD_AFTER_MS) {
        this.#lost.add(node)
        this.#forget(node)
      }
  }

  #hear(news: News) {
    if (news.node === this.#node) return
    if (news.say === 'bye') return this.#forget(news.node)

    let other = this.#elsewhere.get(news.node)
    if (!other || news.say === 'hello') {
      other ??= { heardAt: 0, users: new Map() }
      this.#elsewhere.set(news.node, other)
      this.#tell({ node: this.#node, say: 'online', users: [...this.#here.keys()] })
      for (const [user, count] of this.#here)
        if (count !== 1) this.#tell({ node: this.#node, say: 'connections', user, count })
      // A node we did not know may have missed our hello; asking once brings its people.
      if (news.say === 'beat') this.#tell({ node: this.#node, say: 'hello' })
    }
    other.heardAt = this.#clock.now()
    if (this.#lost.delete(news.node)) this.#nodes.back(news.node)
    if (news.say === 'online') for (const key of news.users) this.#set(other.users, key, true)
    if (news.say === 'connections' && other.users.has(news.user)) other.users.set(news.user, news.count)
    if (news.say === 'offline') for (const key of news.users) this.#set(other.users, key, false)
  }

  #set(users: Map<string, number>, key: string, online: boolean) {
    const was = this.#isOnline(key)
    if (online) users.set(key, 1)
    else users.delete(key)
    if (was !== this.#isOnline(key)) this.#announce(key, !was)
  }

  #forget(node: string) {
    const other = this.#elsewhere.get(node)
    if (!other) return
    this.#elsewhere.delete(node)
    this.#nodes.gone(node)
    for (const key of other.users.keys()) if (!this.#isOnline(key)) this.#announce(key, false)
  }
}
