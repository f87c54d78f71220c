import { type RefObject, useLayoutEffect, useRef } from 'react'
import type * as Glide from './glide.ts'

let glide: typeof Glide.glide | undefined

/**
 * Animates rows to their new places. The code is loaded when the first row moves; that row is not animated.
 *
 * @param order  changes with the places of the rows
 */
export function useGlide(list: RefObject<HTMLElement | null>, order: string) {
  const places = useRef<Glide.Places>(undefined)
  const first = useRef(order)
  useLayoutEffect(() => {
    const look = () => {
      if (glide && list.current) places.current = glide(list.current, places.current)
    }
    if (glide || order === first.current) return look()
    import('./glide.ts').then(
      (module) => {
        glide = module.glide
        look()
      },
      () => {},
    )
  }, [list, order])
}
