import { type RefObject, useEffect } from 'react'

/** What one goes along with. */
const GOING = /^(Tab|F6|Home|End|Arrow|Page)/

/** What the pointer is told of things, their titles, also comes to those who go along with keys. */
export function useTips(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = root.current
    if (!element) return
    let end: (() => void) | undefined
    let gone = false
    const first = ({ key }: KeyboardEvent) => {
      if (!GOING.test(key)) return
      element.removeEventListener('keydown', first)
      // It is fetched by the first such key; without it everything is said to the pointer all the same.
      import('./tips.ts').then(
        ({ showTips }) => {
          if (!gone) end = showTips(element)
        },
        () => element.addEventListener('keydown', first),
      )
    }
    element.addEventListener('keydown', first)
    return () => {
      gone = true
      end?.()
      element.removeEventListener('keydown', first)
    }
  }, [root])
}
