import { type Connection, hasName } from './connection.ts'

/** Notified when users come and go. */
interface News {
  /** The first connection on this node, or the last one. */
  here(userId: string, watching: boolean): void
  /** The first connection anywhere, or the last one; of those with a name alone. */
  anywhere(userId: string, watching: boolean): void
}

/** The watchers of one channel, on this node and, once it asked, on the others. */
export class Watchers {
  /**
   * With the channel's newest event number when each began; earlier events are not sent to them, however late they
   * come.
   */
  readonly connections = new Map<Connection, number>()
  /** The other nodes were asked; from then on they report changes unasked. */
  asked = false
  #news: News
  /** Connections per user on this node. */
  #here = new Map<string, number>()
  #elsewhere = new Map<string, Set<string>>()
  /** Nodes that were asked again, and have not answered. */
  #silent = new Set<string>()
  #invisible: ReadonlySet<string>
  /** @param invisible  invisible users of the app, as far as this node knows */
  constructor(news: News, invisible: ReadonlySet<string>) {
    this.#news = news
    this.#invisible = invisible
  }

  /** Distinct users on all nodes whom others may know of; an anonymous connection counts as one. */
  get count(): number {
    let hidden = 0
    for (const id of this.#invisible) if (this.has(id)) hidden += 1
    return this.#total - hidden
  }

  get #total(): number {
    const elsewhere = new Set<string>()
    for (const users of this.#elsewhere.values()) for (const id of users) if (!this.#here.has(id)) elsewhere.add(id)
    return this.#here.size + elsewhere.size
  }

  /** The ids of those of whom others may know. */
  get shown(): string[] {
    return this.ids.filter((id) => !this.#invisible.has(id))
  }

  /** Ids of those with a name, the last to begin here first. */
  get ids(): string[] {
    const ids = new Set(this.idsHere.reverse())
    for (const users of this.#elsewhere.values()) for (const id of users) ids.add(id)
    return [...ids].filter(hasName)
  }

  get idsHere(): string[] {
    return [...this.#here.keys()]
  }

  add(connection: Connection) {
    this.connections.set(connection, 0)
    this.#countHere(connection.userId, +1)
  }

  remove(connection: Connection) {
    if (this.connections.delete(connection)) this.#countHere(connection.userId, -1)
  }

  /** A user on another node began or stopped watching. */
  noteThere(node: string, userId: string, watching: boolean) {
    const was = this.has(userId)
    const users = this.#elsewhere.get(node) ?? new Set()
    if (watching) users.add(userId)
    else users.delete(userId)
    if (users.size > 0) this.#elsewhere.set(node, users)
    else this.#elsewhere.delete(node)
    this.#notifyIfChanged(userId, was)
  }

  /** Replaces the watchers on another node. */
  noteAllThere(node: string, userIds: readonly string[]) {
    this.#silent.delete(node)
    const before = this.#elsewhere.get(node) ?? new Set()
    for (const userId of before.difference(new Set(userIds))) this.noteThere(node, userId, false)
    for (const userId of userIds) this.noteThere(node, userId, true)
  }

  /** Marks the nodes with watchers as asked again. */
  doubt() {
    this.#silent = new Set(this.#elsewhere.keys())
  }

  /** A node that did not answer counts as having no watchers. */
  forgetSilent() {
    for (const node of this.#silent) this.noteAllThere(node, [])
  }

  has(userId: string): boolean {
    if (this.#here.has(userId)) return true
    for (const users of this.#elsewhere.values()) if (users.has(userId)) return true
    return false
  }

  #countHere(userId: string, change: 1 | -1) {
    const was = this.has(userId)
    const count = (this.#here.get(userId) ?? 0) + change
    if (count > 0) this.#here.set(userId, count)
    else this.#here.delete(userId)
    if ((change === 1 && count === 1) || count === 0) this.#news.here(userId, count > 0)
    this.#notifyIfChanged(userId, was)
  }

  #notifyIfChanged(userId: string, was: boolean) {
    if (was !== this.has(userId) && hasName(userId)) this.#news.anywhere(userId, !was)
  }
}
