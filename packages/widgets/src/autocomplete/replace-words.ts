/**
 * Replaces a range of a text box as if the new text was typed, so that the browser's undo reverts it; other ways to
 * change the text cannot be undone.
 */
export function replaceWords(box: HTMLTextAreaElement, from: number, to: number, words: string) {
  box.focus({ preventScroll: true })
  box.setSelectionRange(from, to)
  const done = words === '' ? document.execCommand('delete') : document.execCommand('insertText', false, words)
  if (done || (from === to && words === '')) return
  box.setRangeText(words, from, to, 'end')
  box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText', data: words }))
}
