import {
  type ClipboardEvent,
  type ComponentPropsWithoutRef,
  type FocusEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { Elements } from '../elements.ts'
import { loadedMarks } from '../messages/marks.ts'
import type { ScrollRow } from './row-layout.ts'
import type { ScrollEngine, ScrollSources } from './scroll-engine.ts'
import { useSelectedRows } from './selected-rows.ts'
import { followIfWriting } from './touched.ts'
import { useScrollView } from './use-scroll-engine.ts'

/** Rows rendered before the viewport's height is known are chosen for this height, in px. */
const FIRST_VIEWPORT_PX = 900

export interface ScrollListProps<Row extends ScrollRow> extends ScrollSources {
  engine: ScrollEngine
  /** Unchanged rows must keep their identity, or they are rendered again. */
  rows: readonly Row[]
  /** The content of a row. Must be the same function from render to render. */
  renderRow: (row: Row) => Elements
  /** Attributes of the row's own element; `position` counts all loaded rows from 1. */
  rowProps?: (row: Row, position: number) => ComponentPropsWithoutRef<'article'>
  listProps?: ComponentPropsWithoutRef<'div'>
  /** Drawn above and below the rows, in the scroller but outside the list's role. */
  before?: Elements
  after?: Elements
  /** The copied text of one of several selected rows. */
  copyOf?: (row: Row) => string
}

/**
 * A virtual list that keeps the reader's position through every change of its rows [interface.md 6]. Renders a
 * scroller, and in it an element per row near the viewport.
 */
export function ScrollList<Row extends ScrollRow>(props: ScrollListProps<Row>) {
  const { engine, rows, edges, load } = props
  const viewport = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const cut = useScrollView(engine, (view) => view.cut)
  const height = useScrollView(engine, (view) => view.viewport) || FIRST_VIEWPORT_PX
  const { kept, keepers, copied } = useKept(engine, rows, list)
  const { copyOf } = props
  const onCopy = (event: ClipboardEvent) => {
    if (!copyOf || copied.length < 2) return
    const texts = copied.map(copyOf).filter(Boolean)
    event.clipboardData.setData('text/plain', texts.join('\n'))
    const html = loadedMarks()?.asHtml(texts)
    if (html) event.clipboardData.setData('text/html', html)
    event.preventDefault()
  }

  const layout = useMemo(() => engine.layoutOf(rows), [rows, engine])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another window needs other rows
  const window = useMemo(() => layout.window(engine.around(layout), height, kept), [layout, engine, cut, height, kept])

  useLayoutEffect(
    () => engine.attach({ viewport: viewport.current!, content: content.current!, list: list.current! }),
    [engine],
  )
  useLayoutEffect(() => engine.committed(layout, window, { edges, load }))

  return (
    <div ref={viewport} className="chat-scroll" onCopy={onCopy} onTouchStart={followIfWriting} {...keepers}>
      <div ref={content} className="chat-scroll-content">
        {props.before}
        <div
          {...props.listProps}
          ref={list}
          className="chat-scroll-rows"
          style={window.below > 0 ? { paddingBlockEnd: window.below } : undefined}
        >
          {window.indexes.map((index, i) => {
            const row = rows[index]!
            return (
              <RowBox
                key={row.key}
                engine={engine}
                row={row}
                gap={window.gaps[i]!}
                renderRow={props.renderRow}
                attributes={props.rowProps?.(row, index + 1)}
              />
            )
          })}
        </div>
        {props.after}
      </div>
    </div>
  )
}

interface RowBoxProps<Row extends ScrollRow> {
  engine: ScrollEngine
  row: Row
  gap: number
  renderRow: (row: Row) => Elements
  attributes: ComponentPropsWithoutRef<'article'> | undefined
}

function RowBox<Row extends ScrollRow>({ engine, row, gap, renderRow, attributes }: RowBoxProps<Row>) {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => engine.mounted(row.key, element.current!), [engine, row.key])
  return (
    <article
      {...attributes}
      ref={element}
      data-key={row.key}
      className="chat-scroll-row"
      style={gap > 0 ? { marginBlockStart: gap } : undefined}
    >
      <RowContent row={row as ScrollRow} renderRow={renderRow as (row: ScrollRow) => Elements} />
    </article>
  )
}

const RowContent = memo(function RowContent(props: { row: ScrollRow; renderRow: (row: ScrollRow) => Elements }) {
  return props.renderRow(props.row)
})

/** The row focused last, rows that play something and selected rows stay in the document; for printing, all of them. */
function useKept<Row extends ScrollRow>(
  engine: ScrollEngine,
  rows: readonly Row[],
  list: RefObject<HTMLElement | null>,
) {
  const [focused, setFocused] = useState<string>()
  const [playing, setPlaying] = useState<readonly string[]>([])
  const ends = useSelectedRows(list)
  const copied = useMemo(() => {
    const place = (key: string | undefined) => rows.findIndex((row) => row.key === key)
    return ends ? rows.slice(place(ends.first), place(ends.last) + 1) : []
  }, [rows, ends])
  const isPrinted = useIsPrinted(engine)
  const kept = useMemo(
    () => [
      ...playing,
      ...(focused === undefined ? [] : [focused]),
      ...(isPrinted ? rows : copied).map(({ key }) => key),
    ],
    [playing, focused, copied, isPrinted, rows],
  )
  const onFocus = useCallback((event: FocusEvent) => {
    // A layer opened from a row still belongs to the row.
    if (event.currentTarget.contains(event.target)) setFocused(rowKeyOf(event.target))
  }, [])
  const onPlay = useCallback((event: { target: EventTarget }) => {
    const key = rowKeyOf(event.target)
    if (key !== undefined) setPlaying((keys) => [...keys, key])
  }, [])
  const onPause = useCallback((event: { target: EventTarget }) => {
    const key = rowKeyOf(event.target)
    setPlaying((keys) => keys.filter((other) => other !== key))
  }, [])
  return { kept, copied, keepers: { onFocus, onPlayCapture: onPlay, onPauseCapture: onPause, onEndedCapture: onPause } }
}

/**
 * Whether the page is about to be printed: all rows must then be rendered at once. The printed list has no scroll
 * position, so the reader's is kept.
 */
function useIsPrinted(engine: ScrollEngine): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const end = new AbortController()
    let position = engine.position()
    const before = () => {
      position = engine.position()
      flushSync(() => setPrinted(true))
    }
    const after = () => {
      flushSync(() => setPrinted(false))
      engine.goTo(position)
    }
    addEventListener('beforeprint', before, end)
    addEventListener('afterprint', after, end)
    return () => end.abort()
  }, [engine])
  return isPrinted
}

function rowKeyOf(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined
  return target.closest<HTMLElement>('[data-key]')?.dataset.key
}
