import { folded } from '@parley/protocol/text/folding'

/**
 * The form of a name for sorting and searching: folded, so that "muller" finds "Müller" and both databases sort alike. A
 * change of what is folded needs a new data version in migrate.server.ts.
 */
export function nameKey(...names: string[]): string {
  return folded(names.join(' ')).replace(/\s+/g, ' ').trim()
}
