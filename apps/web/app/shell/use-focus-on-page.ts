import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Moves the focus to the new page after navigation: the link that had it is gone. An element of the page that takes the
 * focus keeps it [interface.md 4.2].
 */
export function useFocusOnPage() {
  const { pathname } = useLocation()
  // Between conversations the kit moves the focus.
  const page = pathname.startsWith('/chat') ? '/chat' : pathname
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    const frame = requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusPage()
    })
    return () => cancelAnimationFrame(frame)
  }, [page])
}

/** Focuses the beginning of the page, for screen readers and Tab. */
export function focusPage() {
  document.querySelector('main')?.focus({ preventScroll: true })
}
