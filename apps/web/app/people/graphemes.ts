const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The number of graphemes: an emoji family and a letter with accents are one each. */
export function graphemeCount(text: string): number {
  let count = 0
  for (const _ of segmenter.segment(text)) count++
  return count
}
