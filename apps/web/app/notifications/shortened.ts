/** Phones and desktops do not show more. */
const LETTERS = 150
/** An encrypted push has at most 4 kB, and some characters have many bytes. */
const BYTES = 1_500

/** The beginning of a message in one line, for a notification. */
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
