/**
 * The marks of a chat message: a small set, and everything else is text, as it was typed.
 *
 * | written | drawn |
 * |---|---|
 * | `**bold**`, `*italic*`, `_italic_`, `~~strike~~` | around words, beside CJK letters too |
 * | `` `code` `` | code within a line |
 * | three backticks, lines, three backticks | a block of code, with its language behind the first three |
 * | `> ` at the start of lines | a quote |
 * | `- `, `* `, `1. `, `1) ` at the start of two or more lines | a list, with the numbers that were typed |
 * | `[text](https://…)`, `https://…`, `www.…`, `a@b.example` | links |
 *
 * No character disappears but the marks themselves; a mark that would leave nothing to see stays text. A backslash before
 * a mark keeps it from being one, and is shown. Parsing takes time linear in the text.
 *
 * @see docs/decisions/0035-chat-marks.md
 */
import { type Address, addressesIn } from './addresses.ts'
import { safeUrl } from './safe-url.ts'
import { UNSPACED, WORD_CHAR } from './scripts.ts'
import type { Block, Inline, ListSign } from './tree.ts'
import { linesOf, paragraphsOf } from './unmarked.ts'

/** Quotes and lists within one another; deeper ones are text, or a hostile message could not be rendered. */
const DEPTH_MAX = 10
/** Marks that wait for their closing mark at the same time, for the same reason. */
const OPEN_MAX = 50

/**
 * @param names the names of mentioned users; `@` and one of them is a mention
 */
export function parseMarks(text: string, names: readonly string[] = []): Block[] {
  return blocksOf(linesOf(text), { depth: 0, isInList: false, names: names.toSorted((a, b) => b.length - a.length) })
}

interface Place {
  depth: number
  isInList: boolean
  names: readonly string[]
}

