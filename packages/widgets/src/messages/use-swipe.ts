import type { PointerEvent } from 'react'
import type { MessageLayers } from './use-message-layers.tsx'

/**
 * A swipe on a message replies to it, as its toolbar does; the code that follows the finger is loaded with the first
 * touch.
 */
export function useSwipe({ can, run }: Pick<MessageLayers, 'can' | 'run'>) {
  return ({ pointerType, currentTarget, nativeEvent }: PointerEvent<HTMLElement>) => {
    if (pointerType !== 'touch' || !can('reply')) return
    const { target, clientX, clientY, pointerId, timeStamp } = nativeEvent
    const finger = { target, clientX, clientY, pointerId, timeStamp }
    import('./swipe.ts').then(
      ({ follow }) => follow(currentTarget, finger, () => run('reply')),
      () => {},
    )
  }
}
