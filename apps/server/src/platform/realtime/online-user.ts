import type { Micros } from '../micros.ts'
import type { Connection } from './connection.ts'

/** A connected user's unread state in one channel. */
export interface UnreadState {
  /** Event number this was read at; older events have no further effect on it. */
  seq: number
  /** Ordinal of the last message the user has read. */
  ordinal: number
  unread: number
  /** A pending invitee, or a channel without read events: nothing counts. */
  counts: boolean
  /** The user does not see messages up to this time. */
  hiddenTo?: Micros | null | undefined
  /** Messages up to this time never count as unread, even if they are delivered now. */
  joinedAt?: Micros | undefined
}

/** What does not count for a user because of mutes, ended ones included. Plain data: it crosses the bus. */
export interface Mutes {
  /** Whom, from when, and until when; null is for ever. */
  users: readonly (readonly [userId: string, from: Micros, until: Micros | null])[]
  /** Up to when the messages of a channel do not count. */
  channels: readonly (readonly [cid: string, until: Micros | null])[]
}

/**
 * A user with at least one connection here: the connections, the channels, and the unread totals.
 *
 * The totals are read once, at connect, and then follow the events, so that sending a message costs no
 * query per receiver.
 */
export class OnlineUser {
  readonly app: string
  readonly id: string
  readonly connections = new Set<Connection>()
  readonly channels = new Map<string, UnreadState>()
  totals = { unread: 0, channels: 0 }
  /** Raised by every change of the mutes, so that a reading that began before one is not kept. */
  mutings = 0
  #mutes: Mutes = { users: [], channels: [] }
  constructor(app: string, id: string) {
    this.app = app
    this.id = id
  }

  get mutesAnything(): boolean {
    return this.#mutes.users.length + this.#mutes.channels.length > 0
  }

  /** A channel that is muted from now on has nothing unread. */
  setMutes(mutes: Mutes, now: Micros) {
    this.mutings += 1
    this.#mutes = mutes
    for (const [cid, until] of mutes.channels) if (until === null || until >= now) this.setUnread(cid, 0)
  }

  /** A channel is not there to be muted any more. */
  unmute(cid: string) {
    if (!this.#mutes.channels.some(([muted]) => muted === cid)) return
    this.mutings += 1
    this.#mutes = { ...this.#mutes, channels: this.#mutes.channels.filter(([muted]) => muted !== cid) }
  }

  /** Whether a message does not count because of a mute [READ-11, READ-12]. */
  ignores(cid: string, author: string, postedAt: Micros): boolean {
    if (!this.mutesAnything) return false
    return (
      this.#mutes.channels.some(([muted, until]) => muted === cid && (until === null || until >= postedAt)) ||
      this.#mutes.users.some(
        ([muted, from, until]) => muted === author && from <= postedAt && (until === null || until > postedAt),
      )
    )
  }

  enter(cid: string, unreadState: UnreadState) {
    this.leave(cid)
    this.channels.set(cid, unreadState)
    this.totals.unread += unreadState.unread
    if (unreadState.unread > 0) this.totals.channels += 1
  }

  leave(cid: string) {
    this.setUnread(cid, 0)
    this.channels.delete(cid)
  }

  setUnread(cid: string, unread: number) {
    const unreadState = this.channels.get(cid)
    if (!unreadState || unreadState.unread === unread) return
    if (unreadState.unread === 0) this.totals.channels += 1
    if (unread === 0) this.totals.channels -= 1
    this.totals.unread += unread - unreadState.unread
    unreadState.unread = unread
  }
}
