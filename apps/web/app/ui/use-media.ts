import { useSyncExternalStore } from 'react'

/** At these sizes the floating chat fills the screen; the style sheet has the same values. */
export const FILLED = '(width < 30rem), (height < 28rem)'

/** Whether a media query matches; false on the server. */
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
