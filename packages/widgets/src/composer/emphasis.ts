import { replaceWords } from '../autocomplete/replace-words.ts'

/** Puts marks around the selected words, or takes them away again where they stand already; undo takes it back. */
export function emphasize(box: HTMLTextAreaElement, mark: string) {
  const { selectionStart: from, selectionEnd: to, value } = box
  const words = value.slice(from, to)
  const marked = value.slice(Math.max(0, from - mark.length), to + mark.length) === mark + words + mark
  const by = marked ? -mark.length : mark.length
  if (marked) replaceWords(box, from + by, to - by, words)
  else replaceWords(box, from, to, mark + words + mark)
  box.setSelectionRange(from + by, to + by)
}
