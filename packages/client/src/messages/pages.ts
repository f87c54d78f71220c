/** Pages of the history joined to the loaded sets; fetched when somebody first leaves the newest page. */
import { MESSAGES_KEPT_UNSEEN } from '../limits.ts'
import type { LocalMessage } from './local-message.ts'
import {
  currentSet,
  isUnsent,
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

/**
 * The current set without what lies before or after one of its messages, and without what nobody looks at. The newest
 * messages stay, in a set of their own where they have to.
 */
export function withoutFar(sets: MessageSets, side: 'older' | 'newer', id: string): MessageSets {
  const current = currentSet(sets)
  const at = current.messages.findIndex((message) => message.id === id)
  if (at < 0) return sets
  if (side === 'older') {
    const far = current.messages.slice(0, at)
    const messages = [...far.filter(isUnsent), ...current.messages.slice(at)]
    const nearer = { ...current, messages, hasOlder: current.hasOlder || far.some((message) => !isUnsent(message)) }
    return withoutUnseen(sets.map((set) => (set === current ? nearer : set)))
  }
  const far = current.messages.slice(at + 1)
  if (current.latest && far.length <= MESSAGES_KEPT_UNSEEN) return withoutUnseen(sets)
  const nearer = { ...current, messages: current.messages.slice(0, at + 1), latest: false, hasNewer: true }
  if (!current.latest) {
    const messages = [...nearer.messages, ...far.filter(isUnsent)]
    return withoutUnseen(sets.map((set) => (set === current ? { ...nearer, messages } : set)))
  }
  const newest = { messages: far, current: false, latest: true, hasOlder: true, hasNewer: false }
  return withoutUnseen(sets.flatMap((set) => (set === current ? [nearer, newest] : [set])))
}

function withoutUnseen(sets: MessageSets): MessageSets {
  const seen = sets.filter((set) => set.current || set.latest)
  return currentSet(seen).latest ? seen : trimmed(seen, MESSAGES_KEPT_UNSEEN)
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
  // Of what came while only the window was asked for, nobody knows what was before it.
  const others = sets
    .filter((set) => set.messages.length > 0)
    .map((set) => ({ ...set, current: false, hasOlder: set.hasOlder || set.latest }))
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

/** The newest set without its oldest messages, where it has become long. They can be asked for again. */
export function trimmed(sets: MessageSets, kept: number): MessageSets {
  if (sets.every((set) => !set.latest || set.messages.length <= kept)) return sets
  return sets.map((set) => {
    if (!set.latest || set.messages.length <= kept) return set
    const dropped = set.messages.slice(0, -kept)
    return { ...set, messages: [...dropped.filter(isUnsent), ...set.messages.slice(-kept)], hasOlder: true }
  })
}
