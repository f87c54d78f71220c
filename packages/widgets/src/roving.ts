import type { KeyboardEvent } from 'react'

/**
 * Moves focus between the parts of one collection, so that it is a single tab stop: arrow keys along it, Home and End
 * to its ends. Right to left, the horizontal arrows are swapped.
 *
 * @param parts  selects the focusable parts inside the element of the event
 * @returns the part that has focus now, or undefined if the key was not handled
 */
export function rove(
  event: KeyboardEvent<HTMLElement>,
  parts: string,
  along: 'horizontal' | 'vertical',
): HTMLElement | undefined {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(parts)]
  const at = all.findIndex((part) => part.contains(event.target as Node))
  const to = placeAfter(event.key, at, all.length, along, isRightToLeft(event.currentTarget))
  if (at < 0 || to === undefined) return undefined
  event.preventDefault()
  event.stopPropagation()
  all[to]?.focus()
  return all[to]
}

/** The next index of a key at `at` of `count`; undefined if it does not move. */
export function placeAfter(
  key: string,
  at: number,
  count: number,
  along: 'horizontal' | 'vertical',
  rightToLeft: boolean,
): number | undefined {
  const [back, on] =
    along === 'vertical'
      ? ['ArrowUp', 'ArrowDown']
      : rightToLeft
        ? ['ArrowRight', 'ArrowLeft']
        : ['ArrowLeft', 'ArrowRight']
  if (key === back) return Math.max(0, at - 1)
  if (key === on) return Math.min(count - 1, at + 1)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return undefined
}

export function isRightToLeft(element: HTMLElement): boolean {
  return getComputedStyle(element).direction === 'rtl'
}
