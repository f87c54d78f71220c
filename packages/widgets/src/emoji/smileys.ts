import { replaceWords } from '../autocomplete/replace-words.ts'

/** Smileys in ASCII, and their emoji. */
const smileys: Readonly<Record<string, string>> = {
  ':)': '🙂',
  ':-)': '🙂',
  ';)': '😉',
  ';-)': '😉',
  ':(': '🙁',
  ':-(': '🙁',
  ":'(": '😢',
  ':|': '😐',
  ':-|': '😐',
  ':*': '😘',
  ':-*': '😘',
  ':D': '😃',
  ':-D': '😃',
  ':P': '😛',
  ':p': '😛',
  ':-P': '😛',
  ':-p': '😛',
  ':O': '😮',
  ':o': '😮',
  ':-O': '😮',
  ':-o': '😮',
  xD: '😆',
  XD: '😆',
  '<3': '❤️',
}

const signs = Object.keys(smileys).map((signs) => signs.replace(/[()|*]/g, '\\$&'))
const LAST = new RegExp(`(?:^|\\s)(${signs.join('|')})(\\s?)$`)
/** Smileys with such an ending may be the beginning of another: they wait for the space behind them. */
const WAITS = /[\p{L}\d]$/u

/** Replaces the smiley just typed before the caret by an emoji. One undo restores its characters. */
export function drawSmiley(box: HTMLTextAreaElement) {
  const { value, selectionStart: caret, selectionEnd } = box
  const before = value.slice(0, caret)
  const [, signs, space] = LAST.exec(before) ?? []
  if (signs === undefined || space === undefined || caret !== selectionEnd) return
  if (WAITS.test(signs) !== (space !== '') || isCode(before)) return
  const written = signs + space
  const from = caret - written.length
  replaceWords(box, from, caret, smileys[signs] + space)
  offerBack(box, from, written)
}

/** Whether the caret is within code, where text stays as it is. In a link there is no space before such characters. */
function isCode(before: string): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1)
  const count = (text: string, marks: RegExp) => text.match(marks)?.length ?? 0
  return count(before, /^ {0,3}(?:```|~~~)/gm) % 2 === 1 || /^(?: {4}|\t)/.test(line) || count(line, /`/g) % 2 === 1
}

/** Until the next input or deletion, Backspace restores the characters. */
function offerBack(box: HTMLTextAreaElement, from: number, written: string) {
  const { value, selectionStart: to } = box
  /** The restored text is selected by undo, and the next letter would replace it. */
  const unmark = () => box.setSelectionRange(box.selectionEnd, box.selectionEnd)
  const give = (event: InputEvent) => {
    if (event.inputType === 'historyUndo') box.addEventListener('input', unmark, { once: true })
    const isThere = box.value === value && box.selectionStart === to && box.selectionEnd === to
    if (event.inputType !== 'deleteContentBackward' || !isThere) return
    event.preventDefault()
    queueMicrotask(() => replaceWords(box, from, to, written))
  }
  box.addEventListener('beforeinput', give, { once: true })
}
