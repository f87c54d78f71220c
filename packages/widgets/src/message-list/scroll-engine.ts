import { Cell, type Live } from '@parley/client'
import { type Around, RowLayout, RowSizes, type RowWindow, type ScrollRow } from './row-layout.ts'
import {
  AT_END_PX,
  anchorAt,
  atOpening,
  type Direction,
  type Place,
  type ScrollState,
  type Sight,
  type Signal,
  step,
} from './scroll-state.ts'

/** Corrections below this are skipped: browsers round scroll positions to whole device pixels. */
const TOLERANCE_PX = 0.5
/** New rows are rendered when fewer than this many viewports of them are left in the scroll direction. */
const RUNWAY_VIEWPORTS = 0.5

/** A scroll position to restore. `offset` is px from the viewport top to the top of the row. */
export type ScrollPosition = { at: 'end' } | { at: 'row'; key: string; offset: number }

/** Where a list opens. If the row of the key is not loaded yet, the list waits for it. */
export type Opening = ScrollPosition | { at: 'shown'; key: string; place: Place }

/** The state for pills, buttons and the floating date. Keeps its identity until it changes. */
export interface ScrollView {
  pinned: boolean
  /** The first and the last row that are at least partly in view. */
  first: string | undefined
  last: string | undefined
  /** Increments whenever the rendered rows no longer reach far enough and must be chosen again. */
  cut: number
  viewport: number
}

export interface ScrollSources {
  /** Which sides have rows that are not loaded. */
  edges: Record<Direction, boolean>
  /**
   * Loads the next page; the next one is requested only after this has ended and the reader scrolled, or at once if the
   * content is short. The application shows a failure.
   *
   * @returns whether a page came
   */
  load: (direction: Direction) => Promise<boolean>
}

/** The elements of a list: the scroller, all its content, and inside that the rows' own box. */
export interface ScrollParts {
  viewport: HTMLElement
  content: HTMLElement
  list: HTMLElement
}

interface SeenRow {
  key: string
  index: number
  top: number
  bottom: number
}

/**
 * Keeps the reading position while rows are added, removed and resized, and follows the end while the reader is there.
 *
 * It measures the anchor in the document after every change and moves the scroller by the difference before the browser
 * paints: in the commit's layout effect, or in a ResizeObserver callback. Guessed heights are used only for rows
 * outside the rendered window, so a wrong guess moves nothing.
 *
 * Decisions are in `step` (scroll-state.ts), the choice of rendered rows in RowLayout; this class owns the elements,
 * the listeners and the timers.
 */
export class ScrollEngine implements Live<ScrollView> {
  #state: ScrollState = atOpening
  #sources: ScrollSources = { edges: { older: false, newer: false }, load: async () => false }
  #parts: ScrollParts | undefined
  #observer: ResizeObserver | undefined
  #elements = new Map<string, HTMLElement>()
  #layout = new RowLayout([], new RowSizes())
  #window: RowWindow = { indexes: [], gaps: [], below: 0 }
  /** A jump to the end or to a row that is not loaded yet. */
  #awaited: Opening | undefined
  #awaitedFocus: string | undefined
  /** Scroll position and viewport as last seen, to distinguish the reader's scrolling from all other. */
  #top = 0
  #viewportTop = 0
  #viewportHeight = 0
  /** The reader has scrolled; the scroll event has not arrived yet. */
  #readerIsAhead = false
  /** Px by which the content is shifted up with a transform, while a finger forbids scrolling. */
  #held = 0
  /** Rows as last painted, top to bottom. */
  #seen: SeenRow[] = []
  #alarms = new Map<string, ReturnType<typeof setTimeout>>()
  #scrollListeners = new Set<() => void>()
  #view: Cell<ScrollView>
  #sizes = new RowSizes()

  constructor(opening: Opening = { at: 'end' }) {
    const pinned = opening.at === 'end'
    this.#view = new Cell<ScrollView>({ pinned, first: undefined, last: undefined, cut: 0, viewport: 0 })
    if (opening.at !== 'end') this.#awaited = opening
  }

