/** Texts without marks, and what texts with and without them have in common: paragraphs, addresses, mentions. */
import { type Address, addressesIn } from './addresses.ts'
import { WORD_CHAR } from './scripts.ts'
import type { Block, Inline } from './tree.ts'

/** Something to see. */
export const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u
export const WORD_BEFORE = new RegExp(`${WORD_CHAR}$`, 'u')
const WORD_BEHIND = new RegExp(`^${WORD_CHAR}`, 'u')

/** The few characters before and behind a place, enough for the patterns that look at them. */
export const before = (text: string, at: number) => text.slice(Math.max(0, at - 12), at)
export const behind = (text: string, at: number) => text.slice(at, at + 12)

/** Whether a text has nothing that could be a mark: it is the same with and without {@link parseMarks}. */
export function isUnmarked(text: string): boolean {
  return !/[`*_~[]|^(?:> | *(?:-|\d+[.)]) )/m.test(text)
}

/** The paragraphs of a text without marks; much less code than a parser. */
export function parseUnmarked(text: string, names: readonly string[] = []): Block[] {
  const sorted = byLength(names)
  const find = (text: string) => (at: number) => mentionAt(text, at, sorted)
  return paragraphsOf(linesOf(text), (text) => [...inlineWith(text, addressesIn(text), /[@＠]/g, find(text))])
}

export function linesOf(text: string): string[] {
  return text.replace(/\r\n?/g, '\n').split('\n')
}

/** The longest first: of "Ada" and "Ada Okafor" the whole name is mentioned. */
export function byLength(names: readonly string[]): string[] {
  return names.toSorted((a, b) => b.length - a.length)
}

/** Cut at empty lines; more than one of them in a row is shown. */
export function paragraphsOf(lines: readonly string[], inlineOf: (text: string) => Inline[]): Block[] {
  const first = lines.findIndex((line) => line.trim())
  if (first < 0) return []
  const last = lines.findLastIndex((line) => line.trim())
  const paragraphs: string[][] = [[]]
  let isAfterText = false
  for (const line of lines.slice(first, last + 1)) {
    if (!line.trim() && isAfterText) paragraphs.push([])
    else paragraphs.at(-1)!.push(line)
    isAfterText = line.trim() !== ''
  }
  return paragraphs.map((written) => ({ type: 'paragraph', children: inlineOf(written.join('\n')) }))
}

/** A piece of a text, and the position behind it. */
export interface Found<Piece> {
  piece: Piece
  to: number
}

/**
 * The pieces of a text from left to right: addresses, what `find` makes of the matches of a pattern, and the text between.
 */
export function* inlineWith<Piece>(
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
export function mentionAt(text: string, at: number, names: readonly string[]): Found<Inline> | undefined {
  if (WORD_BEFORE.test(before(text, at))) return undefined
  const endOf = (name: string) => at + 1 + name.length
  const name = names.find(
    (name) => text.startsWith(name, at + 1) && !(WORD_BEFORE.test(name) && WORD_BEHIND.test(behind(text, endOf(name)))),
  )
  if (name === undefined) return undefined
  return { piece: { type: 'mention', text: text.slice(at, endOf(name)) }, to: endOf(name) }
}
