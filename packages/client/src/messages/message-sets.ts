/**
 * The loaded parts of a channel's history. Two parts with a gap between them stay separate until a page proves that
 * they meet [client.md 2.8].
 */
import type { ChatEvent } from '../events.ts'
import { byAge, type LocalMessage } from './local-message.ts'

/** Consecutive messages without gaps, oldest first. Exactly one set is current (shown), exactly one is the latest. */
export interface MessageSet {
  readonly messages: readonly LocalMessage[]
  readonly current: boolean
  readonly latest: boolean
  readonly hasOlder: boolean
  readonly hasNewer: boolean
  /** The user paged or jumped back in it: they keep their place even if newer messages are not joined to it. */
  readonly readBack?: boolean
}

export type MessageSets = readonly MessageSet[]

const noMessages = { messages: [], current: true, latest: true, hasNewer: false }
/** There are no messages. */
export const emptySets: MessageSets = [{ ...noMessages, hasOlder: false }]
/** Not requested yet. */
export const unknownSets: MessageSets = [{ ...noMessages, hasOlder: true }]

export function currentSet(sets: MessageSets): MessageSet {
  return sets.find((set) => set.current) ?? (sets[0] as MessageSet)
}

export function latestSet(sets: MessageSets): MessageSet | undefined {
  return sets.find((set) => set.latest)
}

/** The newest messages of a channel or a thread, from a query. */
export interface LatestPage {
  messages: readonly LocalMessage[]
  /** How many were requested. */
  limit: number
  /** Messages that arrived while the page was on its way, or that pages leave out. */
  came?: readonly LocalMessage[] | undefined
  /** The events received while the request was under way. */
  events?: readonly ChatEvent[]
}

/** The newest page as a set of its own. */
export function newestSet({ messages, limit, came = [] }: LatestPage): MessageSet {
  return {
    messages: [...messages, ...came].sort(byAge),
    current: true,
    latest: true,
    hasOlder: messages.length >= limit,
    hasNewer: false,
  }
}
