import type { PointerEvent as ReactPointerEvent } from 'react'

/**
 * Tells where a pointer goes that went down on something, until it lifts. Heard on the window: what is dragged may move
 * on the page, and an element that moves loses the pointer it has caught.
 *
 * @param moveTo  hears how far down the window it is, in px
 */
export function followDrag({ pointerId, button }: ReactPointerEvent, moveTo: (y: number) => void) {
  if (button !== 0) return
  const dragging = new AbortController()
  const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', then: (event: PointerEvent) => void) =>
    addEventListener(type, (event) => event.pointerId === pointerId && then(event), dragging)
  listen('pointermove', ({ clientY }) => moveTo(clientY))
  listen('pointerup', () => dragging.abort())
  listen('pointercancel', () => dragging.abort())
}
