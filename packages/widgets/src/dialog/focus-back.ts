/** Gives the focus away once a menu or dialog has gone, which gives it back a frame after that. */
export function focusLater(to: () => HTMLElement | null | undefined) {
  requestAnimationFrame(() => requestAnimationFrame(() => to()?.focus({ preventScroll: true })))
}

/**
 * Where a menu has led to a dialog, what opened the menu is forgotten when the dialog closes, and the focus would fall
 * to the page. It goes back unless something else has taken it by then [interface.md 4.2].
 */
export function focusBack(to: () => HTMLElement | null | undefined) {
  focusLater(() => {
    const { activeElement, body } = document
    // What is not drawn any more has it until the browser looks.
    return activeElement === body || !activeElement?.checkVisibility() ? to() : undefined
  })
}
