import { folded } from '@parley/protocol/text/folding'
import { LEAD_CHARS } from '../limits.ts'

/** A part of a text, and whether it matches the query. */
export interface Piece {
  text: string
  match: boolean
}

/**
 * Splits a text at the words that begin like those of the query, ignoring accents and case, as the server's search
 * does.
 *
 * @param query words with spaces between them
 */
export function marked(text: string, query: string): Piece[] {
  const words = query.trim().split(/\s+/).map(folded).filter(Boolean)
  const { plain, places } = foldedWithPlaces(text)
  const pieces: Piece[] = []
  let done = 0
  for (const [from, to] of matchesIn(plain, words)) {
    const [start, end] = [places[from]!, places[to] ?? text.length]
    if (start < done) continue
    if (start > done) pieces.push({ text: text.slice(done, start), match: false })
    pieces.push({ text: text.slice(start, end), match: true })
    done = end
  }
  if (done < text.length) pieces.push({ text: text.slice(done), match: false })
  return shortened(pieces)
}

function matchesIn(plain: string, words: readonly string[]): [from: number, to: number][] {
  const found: [number, number][] = []
  for (const word of words)
    for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
      if (beginsWord(plain, at)) found.push([at, at + word.length])
  return found.sort(([a, aTo], [b, bTo]) => a - b || bTo - aTo)
}

/** In scripts without spaces, words match in any position. */
function beginsWord(plain: string, at: number): boolean {
  const before = plain[at - 1]
  return before === undefined || !/[\p{L}\p{N}]/u.test(before) || /[\u0e00-\u0eff\u3040-\u9fff]/.test(plain[at]!)
}

/** The folded text, and for each of its characters the position in the original. */
function foldedWithPlaces(text: string): { plain: string; places: number[] } {
  let plain = ''
  const places: number[] = []
  let at = 0
  for (const character of text) {
    const simple = folded(character)
    for (let n = 0; n < simple.length; n++) places.push(at)
    plain += simple
    at += character.length
  }
  return { plain, places }
}

function shortened(pieces: Piece[]): Piece[] {
  const [first, ...rest] = pieces
  if (!first || first.match || rest.length === 0 || first.text.length <= LEAD_CHARS) return pieces
  const from = first.text.indexOf(' ', first.text.length - LEAD_CHARS)
  return [{ text: `…${first.text.slice(from < 0 ? -LEAD_CHARS : from)}`, match: false }, ...rest]
}
