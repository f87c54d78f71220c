/**
 * Copies a text, within what a person has just clicked. Pages that come over plain http from another machine have no
 * `navigator.clipboard`; there the older way is taken.
 *
 * @throws Error — the browser does not let it
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  // Some browsers copy only where something is selected.
  const selection = getSelection()
  const before = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined
  const place = document.createElement('span')
  place.textContent = text
  place.style.cssText = 'position: fixed; opacity: 0; user-select: text; -webkit-user-select: text'
  // Outside an open dialog nothing can be selected.
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
