const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** How many characters a person sees: an emoji family and a letter with accents are one each. */
export function graphemeCount(text: string): number {
  let count = 0
  for (const _ of segmenter.segment(text)) count++
  return count
}

/** What stands in an avatar without a picture: the first character of both names. */
export function initials({ givenName, familyName }: { givenName: string; familyName: string }): string {
  return [givenName, familyName].map(firstGrapheme).join('').toLocaleUpperCase()
}

function firstGrapheme(text: string): string {
  for (const { segment } of segmenter.segment(text.trim())) return segment
  return ''
}
