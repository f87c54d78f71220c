import { folded } from '@parley/protocol/text/folding'

/**
 * Whether a name, or one of its words, begins like the query. An empty query matches every name. Hangul syllables are
 * taken apart, so that a half-typed one matches.
 */
export function isCalled(name: string, sought: string): boolean {
  const words = (text: string) =>
    ` ${folded(text)
      .normalize('NFD')
      .replace(/[\s-]+/g, ' ')}`
  return words(name).includes(words(sought))
}
