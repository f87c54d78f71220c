import { useState } from 'react'
import { useLatest } from '../chat/use-latest.ts'
import { DOUBLE_TAP_MS, LONG_PRESS_MS, PRESS_SLOP_PX } from '../limits.ts'

/** The touch equivalent of a secondary click: a long press or a double tap. */
export function useLongPress(onPress: () => void) {
  const latest = useLatest(onPress)
  const [pressed] = useState(() => longPress(() => latest.current()))
  return pressed
}

/** The fields of a pointer event used here. */
type Pointed = Pick<PointerEvent, 'pointerType' | 'clientX' | 'clientY' | 'target' | 'timeStamp'>

/** The same without React: the caller passes every pointer event. */
export function longPress(onPress: () => void) {
  let pressing: { timer: number; x: number; y: number } | undefined
  let tapped = -Infinity
  const stop = () => {
    clearTimeout(pressing?.timer)
    pressing = undefined
  }
  const open = () => {
    // The menu may lie under the finger when it lifts, and must not be pressed by that.
    const lifted = new AbortController()
    const lift = (event: Event) => {
      event.preventDefault()
      lifted.abort()
    }
    for (const end of ['touchend', 'touchcancel']) addEventListener(end, lift, lifted)
    onPress()
  }
  const openByResting = () => {
    stop() // Lifting the finger after a long press is not a tap.
    open()
  }
  return {
    onPointerDown({ pointerType, clientX: x, clientY: y }: Pointed) {
      if (pointerType !== 'touch') return
      stop()
      pressing = { timer: window.setTimeout(openByResting, LONG_PRESS_MS), x, y }
    },
    onPointerMove({ clientX, clientY }: Pointed) {
      if (pressing && Math.hypot(clientX - pressing.x, clientY - pressing.y) > PRESS_SLOP_PX) stop()
    },
    onPointerUp({ target, timeStamp }: Pointed) {
      // Buttons and links inside handle double taps themselves.
      if (pressing && !(target as Element).closest('a, button, input, video')) {
        if (timeStamp - tapped < DOUBLE_TAP_MS) open()
        tapped = timeStamp
      }
      stop()
    },
    onPointerCancel: stop,
  }
}
