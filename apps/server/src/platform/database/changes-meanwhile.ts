/** Keys remembered; when more change, whatever is being read counts as changed. */
const KEYS_MAX = 10_000

/** Tracks changes while a cache reads, so that it caches no row older than a change it was notified of. */
export class ChangesMeanwhile {
  #latest = 0
  #readings = 0
  #changed = new Map<string, number>()
  #allChanged = 0

  changed(key: string) {
    this.#latest += 1
    if (this.#readings === 0) return
    if (this.#changed.size >= KEYS_MAX) this.allChanged()
    else this.#changed.set(key, this.#latest)
  }

  allChanged() {
    this.#latest += 1
    this.#allChanged = this.#latest
    this.#changed.clear()
  }

  /** Reads rows, and caches those that no change was reported for since the read began. */
  async keeping<Row>(read: () => Promise<Row[]>, keyOf: (row: Row) => string, keep: (row: Row) => void) {
    const since = this.#latest
    this.#readings += 1
    try {
      const rows = await read()
      for (const row of rows) {
        if (this.#allChanged > since) break
        if ((this.#changed.get(keyOf(row)) ?? 0) <= since) keep(row)
      }
      return rows
    } finally {
      this.#readings -= 1
      if (this.#readings === 0) this.#changed.clear()
    }
  }
}
