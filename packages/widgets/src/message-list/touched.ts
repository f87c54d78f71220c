import type { TouchEvent } from 'react'
import { isTouch } from '../composer/touch.ts'

/**
 * A finger comes down on a list while one writes on glass: it may be about to draw the keyboard away. What follows the
 * finger comes with the first of them.
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
