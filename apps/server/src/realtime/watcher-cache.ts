import type { Clock } from '../clock.ts'

/** What another node told of watchers is believed this long, for so many channels. */
const CACHED_MS = 60_000
const CHANNELS_CACHED = 1_000
/** So many of those who watch are named. */
export const CACHED_WATCHER_IDS = 100

/** Who watches a channel: how many, and some of them, the last to begin first. */
export interface CachedWatchers {
  count: number
  ids: string[]
}

/** Who watches channels that nobody on this node asked about, as another node told lately. */
export class WatcherCache {
  #clock: Clock
  #watcherCache = new Map<string, CachedWatchers & { until: number }>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(key: string, cachedWatchers: CachedWatchers) {
    this.#watcherCache.delete(key)
    this.#watcherCache.set(key, { ...cachedWatchers, until: this.#clock.elapsed() + CACHED_MS })
    if (this.#watcherCache.size > CHANNELS_CACHED)
      this.#watcherCache.delete(this.#watcherCache.keys().next().value as string)
  }

  /** Undefined where nobody told anything, or too long ago. */
  of(key: string): CachedWatchers | undefined {
    const cachedWatchers = this.#watcherCache.get(key)
    return cachedWatchers && cachedWatchers.until > this.#clock.elapsed() ? cachedWatchers : undefined
  }
}
