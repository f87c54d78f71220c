/**
 * A text normalised for searching: no accents, no capitals, and Hangul syllables as single letters, so that a
 * half-typed one matches. Marks that make another letter (か, が) stay.
 */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
}

/** Whether a name, or one of its words, begins like the query. An empty query matches every name. */
export function isCalled(name: string, sought: string): boolean {
  const words = (text: string) => ` ${folded(text).replace(/[\s-]+/g, ' ')}`
  return words(name).includes(words(sought))
}
