/**
 * The loaded stretches of a channel's history. Two stretches with a gap between them stay apart until a page
 * proves that they meet [client.md 2.8].
 */
import type { ChatEvent } from '../events.ts'
import { byAge, type LocalMessage } from './local-message.ts'

/** One stretch without gaps, oldest first. Exactly one set is current (shown), exactly one is the latest. */
export interface MessageSet {
  readonly messages: readonly LocalMessage[]
  readonly current: boolean
  readonly latest: boolean
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}

export type MessageSets = readonly MessageSet[]

const noMessages = { messages: [], current: true, latest: true, hasNewer: false }
/** There are none. */
export const emptySets: MessageSets = [{ ...noMessages, hasOlder: false }]
/** Not requested yet. */
export const unknownSets: MessageSets = [{ ...noMessages, hasOlder: true }]

export function currentSet(sets: MessageSets): MessageSet {
  return sets.find((set) => set.current) ?? (sets[0] as MessageSet)
}

export function latestSet(sets: MessageSets): MessageSet | undefined {
  return sets.find((set) => set.latest)
}

/** The newest messages of a channel or a thread, as they were asked for. */
export interface LatestPage {
  messages: readonly LocalMessage[]
  /** How many were asked for. */
  limit: number
  /** What came while the page was on its way, or is left out of it; it may not know of them. */
  came?: readonly LocalMessage[] | undefined
  /** The events received while it was pending. */
  events?: readonly ChatEvent[]
}

/** The newest page by itself, as the stretch it is. */
export function newestSet({ messages, limit, came = [] }: LatestPage): MessageSet {
  return {
    messages: [...messages, ...came].sort(byAge),
    current: true,
    latest: true,
    hasOlder: messages.length >= limit,
    hasNewer: false,
  }
}
