import type { Micros } from '../micros.ts'
import type { Mutes, UnreadState } from './online-user.ts'

/**
 * Something that happened, ready to be delivered: who hears it, in which words, and what it does to
 * the unread counts of its receivers. Plain data, so that it crosses the bus as it is.
 */
export interface Publication {
  app: string
  /** The channel it happened in; null for what concerns users alone. */
  cid: string | null
  /** Its number in the channel's event log; 0 for what is not kept (typing, watching). */
  seq: number
  at: Micros
  /** The event for every connection that watches the channel. */
  watchers?: string
  /**
   * The event for connections of members that do not watch, the member who is left out, and whether it is only for
   * those whose unread count it changed.
   */
  others?: { body: Lazy; except?: string; onlyChanged?: true }
  /** Tells a user's connections that their unread count went down, if the effects lowered it. */
  lowered?: { user: string; body: Lazy }
  /** Events for all connections of some users; `unwatched` leaves out those that watch the channel. */
  personal?: { users: readonly string[]; body: string; totals?: boolean; unwatched?: boolean; threads?: ThreadTotals }[]
  /** By user: what is unread in the threads of those for whom it changed that. They hear of it wherever they are. */
  threads?: Record<string, ThreadTotals>
  /** Whose totals are added to the watchers' event: every member's, one reader's, or nobody's. */
  totals?: 'members' | { only: string }
  /**
   * Where it was published nobody knows how many watch: whoever tells it adds `watcher_count`, if that is known there.
   */
  uncounted?: true
  /** When the message was posted that it is about: it is not for members who do not see what was said then. */
  about?: Micros
  /** It is not for this user's connections that watch: they are told in other words, or not at all. */
  except?: string
  /** It is for these users alone: a message of restricted visibility, a reader who hides receipts. */
  only?: readonly string[]
  effects?: readonly Effect[]
  /** What a user mutes from now on. */
  mutes?: Mutes & { user: string }
}

/** What is unread in a user's threads; added to an event like the other totals, and kept in no log. */
export interface ThreadTotals {
  unread_threads: number
  unread_thread_messages: number
}

/** Text that is only made when somebody here, or another node, gets it. */
export type Lazy = string | (() => string)

/** What an event does to the unread counts, and to who belongs to a channel. */
export type Effect =
  /** A message that can be unread was posted; its author has read everything now. */
  | ({ do: 'count' } & Countable)
  /** A message that moves only its author's read position. */
  | { do: 'authorRead'; ordinal: number; author: string }
  | ({ do: 'uncount' } & Countable)
  | ({ do: 'recount' } & Countable)
  | { do: 'read'; user: string; ordinal: number; unread: number }
  | ({ do: 'join'; user: string; unread?: number } & Pick<UnreadState, 'ordinal' | 'counts' | 'hiddenTo' | 'joinedAt'>)
  | { do: 'leave'; user: string }
  /** What was said up to a time is gone for a member. */
  | { do: 'hideHistory'; user: string; to: Micros }
  /** The channel is gone for everybody; for good, nobody mutes the one made again under its id. */
  | { do: 'close'; forever?: boolean }
  /** Everybody has read everything. */
  | { do: 'readAll'; ordinal: number }
  /** What was said up to an ordinal is gone; so many messages came after it. */
  | { do: 'forget'; ordinal: number; left: number }

/** A message that can be unread; `among` is set when it is for these users alone, `except` when not for those. */
export interface Countable {
  ordinal: number
  author: string
  postedAt: Micros
  among?: readonly string[]
  except?: readonly string[]
}
