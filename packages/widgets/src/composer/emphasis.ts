import { replaceWords } from '../autocomplete/replace-words.ts'

/** The marks around a text. */
const marks = { bold: '**', italic: '_', strike: '~~', code: '`' }
export type Mark = keyof typeof marks

/** Puts marks around the selected text, or removes them if it has them already; undo reverts it. */
export function emphasize(box: HTMLTextAreaElement, by: Mark) {
  const mark = marks[by]
  const { selectionStart: from, selectionEnd: to, value } = box
  const words = value.slice(from, to)
  const marked = value.slice(Math.max(0, from - mark.length), to + mark.length) === mark + words + mark
  const moved = marked ? -mark.length : mark.length
  if (marked) replaceWords(box, from + moved, to - moved, words)
  else replaceWords(box, from, to, mark + words + mark)
  box.setSelectionRange(from + moved, to + moved)
}

/** Begins each of the selected lines with a mark, or removes it if all of them have it. */
export function beginLines(box: HTMLTextAreaElement, mark: string) {
  const { selectionStart, selectionEnd, value } = box
  const from = value.lastIndexOf('\n', selectionStart - 1) + 1
  const end = value.indexOf('\n', selectionEnd)
  const to = end < 0 ? value.length : end
  const lines = value.slice(from, to).split('\n')
  const marked = lines.every((line) => line.startsWith(mark))
  const changed = lines.map((line) => (marked ? line.slice(mark.length) : mark + line))
  replaceWords(box, from, to, changed.join('\n'))
}

const ADDRESS = 'https://'

/** Makes a link of the selected text; the part still to be typed is selected. */
export function linkWords(box: HTMLTextAreaElement) {
  const { selectionStart: from, selectionEnd: to, value } = box
  const words = value.slice(from, to)
  replaceWords(box, from, to, `[${words}](${ADDRESS})`)
  const at = words === '' ? from + 1 : to + 3
  box.setSelectionRange(at, words === '' ? at : at + ADDRESS.length)
}
