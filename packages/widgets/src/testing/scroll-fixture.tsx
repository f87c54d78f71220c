/// <reference types="vite/client" />
import { useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { ScrollRow } from '../message-list/row-layout.ts'
import { ScrollList } from '../message-list/ScrollList.tsx'
import { type Opening, ScrollEngine } from '../message-list/scroll-engine.ts'
import type { Direction } from '../message-list/scroll-state.ts'
import { framesOf, painted, type Watched } from './frames.ts'
import './scroll-fixture.css'
import '../message-list/message-list.css'

interface FixtureRow extends ScrollRow {
  lines: number
  reactions?: boolean
  separator?: boolean
}

interface Pane {
  rows: readonly FixtureRow[]
  edges: Record<Direction, boolean>
  banner: number
  composer: number
  width?: number
}

/** The effect of a change on the pane. */
type Change = Partial<Pane> | ((pane: Pane) => Partial<Pane>)

/** Rows r0 … r(count − 1), between one and five lines high in an order that repeats only after 35 rows. */
function numbered(from: number, count: number): FixtureRow[] {
  return Array.from({ length: count }, (_, i) => {
    const n = from + i
    return { key: `r${n}`, kind: 'text', lines: 1 + (((n * n + 3 * n) % 7) % 5) }
  })
}

let engine = new ScrollEngine()
let setPane: (change: Change) => void = () => {}
let pane: Pane
let asked: Direction[] = []
let answer: (() => void)[] = []
const root = createRoot(document.getElementById('root')!)

function Fixture({ opened }: { opened: Pane }) {
  const [current, setCurrent] = useState(opened)
  useLayoutEffect(() => {
    pane = current
    setPane = (change) =>
      setCurrent((before) => ({ ...before, ...(typeof change === 'function' ? change(before) : change) }))
  })
  return (
    <div className="pane" style={{ inlineSize: current.width }}>
      <div style={{ blockSize: current.banner, background: '#fd9' }} />
      <div className="pane-list">
        <ScrollList
          engine={engine}
          rows={current.rows}
          renderRow={renderRow}
          rowProps={rowProps}
          edges={current.edges}
          load={load}
          before={<div style={{ blockSize: 40 }}>the start</div>}
          after={<div style={{ blockSize: 12 }} />}
        />
      </div>
      <div style={{ blockSize: current.composer, background: '#9df' }}>
        <input aria-label="text" />
      </div>
    </div>
  )
}

const rowProps = () => ({ tabIndex: -1 })

function renderRow(row: FixtureRow) {
  return (
    <>
      {row.separator ? <div className="row-separator">today</div> : null}
      <div className="row">
        <span>{`${row.key} ${'and more words '.repeat(3)}`}</span>
        {Array.from({ length: row.lines - 1 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
          <div key={i}>another line</div>
        ))}
        <div className="late" />
        {row.reactions ? <div className="row-reaction">+1</div> : null}
      </div>
    </>
  )
}

function load(direction: Direction) {
  asked.push(direction)
  return new Promise<boolean>((resolve) => answer.push(() => resolve(true)))
}

function byKey(key: string, change: Partial<FixtureRow>): Change {
  return ({ rows }) => ({ rows: rows.map((row) => (row.key === key ? { ...row, ...change } : row)) })
}

const scroller = () => document.querySelector<HTMLElement>('.chat-scroll')!
const elementOf = (key: string) => scroller().querySelector<HTMLElement>(`[data-key="${key}"]`)
const rendered = () => [...scroller().querySelectorAll<HTMLElement>('[data-key]')].map((row) => row.dataset.key!)

const fixture = {
  /** A new list of `count` rows r0 … with the rows before and after them not loaded. */
  open(count: number, { opening, edges, from = 0 }: { opening?: Opening; edges?: Pane['edges']; from?: number } = {}) {
    engine = new ScrollEngine(opening)
    asked = []
    answer = []
    pane = { rows: numbered(from, count), edges: edges ?? { older: false, newer: false }, banner: 0, composer: 40 }
    flushSync(() => root.render(<Fixture key={performance.now()} opened={pane} />))
  },
  /** The changes that may happen while the user reads. `near` is a row in view. */
  changes: {
    prepend: () => setPane(({ rows }) => ({ rows: [...numbered(firstNumber(rows) - 25, 25), ...rows] })),
    append: () => setPane(({ rows }) => ({ rows: [...rows, ...numbered(firstNumber(rows) + rows.length, 3)] })),
    both: () =>
      setPane(({ rows }) => ({
        rows: [...numbered(firstNumber(rows) - 25, 25), ...rows, ...numbered(firstNumber(rows) + rows.length, 25)],
      })),
    grow: (near: string) => setPane(byKey(near, { lines: 12 })),
    shrink: (near: string) => setPane(byKey(near, { lines: 1 })),
    remove: (near: string) => setPane(({ rows }) => ({ rows: rows.filter((row) => row.key !== near) })),
    react: (near: string) => setPane(byKey(near, { reactions: true })),
    separate: (near: string) => setPane(byKey(near, { separator: true })),
    late: (near: string) => {
      elementOf(near)!.querySelector<HTMLElement>('.late')!.style.blockSize = '180.6px'
    },
    receipt: () => setPane(({ rows }) => byKeyOf(rows.at(-1)!.key)),
    banner: () => setPane({ banner: 44 }),
    composer: () => setPane({ composer: 190 }),
    narrow: () => setPane({ width: 300 }),
  } as Record<string, (near: string) => void>,
  setPane: (change: Partial<Pane>) => setPane(change),
  goTo: (opening: Opening) => engine.goTo(opening),
  focus: (key: string) => engine.focus(key),
  position: () => engine.position(),
  pinned: () => engine.snapshot().pinned,
  asked: () => asked,
  /** Answers the oldest pending request with a page, or with an empty one. */
  answer(rowCount: number) {
    const direction = asked.at(-1)
    if (rowCount > 0)
      setPane(({ rows }) => ({
        rows:
          direction === 'older'
            ? [...numbered(firstNumber(rows) - rowCount, rowCount), ...rows]
            : [...rows, ...numbered(firstNumber(rows) + rows.length, rowCount)],
      }))
    answer.shift()?.()
  },
  rendered,
  scroller,
  /** Rows at least partly in view, in order. */
  inView() {
    const box = scroller().getBoundingClientRect()
    return rendered().filter((key) => {
      const row = elementOf(key)!.getBoundingClientRect()
      return row.bottom > box.top && row.top < box.bottom
    })
  },
  /** The first row fully in view, and its neighbours. */
  readingRow() {
    const top = scroller().getBoundingClientRect().top
    const rows = rendered()
    const at = rows.findIndex((key) => elementOf(key)!.getBoundingClientRect().top >= top - 1)
    return { above: rows[at - 1]!, reading: rows[at]!, below: rows[at + 1]! }
  },
  offsetOf: (key: string) => elementOf(key)!.getBoundingClientRect().top - scroller().getBoundingClientRect().top,
  toEnd: () => scroller().scrollHeight - scroller().clientHeight - scroller().scrollTop,
  scrollBy(px: number) {
    scroller().scrollTop += px
  },
  /** Whether rows cover the viewport from top to bottom. */
  filled() {
    const box = scroller().getBoundingClientRect()
    const rows = fixture.inView().map((key) => elementOf(key)!.getBoundingClientRect())
    const from = rows[0]?.top ?? Number.POSITIVE_INFINITY
    const to = rows.at(-1)?.bottom ?? Number.NEGATIVE_INFINITY
    // The first and the last row have the content of `before` and `after` beside them.
    return from <= box.top + 40 && to >= box.bottom - 12
  },
  painted,
  /** Runs `change` after a few frames and returns what was painted in each frame. */
  watch(row: string, change: () => void | Promise<void>): Promise<Watched> {
    return framesOf(() => ({ top: elementOf(row)?.getBoundingClientRect().top, toEnd: fixture.toEnd() }), change)
  },
}

const firstNumber = (rows: readonly FixtureRow[]) => Number(rows[0]!.key.slice(1))
const byKeyOf = (key: string): Partial<Pane> => (byKey(key, { reactions: true }) as (pane: Pane) => Partial<Pane>)(pane)

declare global {
  interface Window {
    fixture: typeof fixture
  }
}
window.fixture = fixture
document.documentElement.dataset.ready = ''
