import type { Clock } from '../clock.ts'

/** What another node told of watchers is believed this long, for so many channels. */
const GLIMPSE_MS = 60_000
const GLIMPSES_KEPT = 1_000
/** So many of those who watch are named. */
export const GLIMPSE_IDS = 100

/** Who watches a channel: how many, and some of them, the last to begin first. */
export interface Glimpse {
  count: number
  ids: string[]
}

/** Who watches channels that nobody on this node asked about, as another node told lately. */
export class Glimpses {
  #clock: Clock
  #glimpses = new Map<string, Glimpse & { until: number }>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(key: string, glimpse: Glimpse) {
    this.#glimpses.delete(key)
    this.#glimpses.set(key, { ...glimpse, until: this.#clock.elapsed() + GLIMPSE_MS })
    if (this.#glimpses.size > GLIMPSES_KEPT) this.#glimpses.delete(this.#glimpses.keys().next().value as string)
  }

  /** Undefined where nobody told anything, or too long ago. */
  of(key: string): Glimpse | undefined {
    const glimpse = this.#glimpses.get(key)
    return glimpse && glimpse.until > this.#clock.elapsed() ? glimpse : undefined
  }
}