const QUOTE = /^> (?=.*\S)/
const QUOTED = /^>(?: |$)/
const FENCE = /^ {0,3}```([^`]*)$/
const FENCE_END = /```\s*$/
const LANGUAGE = /^[\w+#.-]*$/
const ITEM = /^( *)(?:([-*])|(0|[1-9]\d{0,8})([.)])) +(?=\S)/

function blocksOf(lines: readonly string[], place: Place): Block[] {
  const blocks: Block[] = []
  let written: string[] = []
  const flush = () => {
    for (const text of paragraphsOf(written)) blocks.push({ type: 'paragraph', children: inlineOf(text, place.names) })
    written = []
  }
  let hasFences = true
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]!
    const fence = hasFences ? FENCE.exec(line) : null
    const code = fence && codeFrom(lines, i, fence[1]!.trim())
    if (fence && !code) hasFences = false
    const block = code || (place.depth < DEPTH_MAX && (quoteFrom(lines, i, place) || listFrom(lines, i, place)))
    if (block) {
      flush()
      blocks.push(block.block)
      i = block.end
    } else {
      written.push(line)
      i++
    }
  }
  flush()
  return blocks
}

/** A block and the index of the line behind it. */
interface FoundBlock {
  block: Block
  end: number
}

/** A fence that is not closed, or with nothing inside, is text. */
function codeFrom(lines: readonly string[], start: number, info: string): FoundBlock | undefined {
  const close = lines.findIndex((line, i) => i > start && FENCE_END.test(line))
  if (close < 0) return undefined
  const inside = lines.slice(start + 1, close)
  const last = lines[close]!.replace(FENCE_END, '')
  if (last.trim()) inside.push(last)
  const isLanguage = LANGUAGE.test(info)
  if (!isLanguage) inside.unshift(info)
  const text = inside.join('\n')
  if (!VISIBLE.test(text)) return undefined
  return { block: { type: 'code', text, language: (isLanguage && info) || undefined }, end: close + 1 }
}

function quoteFrom(lines: readonly string[], start: number, place: Place): FoundBlock | undefined {
  if (!QUOTE.test(lines[start]!)) return undefined
  let end = start
  while (end < lines.length && QUOTED.test(lines[end]!)) end++
  const inside = lines.slice(start, end).map((line) => line.replace(QUOTED, ''))
  return { block: { type: 'quote', children: blocksOf(inside, { ...place, depth: place.depth + 1 }) }, end }
}

/** A list has two items at least, or `- 5 degrees` would lose its minus; a list inside a list may have one. */
function listFrom(lines: readonly string[], start: number, place: Place): FoundBlock | undefined {
  const first = ITEM.exec(lines[start]!)
  if (!first) return undefined
  const indent = first[1]!.length
  const sign = signOf(first)
  const items: { number: number | undefined; lines: string[] }[] = []
  let end = start
  for (let i = start; i < lines.length; i++) {
    const line = lines[i]!
    const item = ITEM.exec(line)
    if (item && item[1]!.length === indent && signOf(item) === sign) {
      items.push({ number: item[3] === undefined ? undefined : Number(item[3]), lines: [line.slice(item[0].length)] })
      end = i + 1
    } else if (line.trim() && indentOf(line) > indent + 1) {
      items.at(-1)!.lines.push(...lines.slice(end, i), line.slice(indent + 2))
      end = i + 1
    } else if (line.trim()) break
  }
  if (items.length < 2 && !place.isInList) return undefined
  const inside = { ...place, depth: place.depth + 1, isInList: true }
  return {
    block: {
      type: 'list',
      sign,
      items: items.map(({ number, lines: written }) => ({ number, children: blocksOf(written, inside) })),
    },
    end,
  }
}

function signOf([, , bullet, , behindNumber]: RegExpExecArray): ListSign {
  return (bullet ?? behindNumber) as ListSign
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

type Style = 'bold' | 'italic' | 'strike'
const styles: Record<string, Style> = { '**': 'bold', '*': 'italic', _: 'italic', '~~': 'strike' }

/** A mark that may open or close a style. */
interface Mark {
  mark: string
  canOpen: boolean
  canClose: boolean
}

const SPECIAL = /`+|\*+|_+|~+|[[@＠]/g
const LINK = /\[([^[\]\n]{1,300})\]\(((?:[^\s()<>]|\([^\s()<>]{0,500}\)){1,2000})\)/y
/** Something to see. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u
const WORD_BEFORE = new RegExp(`${WORD_CHAR}$`, 'u')
const WORD_BEHIND = new RegExp(`^${WORD_CHAR}`, 'u')

/** The few characters before and behind a place, enough for the patterns that look at them. */
const before = (text: string, at: number) => text.slice(Math.max(0, at - 12), at)
const behind = (text: string, at: number) => text.slice(at, at + 12)

/** A piece of a text, and the position behind it. */
interface Found<Piece> {
  piece: Piece
  to: number
}

/**
 * The pieces of a text from left to right: addresses, what `find` makes of the matches of a pattern, and the text between.
 */
function* inlineWith<Piece>(
  text: string,
  addresses: readonly Address[],
  special: RegExp,
  find: (at: number, match: string) => Found<Piece> | undefined,
): Iterable<Piece | Inline> {
  let next = 0
  let done = 0
  for (let at = 0; at < text.length; ) {
    special.lastIndex = at
    const { 0: match, index: start } = special.exec(text) ?? { 0: ' ', index: text.length }
    while (next < addresses.length && addresses[next]!.from < at) next++
    const address = addresses[next]
    const isAddress = address !== undefined && address.from <= start
    const from = isAddress ? address.from : start
    const found = isAddress
      ? { piece: linkOf(address, text), to: address.to }
      : from < text.length
        ? find(from, match)
        : undefined
    if (found) {
      if (done < from) yield { type: 'text', text: text.slice(done, from) }
      yield found.piece
      at = done = found.to
    } else at = from + match.length
  }
  if (done < text.length) yield { type: 'text', text: text.slice(done) }
}

function linkOf({ url, from, to }: Address, text: string): Inline {
  return { type: 'link', url, children: [{ type: 'text', text: text.slice(from, to) }] }
}

/** @param names longest first */
function mentionAt(text: string, at: number, names: readonly string[]): Found<Inline> | undefined {
  if (WORD_BEFORE.test(before(text, at))) return undefined
  const endOf = (name: string) => at + 1 + name.length
  const name = names.find(
    (name) => text.startsWith(name, at + 1) && !(WORD_BEFORE.test(name) && WORD_BEHIND.test(behind(text, endOf(name)))),
  )
  if (name === undefined) return undefined
  return { piece: { type: 'mention', text: text.slice(at, endOf(name)) }, to: endOf(name) }
}

/** @param isLink links cannot be inside the text of a link */
function inlineOf(text: string, names: readonly string[], isLink = false): Inline[] {
  const styler = new Styler()
  /** Runs of backticks of these lengths have no end further on. */
  const endless = new Set<number>()
  const find = (at: number, run: string): Found<Inline | Mark[]> | undefined => {
    if (text[at - 1] === '\\') return undefined
    if (run === '[') return isLink ? undefined : linkAt(text, at, names)
    if (run === '@' || run === '＠') return mentionAt(text, at, names)
    return run[0] === '`' ? codeAt(text, at, run.length, endless) : marksAt(text, at, run)
  }
  for (const piece of inlineWith(text, isLink ? [] : addressesIn(text), SPECIAL, find))
    if (Array.isArray(piece)) for (const mark of piece) styler.mark(mark)
    else styler.put(piece)
  return styler.finished()
}

/** A backtick behind a letter is an apostrophe: it`s. */
function codeAt(text: string, at: number, length: number, endless: Set<number>) {
  if (endless.has(length) || WORD_BEFORE.test(before(text, at))) return undefined
  const start = at + length
  const fence = new RegExp(`(?<!\`)\`{${length}}(?!\`)`, 'g')
  fence.lastIndex = start
  const end = fence.exec(text)?.index
  if (end === undefined) {
    endless.add(length)
    return undefined
  }
  const inside = text.slice(start, end).trim()
  // A line break ends code in a line, or two apostrophes far apart would make code of all between them.
  if (!VISIBLE.test(inside) || (length < 3 && inside.includes('\n'))) return undefined
  return { piece: { type: 'code', text: inside } as const, to: end + length }
}

/** A link whose text is another address than its target would deceive: both are shown. */
function linkAt(text: string, at: number, names: readonly string[]) {
  LINK.lastIndex = at
  const [whole, label, target] = LINK.exec(text) ?? []
  if (whole === undefined || !VISIBLE.test(label!)) return undefined
  const url = target!.replace(/^www\./i, 'http://$&')
  const safe = safeUrl(url)
  if (!safe || addressesIn(label!).some((shown) => safeUrl(shown.url)?.host !== safe.host)) return undefined
  return { piece: { type: 'link', url, children: inlineOf(label!, names, true) } as const, to: at + whole.length }
}

/** What may stand on either side of a pair of marks, other marks aside: no letter and no digit, but unspaced scripts. */
const AROUND = `(?!\\p{ASCII})\\p{P}|[\\s"'|&+\\p{Pd}\\uFE0F\\uFF00-\\uFF0F\\uFF1A-\\uFF20\\p{So}${UNSPACED}]`
const BEFORE_OPEN = new RegExp(`(?:^|${AROUND}|[.,;:!?=>({[])[*_~]*$`, 'u')
/** What an opening mark is followed by: a letter, a digit, an opening sign. */
const BEHIND_OPEN = /^[*_~]*(?:[\p{L}\p{N}\p{So}\p{Sc}\p{Ps}\p{Pi}"'`¿¡@＠#§]|[+−-]\p{N})/u
/** What a closing mark follows: no white space, no opening sign, no slash. */
const BEFORE_CLOSE = /(?:(?![\p{ASCII}\p{Ps}\p{Pi}\p{Pd}])\p{P}|[\p{L}\p{M}\p{N}\p{So}\p{Sc}\p{Pe}"'`.,;:!?%°])[*_~]*$/u
/** No letter follows the full stop behind a closing mark, or `*.js,*.ts` had one. */
const BEHIND_CLOSE = new RegExp(`^[*_~]*(?:$|${AROUND}|[!?<)}\\]]|[.,;:](?![\\p{L}\\p{N}]))`, 'u')
/** A suffix may follow bold and struck words: `**ev**de`. */
const SUFFIX = /^\p{L}/u

/** Three stars are bold and italic. */
function marksAt(text: string, at: number, run: string) {
  const to = at + run.length
  const lead = before(text, at)
  const rest = behind(text, to)
  const canOpen = BEFORE_OPEN.test(lead) && BEHIND_OPEN.test(rest)
  const canClose = BEFORE_CLOSE.test(lead) && (BEHIND_CLOSE.test(rest) || (run.length > 1 && SUFFIX.test(rest)))
  const marks = run === '***' ? (canOpen ? ['**', '*'] : ['*', '**']) : [run]
  if (!styles[marks[0]!] || !(canOpen || canClose)) return undefined
  return { piece: marks.map((mark) => ({ mark, canOpen, canClose })), to }
}

/** Joins marks to pairs. A mark without its other half is text. */
class Styler {
  readonly #open: { mark: string; children: Inline[] }[] = [{ mark: '', children: [] }]

  put(piece: Inline) {
    const { children } = this.#open.at(-1)!
    const last = children.at(-1)
    if (piece.type !== 'text') children.push(piece)
    else if (last?.type === 'text') last.text += piece.text
    else if (piece.text) children.push(piece)
  }

  mark({ mark, canOpen, canClose }: Mark) {
    if (canClose && this.#open.some((open) => open.mark === mark)) {
      while (this.#open.at(-1)!.mark !== mark) this.#giveUp()
      this.put({ type: styles[mark]!, children: this.#open.pop()!.children })
    } else if (canOpen && this.#open.length <= OPEN_MAX) this.#open.push({ mark, children: [] })
    else this.put({ type: 'text', text: mark })
  }

  finished(): Inline[] {
    while (this.#open.length > 1) this.#giveUp()
    return this.#open[0]!.children
  }

  #giveUp() {
    const { mark, children } = this.#open.pop()!
    this.put({ type: 'text', text: mark })
    for (const child of children) this.put(child)
  }
}
