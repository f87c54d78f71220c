import { useSyncExternalStore } from 'react'

/** Where there is so little room the floating chat fills the screen; the style sheet says the same. */
export const FILLED = '(width < 480px), (height < 28rem)'

/** Whether a media query holds. A server has no screen and says no. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}
