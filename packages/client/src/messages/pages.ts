/** Joins pages of the history to the loaded sets; loaded when the user first leaves the newest page. */
import { MESSAGES_KEPT_UNSEEN } from '../limits.ts'
import { byAge, isMineAlone, type LocalMessage } from './local-message.ts'
import { inPlaceOf, withCurrent } from './message-lists.ts'
import { currentSet, type LatestPage, latestSet, type MessageSet, type MessageSets, newestSet } from './message-sets.ts'

/** Kinds of pages: the newest of a channel, older or newer than the current set, or around a message. */
export type Page =
  | ({ kind: 'latest' } & LatestPage)
  | { kind: 'older' | 'newer'; messages: readonly LocalMessage[]; limit: number }
  | { kind: 'around'; messages: readonly LocalMessage[]; limit: number; id: string }

export function withPage(sets: MessageSets, page: Page): MessageSets {
  if (page.kind === 'latest') return followed(withLatestPage(sets, page))
  const next = withFurther(sets, page)
  const shown = currentSet(next)
  return inPlaceOf(next, shown, { ...shown, readBack: page.kind !== 'newer' || !shown.latest })
}

function withFurther(sets: MessageSets, page: Exclude<Page, { kind: 'latest' }>): MessageSets {
  switch (page.kind) {
    case 'older': {
      const set = currentSet(sets)
      const messages = union(set.messages, page.messages)
      return mergeTouching(inPlaceOf(sets, set, { ...set, messages, hasOlder: page.messages.length >= page.limit }))
    }
    case 'newer': {
      const set = currentSet(sets)
      const hasNewer = page.messages.length >= page.limit
      const messages = union(set.messages, page.messages)
      const next = mergeTouching(inPlaceOf(sets, set, { ...set, messages, hasNewer }))
      return hasNewer ? next : headReached(next)
    }
    case 'around':
      return withWindow(sets, page.messages, page.limit, page.id)
  }
}

/**
 * The current set without the messages before or after one of them, and without sets that are not shown. The newest
 * messages stay, as a set of their own if necessary.
 */
export function withoutFar(sets: MessageSets, side: 'older' | 'newer', id: string): MessageSets {
  const current = currentSet(sets)
  const at = current.messages.findIndex((message) => message.id === id)
  if (at < 0) return sets
  if (side === 'older') {
    const far = current.messages.slice(0, at)
    const messages = [...far.filter(isUnsent), ...current.messages.slice(at)]
    const nearer = { ...current, messages, hasOlder: current.hasOlder || far.some((message) => !isUnsent(message)) }
    return withoutUnseen(inPlaceOf(sets, current, nearer))
  }
  const far = current.messages.slice(at + 1)
  if (current.latest && far.length <= MESSAGES_KEPT_UNSEEN) return withoutUnseen(sets)
  const nearer = { ...current, messages: current.messages.slice(0, at + 1), latest: false, hasNewer: true }
  if (!current.latest) {
    const messages = [...nearer.messages, ...far.filter(isUnsent)]
    return withoutUnseen(inPlaceOf(sets, current, { ...nearer, messages }))
  }
  const newest = { messages: far, current: false, latest: true, hasOlder: true, hasNewer: false }
  return withoutUnseen(inPlaceOf(sets, current, nearer, newest))
}

function withoutUnseen(sets: MessageSets): MessageSets {
  const seen = sets.filter((set) => set.current || set.latest)
  return currentSet(seen).latest ? seen : trimmed(seen, MESSAGES_KEPT_UNSEEN)
}

/** A window around one message. A side shorter than its half has reached the end. */
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
  // Messages that arrived live may have a gap before them when only the window was requested.
  const others = sets
    .filter((set) => set.messages.length > 0)
    .map((set) => ({ ...set, current: false, hasOlder: set.hasOlder || set.latest }))
  const next = mergeTouching([...others, window])
  return window.hasNewer ? next : headReached(next)
}

/** The current set has reached the live end: it becomes the latest, with the messages that arrived live. */
function headReached(sets: MessageSets): MessageSets {
  const current = currentSet(sets)
  const latest = latestSet(sets)
  if (current === latest) return sets
  // The server has nothing between the end of the page and now, so the live messages follow without a gap.
  const whole: MessageSet = {
    ...current,
    messages: union(current.messages, latest?.messages ?? []),
    latest: true,
    hasNewer: false,
  }
  return [...sets.filter((set) => set !== current && set !== latest), whole]
}

/** The newest set without its oldest messages, if it has become long. They can be loaded again. */
export function trimmed(sets: MessageSets, kept: number): MessageSets {
  const latest = latestSet(sets)
  if (!latest || latest.messages.length <= kept) return sets
  const unsent = latest.messages.slice(0, -kept).filter(isUnsent)
  return inPlaceOf(sets, latest, { ...latest, messages: [...unsent, ...latest.messages.slice(-kept)], hasOlder: true })
}

/**
 * Applies a reloaded newest page. If it does not meet the previous newest set, more than a page was missed: what is
 * shown stays as a set of its own, and never joins the page without proof.
 */
