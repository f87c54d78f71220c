import { ROWS_GLIDE_MS } from '../limits.ts'

let isPressed = false
const hear = (event: PointerEvent | DragEvent) => {
  // A mouse that draws a link along is heard no more until it lets go.
  const isDrawn = event.type === 'pointercancel' && (event as PointerEvent).pointerType === 'mouse'
  isPressed = event.type === 'pointerdown' || isDrawn
}
for (const name of ['pointerdown', 'pointerup', 'pointercancel', 'dragend'] as const) addEventListener(name, hear, true)

/** How far down its list each row lies. */
export type Places = ReadonlyMap<Element, number>

/**
 * Lets rows that have another place in their list glide there, those that are to be seen of them. Nothing glides from
 * under a finger or a menu, nor for who wants no motion.
 *
 * @param before  where they lay when this was last asked
 * @returns where they lie now
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

/** About the height of a row, which is still to be seen when its upper edge is not. */
const SPARE_PX = 96
/** That of all transitions. */
const EASING = 'cubic-bezier(0.2, 0, 0, 1)'
