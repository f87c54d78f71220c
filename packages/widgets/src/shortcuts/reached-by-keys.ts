import type { Pressed } from './shortcuts.ts'

/** The lists in which the pointer was pressed last: their keys are not commands. */
const pointed = new WeakSet<EventTarget>()

/** Keys that move the focus, and so show that the reader is at the keyboard. */
const MOVING = /^(Tab|Arrow\w+|Home|End|Page\w+|Enter|Escape|F6|F10|ContextMenu)$/

/** The pointer was pressed in a list, or a key. */
export function noteInput(list: EventTarget, event: { type: string; key?: string }) {
  if (event.type === 'pointerdown') pointed.add(list)
  else if (MOVING.test(event.key ?? '')) pointed.delete(list)
}

/**
 * Whether the focus of a row was reached by keyboard. Only then is a single key a command: whoever presses a message with
 * the pointer and begins to type means the text box.
 */
export function isReachedByKeys(row: Element): boolean {
  for (let element: Element | null = row; element; element = element.parentElement)
    if (pointed.has(element)) return false
  return true
}

/** Whether a key press types something, or pastes. Space scrolls. */
export function types({ key, ctrlKey, metaKey, altKey }: Omit<Pressed, 'code'>): boolean {
  if (ctrlKey || metaKey) return ctrlKey !== metaKey && !altKey && key.toLowerCase() === 'v'
  return ([...key].length === 1 && key !== ' ') || key === 'Process' || key === 'Dead'
}
