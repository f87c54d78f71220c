import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLatest } from '../chat/use-latest.ts'
import type { SearchPlace } from '../search/search-place.ts'

/** The side pane of a conversation, unless a thread or a search is open. */
export type Beside = 'pins' | 'details'

export interface SideProps {
  /** the open thread, by the id of its parent, for a page that stores it in its address; else the pane stores it */
  threadId?: string
  /** a thread is opened or closed; with a message id, to show that reply */
  onThread?: (parentId: string | undefined, messageId?: string) => void
  /** the search beside the conversation, for a page that stores it in its address; else the pane stores it */
  search?: SearchPlace
  /** the search changes or is closed */
  onSearch?: (place: SearchPlace | undefined) => void
  /** the other side pane, for a page that stores it in its address; else only the pane stores it */
  beside?: Beside
  /** the details or the pinned messages are opened or closed */
  onBeside?: (beside: Beside | undefined) => void
}

/**
 * The one pane beside a conversation: a thread, else the details or the pinned messages, else a search. Opening one
 * replaces the others; a search stays open below the details and the pinned messages.
 *
 * @param pane  the conversation, which all of them cover if there is no room beside it
 * @param box   the text box, which takes the focus if there is no better target
 */
export function useSide(props: SideProps, pane: RefObject<HTMLElement | null>, box: RefObject<HTMLElement | null>) {
  const [thread, turnTo] = useKept(props.threadId, props.onThread)
  const [search, turnSearch] = useKept(props.search, props.onSearch)
  const [beside, setBeside] = useSince(props.beside)
  const [before, setBefore] = useState(thread)
  if (before !== thread) {
    setBefore(thread)
    if (thread !== undefined) setBeside(undefined)
  }
  useFocusBack(thread, pane, box)
  const opener = useRef<Element | null>(null)

  const leaveThread = () => {
    if (thread !== undefined) turnTo(undefined)
  }
  const show = (what: Beside | undefined) => {
    setBeside(what)
    props.onBeside?.(what)
  }
  const open = (what: Beside) => {
    if (beside === undefined) opener.current = document.activeElement
    leaveThread()
    show(what)
  }
  const openSearch = (place: SearchPlace) => {
    leaveThread()
    setBeside(undefined)
    turnSearch(place)
  }
  const shown = thread === undefined ? (beside ?? (search && 'search')) : 'thread'
  const close = () => {
    leaveThread()
    if (shown === 'search') {
      turnSearch(undefined)
      box.current?.focus({ preventScroll: true })
    } else if (shown === beside) {
      show(undefined)
      // A covered element can take the focus only once it is shown again; a button may have been removed for lack of
      // room.
      requestAnimationFrame(() => {
        const from = opener.current
        const isThere = from instanceof HTMLElement && from !== document.body && from.checkVisibility()
        ;(isThere ? from : box.current)?.focus({ preventScroll: true })
      })
    }
  }
  const isCovered = () => pane.current !== null && getComputedStyle(pane.current).visibility === 'hidden'
  /** A pane that covers the messages closes, so that the target of a jump is visible. */
  const uncover = () => {
    if (!isCovered()) return
    // The focus moves to the target of the jump.
    if (shown === beside) flushSync(() => show(undefined))
    else close()
  }
  return { shown, thread, turnTo, search, turnSearch, open, openSearch, close, isCovered, uncover }
}

/** The page's value if it handles changes; else a local state. The setter stays the same. */
function useKept<Value, More extends unknown[]>(
  given: Value | undefined,
  tell: ((value: Value | undefined, ...more: More) => void) | undefined,
) {
  const [own, setOwn] = useState<Value>()
  const latest = useLatest(tell)
  const turn = useCallback(
    (value: Value | undefined, ...more: More) =>
      latest.current ? latest.current(value, ...more) : setOwn(() => value),
    [latest],
  )
  return [tell ? given : own, turn] as const
}

/** The page's value, or the local one since. */
export function useSince<Value extends object | string>(given: Value | undefined) {
  const [now, setNow] = useState(given)
  const [asked, setAsked] = useState(given)
  if (asked !== given) {
    setAsked(given)
    setNow(given)
  }
  return [now, setNow] as const
}

/** When a thread closes, the focus returns to its parent message, however it was closed. */
function useFocusBack(
  thread: string | undefined,
  pane: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
) {
  const before = useRef<string>(undefined)
  useEffect(() => {
    const closed = thread === undefined ? before.current : undefined
    before.current = thread
    // The pane that replaced the thread has the focus.
    if (closed === undefined || document.activeElement?.closest('aside')) return
    const row = pane.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(closed)}"]`)
    const to = row ?? box.current
    to?.focus({ preventScroll: true })
  }, [thread, pane, box])
}
