import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'
import { useLatest } from '../chat/use-latest.ts'
import { fitOnSide, moved, type Point, type Size, type View, zoomed } from './zoom.ts'

/** How far a finger swipes to move to another picture or to close, in px. */
const SWIPE_PX = 60
/** Px of wheel movement that enlarge a picture e times. */
const WHEEL_PX = 400
/** The zoom factor of a double press. */
const DOUBLE_PRESS = 2.5

/**
 * Mouse and touch input on the picture: the wheel, two fingers and a double press zoom; one finger or the mouse pans a
 * zoomed picture, moves to another one or closes.
 */
export function useZoom(
  view: View,
  setView: (view: View) => void,
  { turn, close }: { turn: (by: 1 | -1) => unknown; close: () => void },
) {
  const ref = useRef<HTMLDivElement>(null)
  // Several move events may arrive before the next render.
  const now = useLatest(view)
  const fingers = useRef(new Map<number, Point>())
  const travelled = useRef<Point>({ x: 0, y: 0 })

  const place = (next: View, by: Point) => {
    const zoomArea = ref.current
    const picture = zoomArea?.querySelector('img')
    if (!zoomArea || !picture) return
    const sizes = [
      { width: zoomArea.clientWidth, height: zoomArea.clientHeight },
      sizeOf(zoomArea, picture, next),
    ] as const
    now.current = next.scale > 1 ? moved(next, by, ...sizes) : next
    setView(now.current)
  }
  const move = (by: Point) => {
    if (now.current.scale > 1) place(now.current, by)
  }
  const zoom = (factor: number, about?: Point) => place(zoomed(now.current, factor, about), { x: 0, y: 0 })

  // React adds passive wheel listeners, and the page would zoom as well.
  useEffect(() => {
    const zoomArea = ref.current
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      if (zoomArea) zoom(Math.exp(-event.deltaY / WHEEL_PX), fromMiddle(zoomArea, event))
    }
    zoomArea?.addEventListener('wheel', wheel, { passive: false })
    return () => zoomArea?.removeEventListener('wheel', wheel)
  })

  const listeners = {
    onDoubleClick: (event: MouseEvent<HTMLElement>) =>
      zoom(now.current.scale > 1 ? 0 : DOUBLE_PRESS, fromMiddle(event.currentTarget, event)),
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || (event.target as Element).closest('button')) return
      event.currentTarget.setPointerCapture(event.pointerId)
      fingers.current.set(event.pointerId, placeOf(event))
      travelled.current = { x: 0, y: 0 }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const from = fingers.current.get(event.pointerId)
      if (!from) return
      const to = placeOf(event)
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
      fingers.current.set(event.pointerId, to)
      const by = { x: to.x - from.x, y: to.y - from.y }
      if (other) {
        const middle = { clientX: (to.x + other.x) / 2, clientY: (to.y + other.y) / 2 }
        zoom(distance(to, other) / Math.max(1, distance(from, other)), fromMiddle(event.currentTarget, middle))
      } else if (now.current.scale > 1) move(by)
      else travelled.current = { x: travelled.current.x + by.x, y: travelled.current.y + by.y }
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const alone = fingers.current.size === 1
      if (!fingers.current.delete(event.pointerId) || !alone || now.current.scale > 1) return
      const { x, y } = travelled.current
      const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
      if (y > SWIPE_PX && y > Math.abs(x)) close()
      else if (Math.abs(x) > SWIPE_PX) turn(x < 0 === rightToLeft ? -1 : 1)
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => void fingers.current.delete(event.pointerId),
  }
  return { ref, listeners, move, zoom }
}

/** Its layout box, before the zoom. */
function sizeOf(zoomArea: HTMLElement, picture: HTMLElement, { turns }: View): Size {
  const size = { width: picture.offsetWidth, height: picture.offsetHeight }
  if (turns % 2 === 0) return size
  const fit = fitOnSide({ width: zoomArea.clientWidth, height: zoomArea.clientHeight }, size)
  return { width: size.height * fit, height: size.width * fit }
}

function placeOf({ clientX, clientY }: { clientX: number; clientY: number }): Point {
  return { x: clientX, y: clientY }
}

function fromMiddle(zoomArea: Element, at: { clientX: number; clientY: number }): Point {
  const { left, top, width, height } = zoomArea.getBoundingClientRect()
  return { x: at.clientX - left - width / 2, y: at.clientY - top - height / 2 }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}
