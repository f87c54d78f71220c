import { type PointerEvent, useRef } from 'react'
import { DOUBLE_TAP_MS, LONG_PRESS_MS, PRESS_SLOP_PX } from '../limits.ts'

/** What a secondary click is to a mouse: a finger that rests on something, or taps it twice. */
export function useLongPress(onPress: () => void) {
  const pressing = useRef<{ timer: number; x: number; y: number }>(undefined)
  const tapped = useRef(-Infinity)
  const stop = () => {
    clearTimeout(pressing.current?.timer)
    pressing.current = undefined
  }
  const open = () => {
    // The menu may lie under the finger when it lifts, and is not pressed by that.
    const lifted = new AbortController()
    const lift = (event: Event) => {
      event.preventDefault()
      lifted.abort()
    }
    for (const end of ['touchend', 'touchcancel']) addEventListener(end, lift, lifted)
    onPress()
  }
  const openByResting = () => {
    stop() // Lifting it is no tap.
    open()
  }
  return {
    onPointerDown(event: PointerEvent) {
      if (event.pointerType !== 'touch') return
      stop()
      const { clientX: x, clientY: y } = event
      pressing.current = { timer: window.setTimeout(openByResting, LONG_PRESS_MS), x, y }
    },
    onPointerMove(event: PointerEvent) {
      const from = pressing.current
      if (from && Math.hypot(event.clientX - from.x, event.clientY - from.y) > PRESS_SLOP_PX) stop()
    },
    onPointerUp({ target, timeStamp }: PointerEvent) {
      // What can be pressed in it takes two taps for itself.
      if (pressing.current && !(target as Element).closest('a, button, input, video')) {
        if (timeStamp - tapped.current < DOUBLE_TAP_MS) open()
        tapped.current = timeStamp
      }
      stop()
    },
    onPointerCancel: stop,
  }
}
