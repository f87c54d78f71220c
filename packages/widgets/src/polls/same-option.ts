import { foldedCase } from '@parley/protocol/text/folding'

/** Two options are the same if they differ only in case and in surrounding whitespace [POL-34]. */
export function sameOption(a: string, b: string): boolean {
  return foldedCase(a.trim()) === foldedCase(b.trim())
}
