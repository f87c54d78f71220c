/**
 * The loaded stretches of a channel's history. Two stretches with a gap between them stay apart until a page
 * proves that they meet [client.md 2.8].
 */
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

export const emptySets: MessageSets = [{ messages: [], current: true, latest: true, hasOlder: false, hasNewer: false }]

export function currentSet(sets: MessageSets): MessageSet {
  return sets.find((set) => set.current) ?? (sets[0] as MessageSet)
}

export function latestSet(sets: MessageSets): MessageSet | undefined {
  return sets.find((set) => set.latest)
}

export function findMessage(sets: MessageSets, id: string): LocalMessage | undefined {
  for (const set of sets) {
    const message = set.messages.find((other) => other.id === id)
    if (message) return message
  }
}

/** The list with the message in its place by age; one with the same id is replaced. */
export function withMessage(messages: readonly LocalMessage[], message: LocalMessage): readonly LocalMessage[] {
  const others = messages.filter((other) => other.id !== message.id)
  // After everything of the same moment: ties are in the order of arrival.
  let at = others.length
  while (at > 0 && byAge(others[at - 1] as LocalMessage, message) > 0) at--
  return others.toSpliced(at, 0, message)
}

/** Replaces a message where it is, and moves it only when its time changed. */
export function withReplaced(messages: readonly LocalMessage[], message: LocalMessage): readonly LocalMessage[] {
  const at = messages.findIndex(({ id }) => id === message.id)
  if (at < 0) return messages
  if (byAge(messages[at] as LocalMessage, message) !== 0) return withMessage(messages, message)
  return messages.with(at, message)
}

export function mapSets(
  sets: MessageSets,
  change: (messages: readonly LocalMessage[], set: MessageSet) => readonly LocalMessage[],
): MessageSets {
  let same = true
  const next = sets.map((set) => {
    const messages = change(set.messages, set)
    if (messages === set.messages) return set
    same = false
    return { ...set, messages }
  })
  return same ? sets : next
}

/** A live message belongs to the newest stretch, even while an old one is on screen. */
export function addToLatest(sets: MessageSets, message: LocalMessage): MessageSets {
  const latest = latestSet(sets)
  // Nothing is known of the newest stretch yet, so it may hold more than this one message.
  if (!latest) return [...sets, { messages: [message], current: false, latest: true, hasOlder: true, hasNewer: false }]
  return sets.map((set) => (set === latest ? { ...set, messages: withMessage(set.messages, message) } : set))
}

/** Sets emptied by deletions go, except the latest; the view falls back to the latest. */
export function withoutEmptySets(sets: MessageSets): MessageSets {
  const kept = sets.filter((set) => set.latest || set.messages.length > 0)
  if (kept.length === sets.length) return sets
  const shown = kept.find((set) => set.current) ?? latestSet(kept) ?? kept.at(-1)
  return shown ? withCurrent(kept, shown) : emptySets
}

export function withCurrent(sets: MessageSets, chosen: MessageSet): MessageSets {
  if (chosen.current) return sets
  return sets.map((set) => (set === chosen || set.current ? { ...set, current: set === chosen } : set))
}

/** The newest messages of a channel, as they were asked for. */
export interface LatestPage {
  messages: readonly LocalMessage[]
  /** How many were asked for. */
  limit: number
  /** What came while the page was on its way; it may not know of them. */
  came?: readonly LocalMessage[] | undefined
}

/**
 * The newest page, freshly asked. When it does not meet what was the newest stretch before, more than a page was
 * missed: the old stretch stays only if somebody has paged back in it, and is never glued on.
 */
export function withLatestPage(sets: MessageSets, { messages: page, limit, came = [] }: LatestPage): MessageSets {
  const before = latestSet(sets)
  const known = before?.messages ?? []
  const inPage = new Set(page.map(({ id }) => id))
  // What the page covers is taken from it alone: a message missing there was deleted while we were away.
  const kept = known.filter((message) => isUnsent(message) || inPage.has(message.id))
  const fresh: MessageSet = {
    messages: union(kept, [...page, ...came]),
    current: before?.current ?? !sets.some((set) => set.current),
    latest: true,
    hasOlder: page.length >= limit,
    hasNewer: false,
  }
  const others = sets.filter((set) => set !== before)
  const paged = known.filter((message) => !isUnsent(message))
  if (before && known.some(({ id, status }) => status === 'received' && inPage.has(id))) {
    const oldest = page[0] as LocalMessage
    const above = fresh.hasOlder ? paged.filter((message) => byAge(message, oldest) < 0) : []
    if (above.length > 0) {
      const joined = { ...fresh, messages: union(above, fresh.messages), hasOlder: before.hasOlder }
      return mergeTouching([...others, joined])
    }
  } else if (before?.current && paged.length > limit) {
    const demoted = { ...before, messages: paged, latest: false, hasNewer: true }
    return mergeTouching([...others, demoted, { ...fresh, current: false }])
  }
  return mergeTouching([...others, fresh])
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
    // Where both begin with the same message, one of them reaching the end is enough.
    hasOlder: heads === 0 ? a.hasOlder && b.hasOlder : (heads < 0 ? a : b).hasOlder,
    hasNewer: latest ? false : tails === 0 ? a.hasNewer && b.hasNewer : (tails > 0 ? a : b).hasNewer,
  }
}

/** Every message once, oldest first. Of two with the same id the one changed last wins. */
export function union(a: readonly LocalMessage[], b: readonly LocalMessage[]): readonly LocalMessage[] {
  const byId = new Map(a.map((message) => [message.id, message]))
  for (const message of b) {
    const known = byId.get(message.id)
    if (!known || gives(known, message)) byId.set(message.id, message)
  }
  return [...byId.values()].sort(byAge)
}

/** Whether the other version is to be shown. An edit that is under way or failed is laid over it again. */
function gives(known: LocalMessage, other: LocalMessage): boolean {
  if (isUnsent(known) && known.attempt !== 'edit') return known.attempt === 'send'
  return known.updated_at <= other.updated_at
}

function shares(a: readonly LocalMessage[], b: readonly LocalMessage[]): boolean {
  const ids = new Set(a.map(({ id }) => id))
  return b.some(({ id }) => ids.has(id))
}

/** A message that no query brings, so no query may take it away: not confirmed, or meant for its author alone. */
export function isUnsent(message: LocalMessage): boolean {
  return message.status !== 'received' || message.type === 'error' || message.type === 'ephemeral'
}
