/**
 * A text as it is compared while somebody looks for it: no accents, no capitals, and syllables of Hangul in their
 * letters, so that a half-written one is found. Signs that make another letter (か, が) stay.
 */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
}

/** Whether a name, or one of the words in it, begins as what is sought does. Nothing finds everybody. */
export function isCalled(name: string, sought: string): boolean {
  const words = (text: string) => ` ${folded(text).replace(/[\s-]+/g, ' ')}`
  return words(name).includes(words(sought))
}
