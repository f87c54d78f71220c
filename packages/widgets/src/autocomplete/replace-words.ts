/**
 * Puts other words in the place of a stretch of a text box, as if they were typed, so that the browser's undo takes
 * them back; no other way of writing is undone.
 */
export function replaceWords(box: HTMLTextAreaElement, from: number, to: number, words: string) {
  box.focus({ preventScroll: true })
  box.setSelectionRange(from, to)
  const done = words === '' ? document.execCommand('delete') : document.execCommand('insertText', false, words)
  if (done || (from === to && words === '')) return
  box.setRangeText(words, from, to, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText', data: words }))
}
