import { ROWS_GLIDE_MS } from '../limits.ts'

let isPressed = false
const hear = (event: PointerEvent | DragEvent) => {
  // While the mouse drags a link, no pointer events arrive until the drop.
  const isDrawn = event.type === 'pointercancel' && (event as PointerEvent).pointerType === 'mouse'
  isPressed = event.type === 'pointerdown' || isDrawn
}
for (const name of ['pointerdown', 'pointerup', 'pointercancel', 'dragend'] as const) addEventListener(name, hear, true)

/** The position of each row in its list, in px. */
export type Places = ReadonlyMap<Element, number>

/**
 * Animates rows that moved within their list to their new place, if they are in view. Nothing moves under a pressed
 * pointer or an open menu, nor if the user prefers reduced motion.
 *
 * @param before  the positions of the previous call
 * @returns the present positions
 */
export function glide(list: HTMLElement, before?: Places): Places {
  const rows = [...list.children] as HTMLElement[]
  const now = new Map(rows.map((row) => [row, row.offsetTop - list.offsetTop]))
  const isStill =
    isPressed || list.querySelector('[data-open]') || matchMedia('(prefers-reduced-motion: reduce)').matches
  if (!before || isStill) return now
  const scroller = list.parentElement!
  const top = scroller.getBoundingClientRect().top - list.getBoundingClientRect().top
  const isSeen = (place: number) => place > top - SPARE_PX && place < top + scroller.clientHeight
  for (const [row, place] of now) {
    const from = before.get(row) ?? place
    if (from === place || !(isSeen(from) || isSeen(place))) continue
    row.animate({ translate: [`0 ${from - place}px`, '0 0'] }, { duration: ROWS_GLIDE_MS, easing: EASING })
  }
  return now
}

/** About the height of a row, which is still in view when its upper edge is not. */
const SPARE_PX = 96
/** That of all transitions. */
const EASING = 'cubic-bezier(0.2, 0, 0, 1)'
