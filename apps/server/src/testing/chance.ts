/** Repeatable random choices: the same seed makes the same choices. */
export class Chance {
  readonly seed: number
  #state: number
  constructor(seed: number) {
    this.seed = seed
    this.#state = seed
  }

  /** From 0 up to, but without, 1. [mulberry32] */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  /** One of them; undefined only when there are none. */
  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }
}