  snapshot = () => this.#view.snapshot()
  subscribe = (listener: () => void) => this.#view.subscribe(listener)

  /** Calls back whenever the reader scrolls, but not when the list itself does. */
  onReaderScroll(listener: () => void) {
    this.#scrollListeners.add(listener)
    return () => void this.#scrollListeners.delete(listener)
  }

  /** Starts to watch the elements; returns the function that stops it. */
  attach(parts: ScrollParts) {
    this.#parts = parts
    this.#observer = new ResizeObserver(() => this.settle())
    this.#observer.observe(parts.viewport)
    this.#observer.observe(parts.content)
    for (const element of this.#elements.values()) this.#observer.observe(element)
    this.#top = parts.viewport.scrollTop
    this.#viewportTop = parts.viewport.getBoundingClientRect().top
    this.#viewportHeight = parts.viewport.clientHeight

    const listening = new AbortController()
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      listener: (event: HTMLElementEventMap[Name]) => void,
    ) => parts.viewport.addEventListener(name, listener, { passive: true, signal: listening.signal })
    listen('scroll', () => this.#scrolled())
    listen('wheel', () => this.#input(true))
    listen('touchmove', () => this.#input(true))
    listen('keydown', (event) => this.#input(SCROLL_KEYS.has(event.key)))
    listen('pointerdown', () => this.#input(false))
    listen('touchstart', () => this.#dispatch({ type: 'fingerDown' }))
    const lifted = (event: TouchEvent) => event.touches.length === 0 && this.#dispatch({ type: 'fingerUp' })
    listen('touchend', lifted)
    listen('touchcancel', lifted)

    return () => {
      listening.abort()
      this.#observer?.disconnect()
      this.#parts = undefined
    }
  }

  /** A row entered the document; returns the function for when it leaves. */
  mounted(key: string, element: HTMLElement) {
    this.#elements.set(key, element)
    this.#observer?.observe(element)
    return () => {
      this.#observer?.unobserve(element)
      if (this.#elements.get(key) === element) this.#elements.delete(key)
    }
  }

  /** The rows of the next commit, with their known heights. */
  layoutOf(rows: readonly ScrollRow[]): RowLayout {
    return new RowLayout(rows, this.#sizes, this.#layout)
  }

  /** Must be called in the layout effect of every commit that rendered rows. */
  committed(layout: RowLayout, window: RowWindow, sources: ScrollSources) {
    this.#layout = layout
    this.#window = window
    this.#sources = sources
    const awaited = this.#awaited
    if (awaited && this.#isHere(awaited)) {
      this.#awaited = undefined
      if (awaited.at === 'end') this.#dispatch({ type: 'pin' })
      else if (awaited.at === 'row') this.#dispatch({ type: 'restore', key: awaited.key, offset: awaited.offset })
      else this.#dispatch({ type: 'show', key: awaited.key, place: awaited.place })
    }
    this.settle()
    const focused = this.#awaitedFocus && this.#elements.get(this.#awaitedFocus)
    if (focused) {
      this.#awaitedFocus = undefined
      focused.focus({ preventScroll: true })
    }
  }

  /**
   * Goes to a place as soon as its rows are loaded; a later call replaces an earlier one. `focus` is the key of the row
   * to focus there.
   *
   * @returns whether they are loaded already
   */
  goTo(where: Opening, focus?: string): boolean {
    this.#awaited = where
    this.#awaitedFocus = focus
    const isHere = this.#isHere(where)
    if (isHere) this.committed(this.#layout, this.#window, this.#sources)
    return isHere
  }

  /** Cancels a pending `goTo`; the reader stays at the present position. */
  stay() {
    this.goTo(this.position())
  }

  /** The current scroll position; pass it to `goTo` or to a new engine to come back. */
  position(): ScrollPosition {
    const { anchor } = this.#state
    if (anchor.at !== 'shown') return anchor
    const row = this.#seen.find(({ key }) => key === anchor.key) ?? this.#anchorRow(this.#seen)
    return row ? { at: 'row', key: row.key, offset: row.top } : { at: 'end' }
  }

  /** The first and last row within so many viewports of the view; rows that stay in the document count as well. */
  reach(viewports: number): { first: string; last: string } | undefined {
    const parts = this.#parts
    const { rows } = this.#layout
    if (!parts || rows.length === 0) return undefined
    const top = -this.#listTop(parts)
    const height = parts.viewport.clientHeight
    const { indexes } = this.#window
    const first = Math.min(this.#layout.indexAt(top - viewports * height), indexes[0] ?? rows.length)
    const last = Math.max(this.#layout.indexAt(top + (viewports + 1) * height), indexes.at(-1) ?? 0)
    return { first: rows[first]!.key, last: rows[last]!.key }
  }

  /** The place around which the rows of a layout are rendered. */
  around(layout: RowLayout): Around {
    const awaited = this.#awaited
    const isComing = awaited && awaited.at !== 'end' && layout.indexOf(awaited.key) !== undefined
    const place = isComing ? awaited : this.#state.anchor
    if (place.at === 'end') return { at: 'end' }
    // For a removed row, its former position is used.
    const index = layout.indexOf(place.key) ?? this.#layout.indexOf(place.key) ?? 0
    if (place.at === 'row') return { at: 'row', key: place.key, index, offset: place.offset }
    const height = layout.startOf(index + 1) - layout.startOf(index)
    return { at: 'row', key: place.key, index, offset: offsetOf(place.place, this.snapshot().viewport, height) }
  }

  /** Scrolls a row into view by the shortest way and focuses it. */
  focus(key: string) {
    const parts = this.#parts
    const index = this.#layout.indexOf(key)
    if (!parts || index === undefined) return
    const row = this.#look().find((seen) => seen.key === key)
    if (!row) {
      const below = Math.max(0, parts.viewport.clientHeight - this.#heightOf(index))
      this.goTo({ at: 'row', key, offset: this.#startInViewport(index) < 0 ? 0 : below }, key)
      return
    }
    this.#elements.get(key)?.focus({ preventScroll: true })
    const height = parts.viewport.clientHeight
    const shift = row.top < 0 || row.bottom - row.top > height ? row.top : Math.max(0, row.bottom - height)
    if (Math.abs(shift) > TOLERANCE_PX) this.#scrollFor(shift)
  }

  /**
   * Focuses a row in view without scrolling, so that the focus does not fall to the page when a button over the list or
   * a row is removed: the given row if it is in view, else the first.
   */
  focusInView(key?: string) {
    const rows = this.#look().filter(({ top, bottom }) => bottom > 0 && top < this.#viewportHeight)
    const row = rows.find((row) => row.key === key) ?? this.#anchorRow(rows)
    if (row) this.#elements.get(row.key)?.focus({ preventScroll: true })
  }

  /** Scrolls by pages as the keyboard does; returns the first row that is then fully in view. */
  page(pages: number): string | undefined {
    const parts = this.#parts
    if (!parts) return undefined
    this.#scrollFor(pages * parts.viewport.clientHeight * 0.9)
    return this.#look().find((row) => row.top >= -1)?.key
  }

  /** Scrolls the list to its anchor. Cheap when nothing has changed. */
  settle() {
    const parts = this.#parts
    if (!parts || parts.viewport.clientHeight === 0) return
    this.#noticeReader(parts)
    this.#noticeViewport(parts)
    this.#noticeOpened(parts)
    const rows = this.#look()
    this.#measure(rows)
    this.#place(parts, rows)
    this.#dispatch({ type: 'laidOut', sight: this.#sight() })
    this.#publish()
  }

  #dispatch(signal: Signal) {
    const [next, ...effects] = step(this.#state, signal)
    this.#state = next
    for (const effect of effects) {
      switch (effect.do) {
        case 'place':
          this.#hold(0)
          if (this.#parts) this.#place(this.#parts, this.#look(), { absolute: true })
          break
        case 'release':
          this.#release()
          break
        case 'look':
          this.#state = { ...this.#state, anchor: anchorAt(this.#sight(), AT_END_PX) }
          this.#publish()
          break
        case 'load':
          this.#load(effect.direction)
          break
        case 'alarm':
          this.#alarm(effect.signal, effect.ms)
          break
        default:
          effect satisfies never
      }
    }
  }

  #load(direction: Direction) {
    void this.#sources
      .load(direction)
      .then((came) => this.#parts && this.#dispatch({ type: 'loaded', direction, came, sight: this.#sight() }))
  }

  #alarm(signal: 'rested' | 'settled', ms: number) {
    clearTimeout(this.#alarms.get(signal))
    this.#alarms.set(
      signal,
      setTimeout(() => this.#parts && this.#dispatch({ type: signal }), ms),
    )
  }

  #input(scrolls: boolean) {
    this.#scrolled()
    if (this.#parts) this.#dispatch({ type: 'input', scrolls, sight: this.#sight() })
  }

  #scrolled() {
    const top = this.#parts?.viewport.scrollTop
    if (top === undefined) return
    const moved = top - this.#top
    if (Math.abs(moved) < TOLERANCE_PX && !this.#readerIsAhead) return
    this.#top = top
    if (this.#readerIsAhead || this.#state.motion !== 'still' || !this.#isClamped(moved)) this.#readerMoved()
  }

  #readerMoved() {
    this.#readerIsAhead = false
    this.#dispatch({ type: 'scrolled', sight: this.#sight({ fresh: true }) })
    this.#publish()
    for (const listener of this.#scrollListeners) listener()
  }

  /** Scrolling by the engine that counts as the reader's. */
  #scrollFor(px: number) {
    const parts = this.#parts
    if (!parts) return
    parts.viewport.scrollTop += px
    this.#top = parts.viewport.scrollTop
    this.#readerMoved()
  }

  /**
   * The reader may have scrolled before the event arrived here. That scrolling must not be undone, so the anchor moves
   * with it.
   */
  #noticeReader({ viewport }: ScrollParts) {
    const top = viewport.scrollTop
    const moved = top - this.#top
    this.#top = top
    if (Math.abs(moved) < TOLERANCE_PX || this.#isClamped(moved)) return
    this.#readerIsAhead = true
    this.#shiftSeen(-moved)
  }

  /** A shorter content also moves the scroller, up to its end: that is not the reader. */
  #isClamped(moved: number): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#parts!.viewport
    return moved < 0 && scrollTop >= scrollHeight - clientHeight - 1
  }

  /**
   * A banner above the list reduces the viewport from its top, and must not move the text on the screen. A page that
   * scrolls or slides with the list in it does not reduce it: there everything moves together.
   */
  #noticeViewport({ viewport }: ScrollParts) {
    const { top } = viewport.getBoundingClientRect()
    const height = viewport.clientHeight
    const lower = top - this.#viewportTop
    const shorter = this.#viewportHeight - height
    this.#viewportTop = top
    this.#viewportHeight = height
    const taken = Math.sign(lower) === Math.sign(shorter) ? Math.min(Math.abs(lower), Math.abs(shorter)) : 0
    if (taken !== 0) this.#shiftSeen(-Math.sign(lower) * taken)
  }

  /** A layer opened from a row is placed beside it: that row is the anchor, at the end of the list, too. */
  #noticeOpened({ list }: ScrollParts) {
    const { anchor } = this.#state
    if (anchor.at === 'shown') return
    const opened = list.querySelector('.chat-message[data-open]')?.closest<HTMLElement>('[data-key]')?.dataset.key
    const row = this.#seen.find(({ key }) => key === opened)
    if (row) this.#state = { ...this.#state, anchor: { at: 'row', key: row.key, offset: row.top } }
  }

  #shiftSeen(px: number) {
    this.#seen = this.#seen.map((row) => ({ ...row, top: row.top + px, bottom: row.bottom + px }))
    const { anchor } = this.#state
    if (anchor.at === 'row') {
      this.#state = { ...this.#state, anchor: { ...anchor, offset: anchor.offset + px } }
    } else if (anchor.at === 'end' && px > AT_END_PX) {
      const row = this.#seen.find(({ top }) => top >= 0)
      if (row) this.#state = { ...this.#state, anchor: { at: 'row', key: row.key, offset: row.top } }
    }
  }

  #place(parts: ScrollParts, rows: SeenRow[], { absolute = false } = {}) {
    const { anchor } = this.#state
    if (anchor.at === 'end') {
      this.#moveBy(this.#toEnd(parts), absolute)
      return
    }
    const shown = rows.find((row) => row.key === anchor.key)
    const index = this.#layout.indexOf(anchor.key)
    if (shown) {
      const offset =
        anchor.at === 'row'
          ? anchor.offset
          : offsetOf(anchor.place, parts.viewport.clientHeight, shown.bottom - shown.top)
      this.#moveBy(shown.top - offset, absolute)
    } else if (index !== undefined) {
      const height = this.#heightOf(index)
      const offset = anchor.at === 'row' ? anchor.offset : offsetOf(anchor.place, parts.viewport.clientHeight, height)
      this.#moveBy(this.#startInViewport(index) - offset, absolute)
    } else {
      this.#placeNeighbour(anchor, rows, absolute)
    }
  }

  /** The anchor row is gone; the nearest one that was in view with it becomes the anchor. */
  #placeNeighbour(anchor: { key: string }, rows: SeenRow[], absolute: boolean) {
    const at = this.#seen.findIndex((row) => row.key === anchor.key)
    const others = [...this.#seen.slice(Math.max(at, 0)), ...this.#seen.slice(0, Math.max(at, 0)).reverse()]
    const neighbour = others.find((row) => this.#layout.indexOf(row.key) !== undefined)
    if (!neighbour) return
    this.#state = { ...this.#state, anchor: { at: 'row', key: neighbour.key, offset: neighbour.top } }
    const now = rows.find((row) => row.key === neighbour.key)
    if (now) this.#moveBy(now.top - neighbour.top, absolute)
  }

  #moveBy(px: number, absolute: boolean) {
    const parts = this.#parts
    if (!parts || Math.abs(px) <= TOLERANCE_PX) return
    // Writing `scrollTop` ends the momentum on iOS, so the content is shifted with a transform until the scroller
    // rests.
    const atWall = this.#state.motion === 'coasting' && parts.viewport.scrollTop <= 0
    if (this.#state.motion !== 'still' && !absolute && !atWall) {
      this.#hold(this.#held + px)
      return
    }
    const target = parts.viewport.scrollTop + this.#held + px
    this.#hold(0)
    parts.viewport.scrollTop = target
    this.#top = parts.viewport.scrollTop
  }

  #hold(px: number) {
    if (px === this.#held) return
    this.#held = px
    if (this.#parts) this.#parts.content.style.translate = px === 0 ? '' : `0 ${-px}px`
  }

  #release() {
    const parts = this.#parts
    if (!parts || this.#held === 0) return
    const target = parts.viewport.scrollTop + this.#held
    this.#hold(0)
    parts.viewport.scrollTop = target
    this.#top = parts.viewport.scrollTop
    this.settle()
  }

  /** The present positions of the rendered rows, in px below the viewport top. */
  #look(): SeenRow[] {
    const parts = this.#parts
    if (!parts) return []
    const { top, scale } = originOf(parts.viewport)
    const rows: SeenRow[] = []
    for (const index of this.#window.indexes) {
      const key = this.#layout.rows[index]!.key
      const box = this.#elements.get(key)?.getBoundingClientRect()
      if (box) rows.push({ key, index, top: (box.top - top) / scale, bottom: (box.bottom - top) / scale })
    }
    return rows
  }

  #measure(rows: SeenRow[]) {
    for (const row of rows) this.#layout.measured(row.index, row.bottom - row.top)
  }

  /** `fresh` takes a new anchor even if the old one is still valid. */
  #sight({ fresh = false } = {}): Sight {
    const parts = this.#parts!
    const rows = this.#look()
    const height = parts.viewport.clientHeight
    this.#seen = rows.filter((row) => row.bottom > 0 && row.top < height)
    const { anchor } = this.#state
    const listTop = this.#listTop(parts)
    return {
      toEnd: this.#toEnd(parts),
      toStart: -listTop,
      viewport: height,
      content: parts.content.offsetHeight,
      edges: this.#sources.edges,
      anchor: this.#sightAnchor(!fresh && anchor.at === 'row' ? anchor : undefined, listTop),
    }
  }

  #sightAnchor(held: { key: string; offset: number } | undefined, listTop: number): Sight['anchor'] {
    if (held && !this.#elements.has(held.key) && this.#layout.indexOf(held.key) !== undefined) return held
    const row = this.#anchorRow(this.#seen)
    // The requested offset is kept, not the browser's rounded one: rounding errors must not add up.
    if (held && row?.key === held.key && Math.abs(row.top - held.offset) <= 1) return held
    if (row) return { key: row.key, offset: row.top }
    if (this.#layout.rows.length === 0) return undefined
    const index = this.#layout.indexAt(-listTop)
    return { key: this.#layout.rows[index]!.key, offset: this.#layout.startOf(index) + listTop }
  }

  /** The first row fully in view, else the first one partly in view. */
  #anchorRow(rows: SeenRow[]): SeenRow | undefined {
    const visible = rows.filter((row) => row.bottom > 0)
    return visible.find((row) => row.top >= -1) ?? visible[0]
  }

  #publish() {
    const parts = this.#parts
    if (!parts) return
    const old = this.snapshot()
    const view: ScrollView = {
      pinned: this.#isAtEnd(parts),
      first: this.#seen[0]?.key,
      last: this.#seen.at(-1)?.key,
      cut: this.#covered(parts) ? old.cut : old.cut + 1,
      viewport: parts.viewport.clientHeight,
    }
    const same = (Object.keys(view) as (keyof ScrollView)[]).every((name) => view[name] === old[name])
    if (!same) this.#view.set(view)
  }

  /** The target of a jump may lie so near the end that the end is in view. */
  #isAtEnd(parts: ScrollParts): boolean {
    const { at } = this.#state.anchor
    return !this.#sources.edges.newer && (at === 'end' || (at === 'shown' && this.#toEnd(parts) <= 1))
  }

  /** Whether enough rows are rendered around the viewport for the next movements. */
  #covered({ viewport }: ScrollParts): boolean {
    const { indexes } = this.#window
    const count = this.#layout.rows.length
    if (indexes.length === count) return true
    const runway = RUNWAY_VIEWPORTS * viewport.clientHeight
    const listTop = this.#listTop(this.#parts!)
    const from = this.#layout.indexAt(Math.max(0, -listTop - runway))
    const to = this.#layout.indexAt(-listTop + viewport.clientHeight + runway)
    const rendered = new Set(indexes)
    for (let index = from; index <= to; index++) if (!rendered.has(index)) return false
    return true
  }

  #isHere(where: Opening): boolean {
    if (where.at === 'end') return !this.#sources.edges.newer
    return this.#layout.indexOf(where.key) !== undefined
  }

  #heightOf(index: number) {
    return this.#layout.startOf(index + 1) - this.#layout.startOf(index)
  }

  #startInViewport(index: number) {
    return this.#parts ? this.#listTop(this.#parts) + this.#layout.startOf(index) : 0
  }

  #listTop({ viewport, list }: ScrollParts) {
    const { top, scale } = originOf(viewport)
    return (list.getBoundingClientRect().top - top) / scale
  }

  #toEnd({ viewport, content }: ScrollParts) {
    const { top, scale } = originOf(viewport)
    return (content.getBoundingClientRect().bottom - top) / scale - viewport.clientHeight
  }
}

/** The viewport's position in the window and its scale, which differs from 1 while a panel opens with a zoom. */
function originOf(viewport: HTMLElement) {
  const { top, height } = viewport.getBoundingClientRect()
  const scale = height / viewport.offsetHeight
  // Layout heights are whole pixels; ignore small differences.
  return { top, scale: Math.abs(scale - 1) < 0.01 ? 1 : scale }
}

/** Keys by which a reader moves a scroller. */
const SCROLL_KEYS = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '])

function offsetOf(place: Place, viewport: number, height: number) {
  return place === 'fifth' ? Math.round(viewport / 5) : Math.max(0, Math.round((viewport - height) / 2))
}
