import { firstGrapheme } from '../i18n/graphemes.ts'

/** Hues that are easy to distinguish and reach a contrast of 4.5:1 with the lightness in the style sheet. */
const HUES = [262, 288, 314, 338, 2, 20, 34, 158, 178, 198, 216, 236]

/**
 * "Ada Lovelace" → "AL", "Trade fair 🚢" → "TF": the first character of the first and the last word. The same for every
 * viewer.
 */
export function initialsOf(name: string): string {
  const words = name
    .replace(/[(（[].*$/u, '')
    .trim()
    .split(/\s+/u)
    .filter((word) => /^[\p{L}\p{N}]/u.test(word))
  const first = firstGrapheme(words[0] ?? '')
  const last = words.length > 1 ? firstGrapheme(words.at(-1) ?? '') : ''
  return (first + last).toUpperCase()
}

/** The same id has the same hue everywhere, in degrees. */
export function hueOf(id: string): number {
  // FNV-1a: ids that differ in one letter get distant hues.
  let hash = 0x811c9dc5
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return HUES[(hash >>> 0) % HUES.length] ?? 0
}
