/** Web and mail addresses in a text: where they begin and, in every script, where they end. */
import { UNSPACED, WORD_CHAR } from './scripts.ts'

export interface Address {
  /** position of its first character in the text, and behind its last, in UTF-16 units */
  from: number
  to: number
  url: string
}

/** A longer address is text. */
const CHARS_MAX = 2_000

/**
 * Where an address can begin, with everything that might belong to it. Characters that end one in every script are left
 * out: white space, quotation marks, punctuation and symbols beyond ASCII, and invisible signs.
 */
const WEB = new RegExp(
  `(?<!${WORD_CHAR})(?:https?:\\/\\/|www\\.(?=[\\p{L}\\p{N}]))(?:[!#-&(-;=?-_a-z{-~]|(?!\\p{ASCII})[\\p{L}\\p{M}\\p{N}]){1,${CHARS_MAX}}`,
  'giu',
)
/** Starts at the first character of a run only, so that a long run is searched once. */
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,7}\.[a-z]{2,63}(?![\w-]*@)/gi

const SOME_WEB = /https?:\/\/|www\.(?=[\p{L}\p{N}])/iu

/** Whether a text has what may be a web address, in code as well: for permissions and limits, not for drawing. */
export function mayHaveLinks(text: string): boolean {
  return SOME_WEB.test(text)
}

/** All web addresses (`https://…`, `www.…`) and mail addresses of a text, in its order. */
export function addressesIn(text: string): Address[] {
  const found: Address[] = []
  if (mayHaveLinks(text)) {
    WEB.lastIndex = 0
    for (let match = WEB.exec(text); match; match = WEB.exec(text)) {
      const [run] = match
      const written = run.length < CHARS_MAX ? endOfAddress(run) : ''
      const url = /^www\./i.test(written) ? `http://${written}` : written
      if (!URL.canParse(url)) continue
      found.push({ from: match.index, to: match.index + written.length, url })
      WEB.lastIndex = match.index + written.length
    }
  }
  if (text.includes('@'))
    for (const { 0: mail, index } of text.matchAll(MAIL)) {
      const to = index + mail.length
      if (!found.some((other) => index < other.to && other.from < to))
        found.push({ from: index, to, url: `mailto:${mail}` })
    }
  return found.sort((a, b) => a.from - b.from)
}

const FIRST_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u')

/**
 * Cuts off what was written right behind the address: `https://example.com에서`, `…/page을`. A part in an unspaced script
 * belongs to the address if it begins a label or a segment of the path (`/wiki/日本`), and not if it follows ASCII.
 */
function endOfAddress(run: string): string {
  let start = 0
  for (const part of run.split(/(?<=[./?#&=])/)) {
    const unspaced = part.search(FIRST_UNSPACED)
    if (unspaced > 0 && /[a-z0-9]/i.test(part[unspaced - 1]!)) return withoutPunctuation(run.slice(0, start + unspaced))
    start += part.length
  }
  return withoutPunctuation(run)
}

const brackets: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

/** The full stop belongs to the sentence; a closing bracket belongs to the address only if the address opened it. */
function withoutPunctuation(address: string): string {
  const opened: Record<string, number> = {}
  let end = 0
  for (; end < address.length; end++) {
    const sign = address[end]!
    const opening = brackets[sign]
    if (opening === undefined) opened[sign] = (opened[sign] ?? 0) + 1
    else if (opened[opening]) opened[opening]--
    else break
  }
  return /^.*?(?=[.,;:!?*_~|\\([{]*$)/s.exec(address.slice(0, end))![0]
}
