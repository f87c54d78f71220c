/**
 * Which characters belong to scripts that are written without spaces between words, or that attach particles to words of
 * other scripts. Beside them a mark, a mention or the end of an address needs no space. The inside of a character class.
 */
export const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Bopomofo}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}'

/** A letter, digit or combining mark of a script that separates words by spaces, as a part of a regular expression. */
export const WORD_CHAR = `(?![${UNSPACED}\\uFE0E\\uFE0F\\u20E3])[\\p{L}\\p{M}\\p{N}]`
