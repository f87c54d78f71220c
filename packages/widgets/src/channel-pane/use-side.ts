import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLatest } from '../chat/use-latest.ts'
import type { SearchPlace } from '../search/search-place.ts'

/** What stands beside a conversation, unless a thread or a search does. */
export type Beside = 'pins' | 'details'

export interface SideProps {
  /** the open thread, by the id of its parent, for a page whose address says which; else the pane keeps it */
  threadId?: string
  /** a thread is opened, or closed again; with a message id, to show that reply */
  onThread?: (parentId: string | undefined, messageId?: string) => void
  /** what is searched for beside the conversation, for a page whose address says so; else the pane keeps it */
  search?: SearchPlace
  /** something else is searched for, or nothing any more */
  onSearch?: (place: SearchPlace | undefined) => void
  /** what else stands beside the conversation, for a page whose address says so; else only the pane knows */
  beside?: Beside
  /** the details or the pinned messages are opened, or closed again */
  onBeside?: (beside: Beside | undefined) => void
}

/**
 * The one thing that stands beside a conversation: a thread, else the details or the pinned messages, else a search.
 * What is opened takes the place of the others; a search waits below the details and the pinned messages.
 *
 * @param pane  the conversation, which all of them cover where there is no room beside it
 * @param box   what has the focus where nothing better is there
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
      // What was covered can take the focus only once it is shown again; a button may have gone for lack of room.
      requestAnimationFrame(() => {
        const from = opener.current
        const isThere = from instanceof HTMLElement && from !== document.body && from.checkVisibility()
        ;(isThere ? from : box.current)?.focus({ preventScroll: true })
      })
    }
  }
  const isCovered = () => pane.current !== null && getComputedStyle(pane.current).visibility === 'hidden'
  /** Where something covers the messages it has to go before one can see where it leads. */
  const uncover = () => {
    if (!isCovered()) return
    // The focus goes to where one is led.
    if (shown === beside) flushSync(() => show(undefined))
    else close()
  }
  return { shown, thread, turnTo, search, turnSearch, open, openSearch, close, isCovered, uncover }
}

/** What the page keeps where it hears of changes; else it is kept here. The setter stays the same. */
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

/** What the page asks for, or what has come in its place since. */
export function useSince<Value extends object | string>(given: Value | undefined) {
  const [now, setNow] = useState(given)
  const [asked, setAsked] = useState(given)
  if (asked !== given) {
    setAsked(given)
    setNow(given)
  }
  return [now, setNow] as const
}

/** When a thread closes, the focus goes back to the message it hangs on, however it was closed. */
function useFocusBack(
  thread: string | undefined,
  pane: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
) {
  const before = useRef<string>(undefined)
  useEffect(() => {
    const closed = thread === undefined ? before.current : undefined
    before.current = thread
    // What took the place of the thread has the focus.
    if (closed === undefined || document.activeElement?.closest('aside')) return
    const row = pane.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(closed)}"]`)
    const to = row ?? box.current
    to?.focus({ preventScroll: true })
  }, [thread, pane, box])
}