export function withLatestPage(
  sets: MessageSets,
  { messages: page, limit, came = [], events = [] }: LatestPage,
): MessageSets {
  const before = latestSet(sets)
  const known = before?.messages ?? []
  const inPage = new Set(page.map(({ id }) => id))
  // In the range of the page, only the page counts: a message missing there was deleted while the client was offline.
  const kept = known.filter((message) => isUnsent(message) || inPage.has(message.id))
  const fresh: MessageSet = {
    ...newestSet({ messages: page, limit }),
    messages: union(kept, [...page, ...came]),
    current: before?.current ?? !sets.some((set) => set.current),
    readBack: before?.readBack,
  }
  const others = sets.filter((set) => set !== before)
  // Messages that arrived meanwhile, the user's own included, are behind a gap as well.
  const live = new Set(events.map((event) => event.type === 'message.new' && event.message.id))
  const paged = known.filter((message) => !isUnsent(message) && !message.unheard && !live.has(message.id))
  if (before && paged.some(({ id }) => inPage.has(id))) {
    const oldest = page[0] as LocalMessage
    const above = fresh.hasOlder ? paged.filter((message) => byAge(message, oldest) < 0) : []
    if (above.length > 0) {
      const joined = { ...fresh, messages: union(above, fresh.messages), hasOlder: before.hasOlder }
      return mergeTouching([...others, joined])
    }
  } else if (before?.current && paged.length > 0) {
    const demoted = { ...before, messages: paged, latest: false, hasNewer: true }
    return mergeTouching([...others, demoted, { ...fresh, current: false, readBack: false }])
  }
  return mergeTouching([...others, fresh])
}

/** Whoever stood at the newest messages stands there again; whoever has read back keeps their place. */
export function followed(sets: MessageSets): MessageSets {
  const shown = currentSet(sets)
  const latest = latestSet(sets)
  if (!latest || shown.latest || shown.readBack) return sets
  return withCurrent(
    sets.filter((set) => set !== shown),
    latest,
  )
}

/** Separates what was loaded from what arrives from now on: there may be messages in between. */
export function withGap(sets: MessageSets): MessageSets {
  const latest = latestSet(sets)
  if (!latest) return sets
  const messages = latest.messages.filter((message) => !isUnsent(message))
  const newest = { ...newestSet({ messages: latest.messages.filter(isUnsent), limit: 0 }), current: false }
  return inPlaceOf(sets, latest, { ...latest, messages, latest: false, hasNewer: true }, newest)
}

/** Two sets that share a message are one. */
export function mergeTouching(sets: MessageSets): MessageSets {
  for (const [i, a] of sets.entries()) {
    for (const b of sets.slice(i + 1)) {
      if (!shares(a.messages, b.messages)) continue
      const rest = sets.filter((set) => set !== a && set !== b)
      return mergeTouching([...rest, merged(a, b)])
    }
  }
  return sets
}

function merged(a: MessageSet, b: MessageSet): MessageSet {
  const [aHead, bHead] = [a.messages[0] as LocalMessage, b.messages[0] as LocalMessage]
  const [aTail, bTail] = [a.messages.at(-1) as LocalMessage, b.messages.at(-1) as LocalMessage]
  const heads = byAge(aHead, bHead)
  const tails = byAge(aTail, bTail)
  const latest = a.latest || b.latest
  return {
    messages: union(a.messages, b.messages),
    current: a.current || b.current,
    latest,
    // If both begin with the same message, it is enough that one of them has reached the end.
    hasOlder: heads === 0 ? a.hasOlder && b.hasOlder : (heads < 0 ? a : b).hasOlder,
    hasNewer: latest ? false : tails === 0 ? a.hasNewer && b.hasNewer : (tails > 0 ? a : b).hasNewer,
    readBack: (a.current ? a : b).readBack,
  }
}

/** Every message once, oldest first. Of two with the same id, the one changed last wins. */
export function union(a: readonly LocalMessage[], b: readonly LocalMessage[]): readonly LocalMessage[] {
  const byId = new Map(a.map((message) => [message.id, message]))
  for (const message of b) {
    const known = byId.get(message.id)
    if (!known || gives(known, message)) byId.set(message.id, message)
  }
  return [...byId.values()].sort(byAge)
}

/** Whether the other version replaces the known one. A pending or failed edit is applied over it again. */
function gives(known: LocalMessage, other: LocalMessage): boolean {
  if (isUnsent(known) && known.attempt !== 'edit') return known.attempt === 'send'
  return known.updated_at <= other.updated_at
}

function shares(a: readonly LocalMessage[], b: readonly LocalMessage[]): boolean {
  const ids = new Set(a.map(({ id }) => id))
  return b.some(({ id }) => ids.has(id))
}

/** A message that no query returns, so no query may remove it: unconfirmed, or ephemeral. */
export function isUnsent(message: LocalMessage): boolean {
  return message.status !== 'received' || isMineAlone(message)
}
