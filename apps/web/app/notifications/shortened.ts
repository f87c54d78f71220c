/** More does not fit into what a phone or a desktop shows. */
const LETTERS = 150
/** Of an encrypted message of at most 4 kB; some letters have very many bytes. */
const BYTES = 1_500

/** The beginning of a message in one line, as a notification shows it. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  let [kept, letters, bytes] = ['', 0, 0]
  for (const { segment } of new Intl.Segmenter('en').segment(line.slice(0, BYTES))) {
    letters += 1
    bytes += new TextEncoder().encode(segment).length
    if (letters > LETTERS || bytes > BYTES) return `${kept.trimEnd()}…`
    kept += segment
  }
  return kept.length < line.length ? `${kept}…` : kept
}
