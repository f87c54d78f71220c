/**
 * What counts as the same letter when people look for each other, for words and for forbidden words. Both databases, the
 * server, the kit and the product fold alike: the tables here make the functions of JavaScript and of PostgreSQL.
 */

type Range = readonly [from: number, to: number]

/** Marks of Latin, Greek, Cyrillic, Hebrew and Arabic that many leave out when they write. */
export const ACCENTS: readonly Range[] = [
  [0x300, 0x36f],
  [0x591, 0x5c7],
  [0x64b, 0x65f],
  [0x670, 0x670],
]

/** Signs nobody sees: soft hyphens, joiners, signs of direction, variation selectors, tags; and the Arabic kashida. */
export const INVISIBLE: readonly Range[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x640, 0x640],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

/** Letters that Unicode does not take apart, in lower case, and how they are written without them. */
export const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ς: 'σ',
}

/** The inside of a character class, for a regular expression with the flag `u`. */
function classOf(ranges: readonly Range[]): string {
  return ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('')
}

const accents = new RegExp(`[${classOf(ACCENTS)}]`, 'gu')
const invisible = new RegExp(`[${classOf(INVISIBLE)}]`, 'gu')
const letters = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g')
const NOT_ASCII = /\P{ASCII}/u

/** Without case, width, ligatures and invisible signs: the same letters, however they were typed. */
export function foldedCase(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return (
    visible(text.normalize('NFKC'))
      .toLowerCase()
      // A capital İ became an i with a second dot, and I is the capital of both i and ı.
      .replaceAll('i\u0307', 'i')
      .replace(/[ßıς]/g, (letter) => LETTERS[letter]!)
      .normalize('NFC')
  )
}

/** Also without accents: "strasse" is "Straße", "lodz" is "Łódź", "yildiz" is "YILDIZ" and "yıldız". */
export function folded(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase()
  return visible(text.normalize('NFKD'))
    .toLowerCase()
    .replace(accents, '')
    .replace(letters, (letter) => LETTERS[letter]!)
    .normalize('NFC')
}

/** Without the signs that nobody sees. */
export function visible(text: string): string {
  return text.replace(invisible, '')
}
