import { folded } from '@parley/protocol/text/folding'

/** A text as it is compared while it is typed: folded, with Hangul syllables taken apart, so that a half-typed one matches. */
export function foldedWhileTyped(text: string): string {
  return folded(text).normalize('NFD')
}

/** Whether a name, or one of its words, begins like the query. An empty query matches every name. */
export function isCalled(name: string, sought: string): boolean {
  const words = (text: string) => ` ${foldedWhileTyped(text).replace(/[\s-]+/g, ' ')}`
  return words(name).includes(words(sought))
}
