import { type RefObject, useEffect, useState } from 'react'

/** True while the row is pointed at, or it or something inside it has focus. */
export function useAttention(root: RefObject<HTMLElement | null>): boolean {
  const [attended, setAttended] = useState(false)
  useEffect(() => {
    const row = root.current?.closest<HTMLElement>('article')
    if (!row) return
    const look = () => setAttended(row.matches(':hover') || row.contains(document.activeElement))
    const events = ['pointerenter', 'pointerleave', 'focusin', 'focusout'] as const
    // The focus is on its way while `focusout` is told; where it went is known a task later.
    const lookLater = () => setTimeout(look)
    for (const event of events) row.addEventListener(event, lookLater)
    // A row that is drawn under a resting pointer hears of no pointer coming.
    if (row.matches(':hover')) lookLater()
    return () => {
      for (const event of events) row.removeEventListener(event, lookLater)
    }
  }, [root])
  return attended
}
