import type { Micros } from '../micros.ts'
import type { Mutes, UnreadState } from './online-user.ts'

/**
 * An event, ready to be delivered: its recipients, its texts, and its effects on their unread counts. Plain data, so
 * that it crosses the bus as it is.
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
  /** Sent to a user's connections if the effects lowered their unread count. */
  lowered?: { user: string; body: Lazy }
  /** Events for all connections of some users; `unwatched` leaves out those that watch the channel. */
  personal?: { users: readonly string[]; body: string; totals?: boolean; unwatched?: boolean; threads?: ThreadTotals }[]
  /** Thread unread totals, by user whose totals changed. They go to all of the user's connections. */
  threads?: Record<string, ThreadTotals>
  /** Whose totals are added to the watchers' event: every member's, one reader's, or none. */
  totals?: 'members' | { only: string }
  /** The publishing node does not know the watcher count: the delivering node adds `watcher_count`, if it does. */
  uncounted?: true
  /** When the event's message was posted: members who do not see that time do not receive it. */
  about?: Micros
  /** This user's watching connections receive another body, or nothing. */
  except?: string
  /** It is for these users alone: a message of restricted visibility, a reader who hides receipts. */
  only?: readonly string[]
  effects?: readonly Effect[]
  /** What a user mutes from now on; named as nodes of earlier versions, in one cluster with this one, expect it. */
  quiet?: Mutes & { user: string }
}

/** What is unread in a user's threads; added to an event like the other totals, and kept in no log. */
export interface ThreadTotals {
  unread_threads: number
  unread_thread_messages: number
}

/** Text that is only built when a client here, or another node, receives it. */
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
  /** A member no longer sees messages up to a time. */
  | { do: 'hideHistory'; user: string; to: Micros }
  /** The channel is gone for all; if for good, mutes do not apply to a new one of the same id. */
  | { do: 'close'; forever?: boolean }
  /** All members have read everything. */
  | { do: 'readAll'; ordinal: number }
  /** Messages up to an ordinal are gone; `left` messages came after it. */
  | { do: 'forget'; ordinal: number; left: number }

/** A message that can be unread; `among` is set when it is for these users alone, `except` when not for those. */
export interface Countable {
  ordinal: number
  author: string
  postedAt: Micros
  among?: readonly string[]
  except?: readonly string[]
}
