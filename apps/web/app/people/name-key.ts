/**
 * The form of a name for sorting and searching: without case, accents and ligatures, so that "muller" finds "Müller"
 * and both databases sort alike.
 */
export function nameKey(...names: string[]): string {
  return names
    .join(' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæøłđıœ]/giu, (letter) => unaccented[letter.toLowerCase()] ?? letter)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** Letters that Unicode does not decompose. */
const unaccented: Record<string, string> = { ß: 'ss', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ı: 'i', œ: 'oe' }
