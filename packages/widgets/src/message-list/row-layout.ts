/** Up to this many rows, all are rendered; above, only those near the viewport. */
const PLAIN_ROWS = 150
/** Rows this many viewports beyond either edge of the viewport are rendered too. */
const OVERSCAN_VIEWPORTS = 1
/** The height assumed for a row before the first of its kind was measured, in px. */
const UNKNOWN_ROW_PX = 72

/** One row of a list: its key never changes; its kind groups rows of similar height. */
export interface ScrollRow {
  key: string
  kind: string
}

/** The rendered rows, as indexes in ascending order, and the space reserved for the others. */
export interface RowWindow {
  indexes: readonly number[]
  /** Px reserved above each of `indexes`, for the rows between it and the one rendered before. */
  gaps: readonly number[]
  /** Px reserved below the last rendered row. */
  below: number
}

/** Where the rendered window is placed: at the end, or around one row that lies `offset` px below the viewport top. */
export type Around = { at: 'end' } | { at: 'row'; key: string; index: number; offset: number }

/**
 * Heights by row key, in px. An outdated height is still the best guess: a row is measured again as soon as it is
 * rendered, before it is painted.
 */
export class RowSizes {
  #sizes = new Map<string, number>()
  #measured = new Set<string>()
  #averages = new Map<string, { sum: number; count: number }>()

  /** A guess never changes once it is made: a moving average must not move rows that were never measured. */
  of(row: ScrollRow): number {
    const known = this.#sizes.get(row.key)
    if (known !== undefined) return known
    const average = this.#averages.get(row.kind)
    const guess = average ? Math.round(average.sum / average.count) : UNKNOWN_ROW_PX
    if (average) this.#sizes.set(row.key, guess)
    return guess
  }

  measured(row: ScrollRow, size: number) {
    if (!this.#measured.has(row.key)) {
      this.#measured.add(row.key)
      const average = this.#averages.get(row.kind) ?? { sum: 0, count: 0 }
      this.#averages.set(row.kind, { sum: average.sum + size, count: average.count + 1 })
    }
    this.#sizes.set(row.key, size)
  }
}

/** The rows of one commit with their positions. Independent of the DOM: the caller passes measured heights. */
export class RowLayout {
  readonly rows: readonly ScrollRow[]
  #sizes: RowSizes
  #heights: Float64Array
  #starts: Float64Array
  /** Start positions are valid up to and including this index. */
  #rightUpTo = 0
  /** The requested indexes. */
  #indexes = new Map<string, number | undefined>()

  /** @param before  the layout of the last commit; most of its heights are reused */
  constructor(rows: readonly ScrollRow[], sizes: RowSizes, before?: RowLayout) {
    this.rows = rows
    this.#sizes = sizes
    this.#heights = new Float64Array(rows.length)
    this.#starts = new Float64Array(rows.length + 1)
    const [from, to] = before ? this.#copy(before) : [0, 0]
    for (let index = 0; index < from; index++) this.#heights[index] = sizes.of(rows[index]!)
    for (let index = to; index < rows.length; index++) this.#heights[index] = sizes.of(rows[index]!)
  }

  indexOf(key: string): number | undefined {
    if (!this.#indexes.has(key)) {
      const index = this.rows.findIndex((row) => row.key === key)
      this.#indexes.set(key, index < 0 ? undefined : index)
    }
    return this.#indexes.get(key)
  }

  /** Px from the first row's top to the top of the row at `index`; `rows.length` gives the whole height. */
  startOf(index: number): number {
    for (let i = this.#rightUpTo; i < index; i++) this.#starts[i + 1] = this.#starts[i]! + this.#heights[i]!
    this.#rightUpTo = Math.max(this.#rightUpTo, index)
    return this.#starts[index]!
  }

  /** The row at the position `px` below the first row's top. */
  indexAt(px: number): number {
    let low = 0
    let high = this.rows.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.startOf(middle) <= px) low = middle
      else high = middle - 1
    }
    return low
  }

  measured(index: number, size: number) {
    if (this.#heights[index] === size) return
    this.#heights[index] = size
    this.#sizes.measured(this.rows[index]!, size)
    this.#rightUpTo = Math.min(this.#rightUpTo, index)
  }

  /** The rows to render so that the viewport and its overscan are covered; `kept` rows are always among them. */
  window(around: Around, viewport: number, kept: Iterable<string>): RowWindow {
    const [from, to] = this.rows.length <= PLAIN_ROWS ? [0, this.rows.length] : this.#cut(around, viewport)
    const indexes: number[] = []
    const outside = [...kept].map((key) => this.indexOf(key)).filter((index) => index !== undefined)
    const keptIndexes = [...new Set(outside)].sort((a, b) => a - b)
    for (const index of keptIndexes) if (index < from) indexes.push(index)
    for (let index = from; index < to; index++) indexes.push(index)
    for (const index of keptIndexes) if (index >= to) indexes.push(index)

    const afterLast = (indexes.at(-1) ?? -1) + 1
    return {
      indexes,
      gaps: indexes.map((index, i) => this.startOf(index) - this.startOf(i === 0 ? 0 : indexes[i - 1]! + 1)),
      below: this.startOf(this.rows.length) - this.startOf(afterLast),
    }
  }

  /** Takes over the heights of the common first rows of both layouts; returns their half-open range. */
  #copy(before: RowLayout): [number, number] {
    const first = before.rows[0]?.key
    const from = this.rows.findIndex((row) => row.key === first)
    if (from < 0) return [0, 0]
    let count = 0
    while (count < before.rows.length && this.rows[from + count]?.key === before.rows[count]!.key) count++
    this.#heights.set(before.#heights.subarray(0, count), from)
    return [from, from + count]
  }

  /** Half-open range of indexes. */
  #cut(around: Around, viewport: number): [number, number] {
    const overscan = OVERSCAN_VIEWPORTS * viewport
    const last = this.rows.length - 1
    if (around.at === 'end') return [this.#upFrom(last + 1, viewport + overscan), last + 1]
    const index = this.indexOf(around.key) ?? Math.max(0, Math.min(around.index, last))
    return [this.#upFrom(index, around.offset + overscan), this.#downFrom(index, viewport - around.offset + overscan)]
  }

  #upFrom(index: number, px: number): number {
    let from = index
    for (let covered = 0; from > 0 && covered < px; from--) covered += this.#heights[from - 1]!
    return from
  }

  #downFrom(index: number, px: number): number {
    let to = index
    for (let covered = 0; to < this.rows.length && covered < px; to++) covered += this.#heights[to]!
    return Math.max(to, index + 1)
  }
}
