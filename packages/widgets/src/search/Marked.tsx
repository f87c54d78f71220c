import { marked } from './marked.ts'

/** A text in which the words of the query are highlighted. */
export function Marked({ text, query }: { text: string; query: string }) {
  let at = 0
  return marked(text, query).map((piece) => {
    const key = at
    at += piece.text.length
    return piece.match ? <mark key={key}>{piece.text}</mark> : <span key={key}>{piece.text}</span>
  })
}
