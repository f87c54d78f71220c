/** Searching and changing lists of messages; needed with the first event or answer. */
import { byAge, type LocalMessage } from './local-message.ts'
import { emptySets, latestSet, type MessageSet, type MessageSets } from './message-sets.ts'

export function findMessage(sets: MessageSets, id: string): LocalMessage | undefined {
  for (const set of sets) {
    const message = set.messages.find((other) => other.id === id)
    if (message) return message
  }
}

/** The list with the message in its place by age; one with the same id is replaced. */
export function withMessage(messages: readonly LocalMessage[], message: LocalMessage): readonly LocalMessage[] {
  const others = messages.filter((other) => other.id !== message.id)
  // After all messages of the same time: ties are in the order of arrival.
  let at = others.length
  while (at > 0 && byAge(others[at - 1] as LocalMessage, message) > 0) at--
  return others.toSpliced(at, 0, message)
}

/** Replaces a message in its place, and moves it only if its time changed. */
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

/** Changes every message of a list; returns the same list if no message changed. */
export function mapped(
  messages: readonly LocalMessage[],
  change: (message: LocalMessage) => LocalMessage | undefined,
): readonly LocalMessage[] {
  let same = true
  const next: LocalMessage[] = []
  for (const message of messages) {
    const changed = change(message)
    if (changed !== message) same = false
    if (changed) next.push(changed)
  }
  return same ? messages : next
}

/** A live message belongs to the newest set, even while an older one is shown. */
export function addToLatest(sets: MessageSets, message: LocalMessage): MessageSets {
  const latest = latestSet(sets)
  // The newest set was never loaded, so it may have more than this one message.
  if (!latest) return [...sets, { messages: [message], current: false, latest: true, hasOlder: true, hasNewer: false }]
  return inPlaceOf(sets, latest, { ...latest, messages: withMessage(latest.messages, message) })
}

/** The sets with others in place of one. */
export function inPlaceOf(sets: MessageSets, one: MessageSet, ...others: MessageSet[]): MessageSets {
  return sets.flatMap((set) => (set === one ? others : [set]))
}

/** Removes sets that are empty after deletions, except the latest, which is shown then. */
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
