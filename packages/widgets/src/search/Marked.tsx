import { marked } from './marked.ts'

/** A text with the words that were looked for marked in it. */
export function Marked({ text, query }: { text: string; query: string }) {
  let at = 0
  return marked(text, query).map((piece) => {
    const key = at
    at += piece.text.length
    return piece.match ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>
  })
}
