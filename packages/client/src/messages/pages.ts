/** Pages of the history joined to the loaded sets; fetched when somebody first leaves the newest page. */
import type { LocalMessage } from './local-message.ts'
import {
  currentSet,
  type LatestPage,
  latestSet,
  type MessageSet,
  type MessageSets,
  mergeTouching,
  union,
  withLatestPage,
} from './message-sets.ts'

/** What a page is: the newest of a channel, older or newer than the current set, or one around a message. */
export type Page =
  | ({ kind: 'latest' } & LatestPage)
  | { kind: 'older' | 'newer'; messages: readonly LocalMessage[]; limit: number }
  | { kind: 'around'; messages: readonly LocalMessage[]; limit: number; id: string }

export function withPage(sets: MessageSets, page: Page): MessageSets {
  switch (page.kind) {
    case 'latest':
      return withLatestPage(sets, page)
    case 'older': {
      const set = currentSet(sets)
      const messages = union(set.messages, page.messages)
      const longer = { ...set, messages, hasOlder: page.messages.length >= page.limit }
      return mergeTouching(sets.map((other) => (other === set ? longer : other)))
    }
    case 'newer': {
      const set = currentSet(sets)
      const hasNewer = page.messages.length >= page.limit
      const longer = { ...set, messages: union(set.messages, page.messages), hasNewer }
      const next = mergeTouching(sets.map((other) => (other === set ? longer : other)))
      return hasNewer ? next : headReached(next)
    }
    case 'around':
      return withWindow(sets, page.messages, page.limit, page.id)
  }
}

/** A window around one message. A side shorter than its half has come to its end. */
function withWindow(sets: MessageSets, messages: readonly LocalMessage[], limit: number, id: string): MessageSets {
  const at = messages.findIndex((message) => message.id === id)
  const half = Math.floor(limit / 2)
  const isFull = messages.length >= limit
  const window: MessageSet = {
    messages,
    current: true,
    latest: false,
    hasOlder: isFull && at >= half,
    hasNewer: isFull && messages.length - 1 - at >= limit - 1 - half,
  }
  const others = sets.filter((set) => set.messages.length > 0).map((set) => ({ ...set, current: false }))
  const next = mergeTouching([...others, window])
  return window.hasNewer ? next : headReached(next)
}

/** The current set has come to the live end: it is the latest from now on, together with what arrived live. */
function headReached(sets: MessageSets): MessageSets {
  const current = currentSet(sets)
  const latest = latestSet(sets)
  if (current === latest) return sets
  // The server has nothing between the end of the page and now, so what arrived live follows without a gap.
  const whole: MessageSet = {
    ...current,
    messages: union(current.messages, latest?.messages ?? []),
    latest: true,
    hasNewer: false,
  }
  return [...sets.filter((set) => set !== current && set !== latest), whole]
}
