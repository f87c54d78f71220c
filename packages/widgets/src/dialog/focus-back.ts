/**
 * Where a menu has led to a dialog, what opened the menu is forgotten when the dialog closes, and the focus would fall to
 * the page. It goes back unless something else has taken it by then [ux 4.2].
 */
export function focusBack(to: () => HTMLElement | null | undefined) {
  // A dialog gives the focus back a frame after it has gone.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) to()?.focus({ preventScroll: true })
    }),
  )
}
