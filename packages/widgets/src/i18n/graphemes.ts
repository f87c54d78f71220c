/** Text is counted and cut in user-perceived characters, so an emoji family is one and is never split. */
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

export function countGraphemes(text: string): number {
  // Plain ASCII needs no segmenter; it is most of what people write and this runs on every key.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII except the line break pair.
  if (/^[\x00-\x09\x0b\x0c\x0e-\x7f\n]*$/.test(text)) return text.length
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

export function firstGrapheme(text: string): string {
  for (const { segment } of segmenter.segment(text)) return segment
  return ''
}

/** At most `limit` characters; "…" marks a cut. */
export function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text
  let cut = ''
  let count = 0
  for (const { segment } of segmenter.segment(text)) {
    count += 1
    if (count > limit) return `${cut.trimEnd()}…`
    cut += segment
  }
  return text
}
