import { type RefObject, useEffect, useState } from 'react'

/** True while the row is hovered, or it or something inside it has focus. */
export function useAttention(root: RefObject<HTMLElement | null>): boolean {
  const [attended, setAttended] = useState(false)
  useEffect(() => {
    const row = root.current?.closest<HTMLElement>('article')
    if (!row) return
    const look = () => setAttended(row.matches(':hover') || row.contains(document.activeElement))
    const events = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const
    // The focus has not moved yet during `focusout`; its new element is known one task later.
    const lookLater = () => setTimeout(look)
    for (const event of events) row.addEventListener(event, lookLater)
    // A row that is rendered under a resting pointer gets no `pointerenter`.
    if (row.matches(':hover')) lookLater()
    return () => {
      for (const event of events) row.removeEventListener(event, lookLater)
    }
  }, [root])
  return attended
}
