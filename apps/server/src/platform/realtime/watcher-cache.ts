import type { Clock } from '../clock.ts'

/** A watcher report of another node is cached for this long, for so many channels. */
const CACHED_MS = 60_000
const CHANNELS_CACHED = 1_000
/** So many of those who watch are named. */
export const CACHED_WATCHER_IDS = 100

/** The watchers of a channel: how many, and some of them, the newest first. */
export interface CachedWatchers {
  count: number
  ids: string[]
}

/** The watchers of channels without watchers on this node, as another node reported lately. */
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

  /** Undefined without a report, or if it is too old. */
  of(key: string): CachedWatchers | undefined {
    const cachedWatchers = this.#watcherCache.get(key)
    return cachedWatchers && cachedWatchers.until > this.#clock.elapsed() ? cachedWatchers : undefined
  }
}
