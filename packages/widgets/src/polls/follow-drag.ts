import type { PointerEvent as ReactPointerEvent } from 'react'

/**
 * Follows a pointer that went down on an element, until it lifts. The listeners are on the window: the dragged element
 * may move in the document, and loses its pointer capture then.
 *
 * @param moveTo  called with the pointer's distance from the top of the window, in px
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
