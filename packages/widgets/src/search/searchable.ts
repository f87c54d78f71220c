/** Whether there is enough to search for: two characters, or one of a script in which one is a word. */
export function isSearchable(query: string): boolean {
  const text = query.trim()
  return [...text].length >= 2 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)
}
