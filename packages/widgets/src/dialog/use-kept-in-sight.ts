import { type RefObject, useEffect } from 'react'

/** Left between a message and the sheet below it. */
const GAP_PX = 8

/**
 * Slides the messages up while a sheet lies over the one it is about, so that its words stay in sight; its beginning
 * where there is no room for all. Nothing is scrolled: afterwards everything is where it was [interface.md 7.7].
 *
 * @param anchor  what the sheet was opened from; outside of a message nothing happens
 */
export function useKeptInSight(anchor: RefObject<HTMLElement | null>, sheet: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const bubble = anchor.current?.closest('.chat-message')?.querySelector('.chat-bubble')
    const list = bubble?.closest<HTMLElement>('.chat-scroll')
    const over = sheet.current
    if (!bubble || !list || !over) return
    const { top, bottom } = bubble.getBoundingClientRect()
    const room = top - list.getBoundingClientRect().top
    const observer = new ResizeObserver(() => {
      const hidden = bottom + GAP_PX - (window.innerHeight - over.offsetHeight)
      list.style.translate = `0 ${-Math.max(0, Math.min(hidden, room))}px`
    })
    list.style.transition = 'translate var(--chat-transition)'
    observer.observe(over)
    return () => {
      observer.disconnect()
      list.style.translate = ''
    }
  }, [anchor, sheet])
}
