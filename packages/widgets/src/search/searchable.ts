/** Whether the text is long enough to search: two characters, or one of a script in which one character is a word. */
export function isSearchable(query: string): boolean {
  const text = query.trim()
  return [...text].length >= 2 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)
}
