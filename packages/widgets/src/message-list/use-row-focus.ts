import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { noteInput, types } from '../shortcuts/reached-by-keys.ts'
import type { MessageListView } from './use-message-list.ts'

/** The focusable elements inside a row. */
const REACHABLE = 'a[href], button:not(:disabled), [tabindex="0"], video[controls], audio[controls]'

/** The functions of the list that moving through rows needs. */
type FocusedList = Pick<MessageListView, 'engine' | 'rows' | 'edges'> & { jumpToLatest: () => void }

export interface RowFocus {
  /** The row that is the tab stop of the list. */
  stop: string | undefined
  listeners: {
    onPointerDownCapture: (event: PointerEvent<HTMLElement>) => void
    onKeyDownCapture: (event: KeyboardEvent<HTMLElement>) => void
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    onFocus: (event: FocusEvent<HTMLElement>) => void
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
}

export interface RowFocusOptions {
  /** The row the reader entered with Enter. */
  entered: string | undefined
  onEnter: (key: string | undefined) => void
  onLeave: (() => void) | undefined
}

/**
 * One tab stop for all messages: arrows, Home, End and the page keys move it, Enter goes inside a message and Escape
 * comes back [interface.md 4.4]. Letters are handled by the message itself, if the row was reached by keyboard; what
 * else is typed or pasted goes to the text box.
 */
export function useRowFocus(list: FocusedList, { entered, onEnter, onLeave }: RowFocusOptions): RowFocus {
  const { engine, rows, edges } = list
  const [active, setActive] = useState<string>()
  const focused = useRef<{ key: string; place: number }>(undefined)
  const root = useRef<HTMLElement>(null)
  const placeOf = (key: string | undefined) => rows.findIndex((row) => row.key === key)

  const unread = rows.find((row) => row.newCount !== undefined)
  const stop = placeOf(active) >= 0 ? active : (unread ?? rows.at(-1))?.key

  // A focused row that is deleted passes its focus on without scrolling; the focus must never fall to the page.
  useLayoutEffect(() => {
    const lost = focused.current
    if (!lost || placeOf(lost.key) >= 0 || document.activeElement !== document.body) return
    const neighbour = rows[Math.min(lost.place, rows.length - 1)]
    if (neighbour) engine.focusInView(neighbour.key)
    else onLeave?.()
  })

  useEffect(() => {
    if (entered === undefined) return
    const inside = root.current ? insideOf(root.current, entered) : []
    // Enter focuses the content of the message; the name of its day is one step back.
    const first = inside.find((element) => !element.closest('.chat-day')) ?? inside[0]
    if (first) first.focus()
    else onEnter(undefined)
  }, [entered, onEnter])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const row = rowOf(event.target)
    if (!row || event.defaultPrevented) return
    root.current = event.currentTarget
    if (event.target === row && types(event)) return onLeave?.()
    const handled = event.target === row ? onRowKey(event, row) : onInsideKey(event, row)
    if (handled) event.preventDefault()
  }

  const note = (event: PointerEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => noteInput(event.currentTarget, event)

  const onRowKey = (event: KeyboardEvent<HTMLElement>, row: HTMLElement): boolean => {
    const place = placeOf(row.dataset.key)
    if (event.ctrlKey || event.metaKey || event.altKey) {
      if (!event.ctrlKey) return false
      if (event.key === 'Home') return goBefore(event.currentTarget)
      if (event.key !== 'End') return false
      onLeave?.()
      return onLeave !== undefined
    }
    switch (event.key) {
      case 'ArrowUp':
        return go(place - 1)
      case 'ArrowDown':
        return go(place + 1)
      case 'Home':
        return go(0)
      case 'End':
        if (edges.newer) void list.jumpToLatest()
        return go(rows.length - 1)
      case 'PageUp':
      case 'PageDown': {
        const first = engine.page(event.key === 'PageUp' ? -1 : 1)
        return first === undefined || go(placeOf(first))
      }
      case 'Enter':
        onEnter(row.dataset.key)
        return true
      case 'Escape':
        onLeave?.()
        return onLeave !== undefined
      default:
        return false
    }
  }

  const go = (place: number): boolean => {
    const row = rows[Math.max(0, Math.min(place, rows.length - 1))]
    if (row) engine.focus(row.key)
    return true
  }

  const onInsideKey = (event: KeyboardEvent<HTMLElement>, row: HTMLElement): boolean => {
    if (event.key === 'Escape') {
      row.focus({ preventScroll: true })
      onEnter(undefined)
      return true
    }
    if (event.key !== 'Tab' || entered !== row.dataset.key) return false
    const inside = insideOf(event.currentTarget, row.dataset.key ?? '')
    const at = inside.indexOf(event.target as HTMLElement)
    inside.at((at + (event.shiftKey ? -1 : 1)) % inside.length)?.focus()
    return true
  }

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const key = rowOf(event.target)?.dataset.key
    focused.current = key === undefined ? undefined : { key, place: placeOf(key) }
    if (key !== undefined) setActive(key)
    if (entered !== undefined && key !== entered) onEnter(undefined)
  }

  const onBlur = (event: FocusEvent<HTMLElement>) => {
    const to = event.relatedTarget
    // Without a next element the window lost focus, or the element was removed with its row.
    if (to && !event.currentTarget.contains(to)) focused.current = undefined
  }

  return { stop, listeners: { onPointerDownCapture: note, onKeyDownCapture: note, onKeyDown, onFocus, onBlur } }
}

/** To the last button before the list. */
function goBefore(list: HTMLElement): boolean {
  const buttons = [...(list.parentElement?.querySelectorAll<HTMLElement>('header button') ?? [])]
  const last = buttons.findLast((button) => button.checkVisibility())
  last?.focus()
  return last !== undefined
}

function rowOf(target: EventTarget): HTMLElement | null {
  // An open menu handles its own keys.
  return target instanceof Element ? target.closest<HTMLElement>('.chat-scroll-row') : null
}

function insideOf(root: HTMLElement, key: string): HTMLElement[] {
  const row = root.querySelector(`[data-key="${CSS.escape(key)}"]`)
  return [...(row?.querySelectorAll<HTMLElement>(REACHABLE) ?? [])].filter((element) => element.tabIndex >= 0)
}
