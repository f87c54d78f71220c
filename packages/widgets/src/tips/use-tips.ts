import { type RefObject, useEffect } from 'react'

/** What the pointer is told of things, their titles, also comes to those who go along with keys. */
export function useTips(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = root.current
    if (!element) return
    let end: (() => void) | undefined
    let gone = false
    const first = ({ target }: FocusEvent) => {
      if (!(target as Element).matches(':focus-visible')) return
      element.removeEventListener('focusin', first)
      // It is fetched by the first key; without it everything is said to the pointer all the same.
      import('./tips.ts').then(
        ({ showTips }) => {
          if (!gone) end = showTips(element)
        },
        () => element.addEventListener('focusin', first),
      )
    }
    element.addEventListener('focusin', first)
    return () => {
      gone = true
      end?.()
      element.removeEventListener('focusin', first)
    }
  }, [root])
}
