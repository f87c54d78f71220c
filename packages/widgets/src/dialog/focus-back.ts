/** Moves the focus after a menu or dialog has closed, which restores it one frame later. */
export function focusLater(to: () => HTMLElement | null | undefined) {
  requestAnimationFrame(() => requestAnimationFrame(() => to()?.focus({ preventScroll: true })))
}

/**
 * If a menu opened a dialog, the menu's button is forgotten when the dialog closes, and the focus would fall to the
 * page. It returns to the button unless another element has taken it by then [interface.md 4.2].
 */
export function focusBack(to: () => HTMLElement | null | undefined) {
  focusLater(() => {
    const { activeElement, body } = document
    // An element that is no longer rendered keeps the focus until the browser checks.
    return activeElement === body || !activeElement?.checkVisibility() ? to() : undefined
  })
}
