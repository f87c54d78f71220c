import { useCallback } from 'react'
import { useLatest } from '../chat/use-latest.ts'

/** Px beyond the viewport that count as near. */
const NEAR_PX = 600

/** Calls back when the element comes near the viewport, as long as there is more to load. */
export function useNear(onNear: () => void, wanted: boolean) {
  const latest = useLatest(onNear)
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element || !wanted) return
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
        rootMargin: `${NEAR_PX}px 0px`,
      })
      observer.observe(element)
      return () => observer.disconnect()
    },
    [latest, wanted],
  )
}
