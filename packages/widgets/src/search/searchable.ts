import { UNSPACED } from '@parley/protocol/text/scripts'

/** Of these, one is a word: letters of scripts without spaces, emoji, flags. */
const WORD = new RegExp(`[${UNSPACED}\\p{Extended_Pictographic}\\p{Regional_Indicator}]`, 'u')

/** Whether the text is long enough to search: two characters, or one that is a word. */
export function isSearchable(query: string): boolean {
  const text = query.trim()
  return [...text].length >= 2 || WORD.test(text)
}
