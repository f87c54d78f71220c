import type { PointerEvent } from 'react'
import type { MessageLayers } from './use-message-layers.tsx'

/** A finger that draws a message along answers it, as its toolbar does; what follows the finger comes with the first. */
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
