import { firstGrapheme } from '../i18n/graphemes.ts'

/** Hues that stay apart from each other and pass 4.5:1 with the lightness the sheet gives them. */
const HUES = [262, 292, 322, 350, 18, 38, 78, 142, 172, 196, 214, 236]

/** "Ada Lovelace" → "AL", "山田" → "山": the first character of the first and the last name. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/[(（[].*$/u, '')
    .trim()
    .split(/\s+/u)
    .filter(Boolean)
  const first = firstGrapheme(words[0] ?? '')
  const last = words.length > 1 ? firstGrapheme(words.at(-1) ?? '') : ''
  return (first + last).toLocaleUpperCase()
}

/** The same id has the same hue everywhere, in degrees. */
export function hueOf(id: string): number {
  let hash = 0
  for (const char of id) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) | 0
  return HUES[Math.abs(hash) % HUES.length] ?? 0
}
