import type { TouchEvent } from 'react'
import { isTouch } from '../composer/touch.ts'

/**
 * A finger touches a list while the on-screen keyboard is open: it may be about to drag the keyboard away. The code
 * that follows the finger is loaded with the first touch.
 */
export function followIfWriting({ currentTarget, nativeEvent }: TouchEvent<HTMLElement>) {
  if (!isTouch() || !document.activeElement?.matches('textarea, input')) return
  const { timeStamp } = nativeEvent
  const { scrollTop } = currentTarget
  import('./keyboard-away.ts').then(
    ({ follow }) => follow(currentTarget, { timeStamp, scrollTop }),
    () => {},
  )
}
