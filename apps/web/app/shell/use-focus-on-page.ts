import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * A link goes with the page it stood on. The focus, which would fall to nowhere, is for the page that came, unless
 * something on it takes it [interface.md 4.2].
 */
export function useFocusOnPage() {
  const { pathname } = useLocation()
  // The kit leads it from one conversation to another.
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

/** Where the page begins, for whoever reads it or goes on with Tab. */
export function focusPage() {
  document.querySelector('main')?.focus({ preventScroll: true })
}
