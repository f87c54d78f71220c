/**
 * Copies a text, in the handler of a click. Pages from plain http on another machine have no `navigator.clipboard`;
 * there `execCommand` is used.
 *
 * @throws Error — the browser does not permit it
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // Some browsers copy only a selection.
  const selection = getSelection()
  const before = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  const place = document.createElement('span')
  place.textContent = text
  place.style.cssText = 'position: fixed; opacity: 0; user-select: text; -webkit-user-select: text'
  // Outside an open modal dialog nothing can be selected.
  ;(document.activeElement?.closest('dialog, [role="dialog"]') ?? document.body).append(place)
  document.addEventListener('copy', put, { capture: true })
  try {
    selection?.selectAllChildren(place)
    if (!document.execCommand('copy')) throw new Error('The browser does not let this page copy.')
  } finally {
    document.removeEventListener('copy', put, { capture: true })
    place.remove()
    selection?.removeAllRanges()
    if (before) selection?.addRange(before)
  }
}
