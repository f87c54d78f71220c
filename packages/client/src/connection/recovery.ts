/** Bringing the active channels up to date after a reconnect [client.md 3.5]. */
import type { Channel, ChannelReins } from '../channels/channel.ts'
import type { Clock } from '../clock.ts'
import { CHANNELS_RECOVERED, RECOVERY_PAUSE_MS } from '../limits.ts'
import type { Filter } from '../shapes.ts'
import { backoffRange, spread } from './backoff.ts'

/** A channel, and what the client alone does with it. */
export interface ActiveChannel {
  readonly channel: Channel
  readonly reins: ChannelReins
}

export interface RecoveryDoor {
  readonly clock: Clock
  random(): number
  active(): Iterable<ActiveChannel>
  /** Reads channels again and watches them, newest message first. */
  query(filter: Filter, limit: number): Promise<Channel[]>
  /** A channel that did not come back. */
  lost(cid: string): void
  /** Something that is another value after every reconnect and sign-out. */
  connection(): string | undefined
  failed(error: unknown): void
}

export class Recovery {
  #door: RecoveryDoor
  /** Still to be read again: the connection of now does not watch them. Those that waited longest come first. */
  #stale = new Map<Channel, ActiveChannel>()
  #callOff: (() => void) | undefined
  constructor(door: RecoveryDoor) {
    this.#door = door
  }

  /**
   * Reads the 30 channels with the newest messages again, and the others later, page by page.
   * @returns true when listeners are to be told, false when the connection was lost once more meanwhile
   */
  async run(): Promise<boolean> {
    this.callOff()
    const connection = this.#door.connection()
    const [first = [], ...later] = pages(this.#lost())
    for (const active of later.flat()) this.#markStale(active)
    await this.#read(first)
    if (connection !== this.#door.connection()) return false
    this.#later(0)
    return true
  }

  /** The server does not watch it, whatever we believed, and could not be asked to. */
  again(active: ActiveChannel) {
    this.#markStale(active)
    if (!this.#callOff) this.#later(0)
  }

  /** The application reads its channels again itself; the server watches none of them any more. */
  leave() {
    for (const { reins } of this.#lost()) reins.change((state) => ({ ...state, initialized: false }))
  }

  /** The channel is up to date, or gone. */
  settled(channel: Channel) {
    this.#stale.delete(channel)
  }

  callOff() {
    this.#callOff?.()
    this.#callOff = undefined
  }

  forget() {
    this.callOff()
    this.#stale.clear()
  }

  /** What was watched, and what an interrupted recovery left. */
  #lost(): ActiveChannel[] {
    return [...this.#door.active()].filter(({ channel }) => channel.initialized || this.#stale.has(channel))
  }

  /** Every further page waits at least a second, longer while the server refuses [CON-23]. */
  #later(failures: number) {
    this.callOff()
    // Who was opened meanwhile is up to date.
    for (const channel of this.#stale.keys()) if (channel.initialized) this.#stale.delete(channel)
    if (this.#stale.size === 0) return
    const connection = this.#door.connection()
    const longerMs = failures > 0 ? spread(backoffRange(failures), () => this.#door.random()) : 0
    this.#callOff = this.#door.clock.after(RECOVERY_PAUSE_MS + longerMs, async () => {
      const isDone = await this.#read([...this.#stale.values()].slice(0, CHANNELS_RECOVERED))
      // The next connection reads everything again by itself.
      if (connection === this.#door.connection()) this.#later(isDone ? 0 : failures + 1)
    })
  }

  /**
   * Reads one page of channels again. Those that do not come back are gone, unless they are merely hidden.
   * @returns false when the server could not be asked; the channels stay stale
   */
  async #read(page: readonly ActiveChannel[]): Promise<boolean> {
    if (page.length === 0) return true
    const cids = page.map(({ channel }) => channel.cid)
    const connection = this.#door.connection()
    try {
      const found = new Set((await this.#door.query({ cid: { $in: cids } }, CHANNELS_RECOVERED)).map(({ cid }) => cid))
      const missing = cids.filter((cid) => !found.has(cid))
      if (missing.length === 0) return true
      // Of somebody who has gone meanwhile nothing is missing.
      if (connection !== this.#door.connection()) return false
      const hidden = await this.#door.query({ cid: { $in: missing }, hidden: true }, CHANNELS_RECOVERED)
      if (connection !== this.#door.connection()) return false
      const gone = missing.filter((cid) => !hidden.some((channel) => channel.cid === cid))
      for (const cid of gone) this.#door.lost(cid)
      return true
    } catch (error) {
      this.#door.failed(error)
      // A newer connection has read them meanwhile, or is about to.
      if (connection === this.#door.connection()) for (const active of page) this.#markStale(active)
      return false
    }
  }

  #markStale(active: ActiveChannel) {
    if (active.channel.disconnected) return
    this.#stale.delete(active.channel)
    this.#stale.set(active.channel, active)
    active.reins.change((state) => (state.initialized ? { ...state, initialized: false } : state))
  }
}

/** The newest messages first [CON-14, CON-15]; beyond the first page what is open on a screen before the rest. */
function pages(active: readonly ActiveChannel[]): ActiveChannel[][] {
  const newestFirst = active.toSorted((a, b) => lastMessageAt(b) - lastMessageAt(a))
  const later = newestFirst.slice(CHANNELS_RECOVERED)
  const isOpen = ({ reins }: ActiveChannel) => reins.listeners > 0
  const rest = [...later.filter(isOpen), ...later.filter((channel) => !isOpen(channel))]
  const all = [newestFirst.slice(0, CHANNELS_RECOVERED)]
  for (let at = 0; at < rest.length; at += CHANNELS_RECOVERED) all.push(rest.slice(at, at + CHANNELS_RECOVERED))
  return all
}

function lastMessageAt({ channel }: ActiveChannel): number {
  return channel.state.last_message_at?.getTime() ?? 0
}
