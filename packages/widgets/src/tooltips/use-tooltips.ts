import { type RefObject, useEffect } from 'react'

/** The keys that move the focus. */
const GOING = /^(Tab|F6|Home|End|Arrow|Page)/

/** Tooltips that a mouse user gets from titles, for keyboard and touch users. */
export function useTooltips(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = root.current
    if (!element) return
    let end: (() => void) | undefined
    let gone = false
    const first = (event: KeyboardEvent | PointerEvent) => {
      let touch = 'key' in event ? undefined : event
      if (touch ? touch.pointerType !== 'touch' : !GOING.test((event as KeyboardEvent).key)) return
      toggle('removeEventListener')
      const lift = () => {
        touch = undefined
      }
      for (const end of ['pointerup', 'pointercancel']) addEventListener(end, lift, { once: true })
      // It is loaded with the first such key or touch; without it mouse users still get the titles.
      import('./tooltips.ts').then(
        ({ showTooltips }) => {
          if (!gone) end = showTooltips(element, touch)
        },
        () => toggle('addEventListener'),
      )
    }
    const toggle = (listen: 'addEventListener' | 'removeEventListener') => {
      element[listen]('keydown', first as EventListener)
      element[listen]('pointerdown', first as EventListener)
    }
    toggle('addEventListener')
    return () => {
      gone = true
      end?.()
      toggle('removeEventListener')
    }
  }, [root])
}
