/**
 * A value that can be read and subscribed to. The snapshot keeps its identity until it changes, so it works with
 * `useSyncExternalStore` [client.md 5.0].
 */
export interface Live<Value> {
  snapshot: () => Value
  /** @returns the function that ends the subscription */
  subscribe: (listener: () => void) => () => void
}

/** A live value that its owner replaces. */
export class Cell<Value> implements Live<Value> {
  #value: Value
  #listeners = new Set<() => void>()
  #failed: (error: unknown) => void
  constructor(value: Value, failed: (error: unknown) => void = reportError) {
    this.#value = value
    this.#failed = failed
  }

  get listeners() {
    return this.#listeners.size
  }

  snapshot = () => this.#value
  subscribe = (listener: () => void) => {
    // A listener given twice is two subscriptions, so each is wrapped in its own function.
    const own = () => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  set(value: Value) {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of [...this.#listeners]) {
      try {
        listener()
      } catch (error) {
        this.#failed(error)
      }
    }
  }
}

/** One part of a live value. Its listeners are called only when that part changes. */
export function aspect<Whole, Part>(
  whole: Live<Whole>,
  pick: (value: Whole) => Part,
  same: (a: Part, b: Part) => boolean = Object.is,
): Live<Part> {
  let from = whole.snapshot()
  let part = pick(from)
  const snapshot = () => {
    const value = whole.snapshot()
    if (!Object.is(value, from)) {
      from = value
      const picked = pick(value)
      if (!same(picked, part)) part = picked
    }
    return part
  }
  const subscribe = (listener: () => void) => {
    let known = snapshot()
    return whole.subscribe(() => {
      const now = snapshot()
      if (Object.is(now, known)) return
      known = now
      listener()
    })
  }
  return { snapshot, subscribe }
}

/** The value with changed fields; the same value if none has changed. */
export function merged<Whole extends object>(whole: Whole, change: Partial<Whole>): Whole {
  const isSame = Object.entries(change).every(([field, value]) => whole[field as keyof Whole] === value)
  return isSame ? whole : { ...whole, ...change }
}

/** Whether two lists have the same items; then they count as the same list. */
export function sameMembers<Item>(a: readonly Item[], b: readonly Item[]) {
  return a.length === b.length && a.every((item, i) => item === b[i])
}

function reportError(error: unknown) {
  console.error('A listener failed.', error)
}
