/** What a preview is made of is not longer than this. */
const LINK_CHARS = 1_000

/** The first web address in a text, unchanged; undefined when there is none. */
export function firstLink(text: string): string | undefined {
  const [found] = /https?:\/\/[^\s<>"'`]+/i.exec(text) ?? []
  if (found === undefined) return undefined
  const link = withoutPunctuation(found.slice(0, LINK_CHARS + 1))
  return link.length <= LINK_CHARS && URL.canParse(link) ? link : undefined
}

/** The full stop belongs to the sentence; a closing bracket belongs to the link only if the link opened it. */
function withoutPunctuation(link: string): string {
  for (let end = link.length; end > 0; end--) {
    const last = link[end - 1]!
    const opening = brackets[last]
    const kept = link.slice(0, end)
    if (opening ? kept.split(opening).length >= kept.split(last).length : !/[.,;:!?*_~|\\…]/.test(last)) return kept
  }
  return link
}

const brackets: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
