import { type RefObject, useEffect } from 'react'

/** The gap between a message and the sheet below it. */
const GAP_PX = 8

/**
 * Shifts the messages up while a sheet covers the message it is about, so that its text stays in view; only its
 * beginning if there is no room for all. Nothing is scrolled: afterwards everything is where it was [interface.md 7.7].
 *
 * @param anchor  the element that opened the sheet; outside of a message nothing happens
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
