import { useState } from 'react'
import { useLatest } from '../chat/use-latest.ts'
import { DOUBLE_TAP_MS, LONG_PRESS_MS, PRESS_SLOP_PX } from '../limits.ts'

/** What a secondary click is to a mouse: a finger that rests on something, or taps it twice. */
export function useLongPress(onPress: () => void) {
  const latest = useLatest(onPress)
  const [pressed] = useState(() => longPress(() => latest.current()))
  return pressed
}

/** A pointer, as far as it matters here. */
type Pointed = Pick<PointerEvent, 'pointerType' | 'clientX' | 'clientY' | 'target' | 'timeStamp'>

/** The same outside of React: what is to be told of every pointer. */
export function longPress(onPress: () => void) {
  let pressing: { timer: number; x: number; y: number } | undefined
  let tapped = -Infinity
  const stop = () => {
    clearTimeout(pressing?.timer)
    pressing = undefined
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
    onPointerDown({ pointerType, clientX: x, clientY: y }: Pointed) {
      if (pointerType !== 'touch') return
      stop()
      pressing = { timer: window.setTimeout(openByResting, LONG_PRESS_MS), x, y }
    },
    onPointerMove({ clientX, clientY }: Pointed) {
      if (pressing && Math.hypot(clientX - pressing.x, clientY - pressing.y) > PRESS_SLOP_PX) stop()
    },
    onPointerUp({ target, timeStamp }: Pointed) {
      // What can be pressed in it takes two taps for itself.
      if (pressing && !(target as Element).closest('a, button, input, video')) {
        if (timeStamp - tapped < DOUBLE_TAP_MS) open()
        tapped = timeStamp
      }
      stop()
    },
    onPointerCancel: stop,
  }
}
