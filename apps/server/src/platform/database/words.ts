/**
 * The words of a text, as both databases find them: folded, and cut where no letter,
 * digit or picture is. Scripts that put no spaces between words are cut into overlapping pairs of letters.
 *
 * @see docs/decisions/0006-words-of-messages.md
 */
import { ACCENTS, folded, INVISIBLE, LETTERS } from '@parley/protocol/text/folding'
import { UNSPACED } from '@parley/protocol/text/scripts'

/** Longer words are cut off; two that begin alike for this long are taken for the same. */
const WORD_CHARS = 64
/** Terms of a query beyond this number are ignored. */
const WANTED_MAX = 64

/** A search term, or its prefix. */
export interface Wanted {
  word: string
  isBeginning: boolean
}

/**
 * What ends a word in a short text such as a name, as the inside of a regular expression for both databases: which
 * letters are letters is not asked of PostgreSQL, whose answer depends on how it was set up.
 */
export const SEPARATORS =
  '\\u0001-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u00A9\\u00AB-\\u00B1\\u00B4\\u00B6-\\u00B8\\u00BB\\u00BF\\u00D7\\u00F7\\u055A-\\u055F\\u0589\\u060C\\u061B\\u061F\\u06D4\\u0964\\u0965\\u2000-\\u206F\\u3001-\\u3003\\u3008-\\u3011\\u3014-\\u301F\\u30FB'
/** What {@link folded} does, for PostgreSQL. A change of its tables needs a migration like that of `{word_folding}`. */
export function postgresFolding(expression: string): string {
  const classOf = (ranges: typeof ACCENTS) => `[${ranges.map((range) => range.map(codePoint).join('-')).join('')}]`
  const without = (text: string, ranges: typeof ACCENTS) => `regexp_replace(${text}, '${classOf(ranges)}', '', 'g')`
  const plain = without(`lower(${without(`normalize(${expression}, NFKD)`, INVISIBLE)})`, ACCENTS)
  const letters = Object.entries(LETTERS).reduce((text, [from, to]) => `replace(${text}, '${from}', '${to}')`, plain)
  return `normalize(${letters}, NFC)`
}

const codePoint = (code: number) => `\\U${code.toString(16).padStart(8, '0')}`

const separators = new RegExp(`[${SEPARATORS}]+`, 'gu')
const unspacedLetter = new RegExp(`[${UNSPACED}\\p{Extended_Pictographic}\\p{Regional_Indicator}]`, 'u')
const pieces = new RegExp(
  `\\p{Regional_Indicator}{2}|\\p{Extended_Pictographic}|(?<run>(?:(?=[\\p{L}\\p{M}\\p{N}ー々])[${UNSPACED}])+)|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)

/** What a message can be found by. */
export function wordsOf(text: string): Set<string> {
  const plain = folded(text)
  if (isAscii(plain)) return new Set(asciiWordsOf(plain))
  const words = new Set<string>()
  for (const { piece, isRun } of piecesOf(plain)) {
    if (!isRun) words.add(piece)
    else {
      for (const pair of pairsOf(piece)) words.add(pair)
      // The last letter alone, so that each letter begins something.
      words.add([...piece].at(-1)!)
    }
  }
  return words
}

/** What must be in a message that has all words of a text, or words beginning like them. */
export function wantedOf(text: string, { beginnings }: { beginnings: boolean }): Wanted[] {
  const wanted = new Map<string, Wanted>()
  for (const { piece, isRun } of piecesOf(folded(text))) {
    const words = isRun ? pairsOf(piece) : [piece]
    const isBeginning = isRun ? words[0] === piece : beginnings
    for (const word of words) wanted.set(word, { word, isBeginning })
  }
  return [...wanted.values()].slice(0, WANTED_MAX)
}

/** A name with a space before, between and behind its words, so that they are found by `like`. */
export function spaced(text: string): string {
  return ` ${folded(text).replace(separators, ' ').trim()} `
}

/** Whether letters around this one belong to other words though there is no space between. */
export function isUnspaced(word: string): boolean {
  return unspacedLetter.test(word)
}

function* piecesOf(text: string): Iterable<{ piece: string; isRun: boolean }> {
  for (const { 0: piece, groups } of text.matchAll(pieces))
    yield groups!.run === undefined ? { piece: cut(piece), isRun: false } : { piece, isRun: true }
}

/** The quick way through most texts. */
function asciiWordsOf(text: string): string[] {
  const words = text.match(/[a-z0-9]+/g) ?? []
  return text.length <= WORD_CHARS ? words : words.map((word) => word.slice(0, WORD_CHARS))
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** Not through the middle of a character. */
function cut(word: string): string {
  return word.length <= WORD_CHARS ? word : [...word].slice(0, WORD_CHARS).join('')
}

function pairsOf(run: string): string[] {
  const letters = [...run]
  return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => letters[i]! + letter)
}
