/** Where the device remembers which voices were heard, and how many of them. */
const HEARD_KEY = 'chat-audio-heard'
const HEARD_KEPT = 300

let playing: HTMLMediaElement | undefined

/** What is heard now; whatever played before stops, wherever on the page it is. */
export function playsAlone(element: HTMLMediaElement) {
  if (playing !== element) playing?.pause()
  playing = element
}

/** A voice message on the page that waits to be heard. */
interface Waiting {
  element: HTMLElement
  play: () => void
}

const waiting = new Set<Waiting>()

/** @returns the function that takes it back */
export function waitsToBeHeard(voice: Waiting): () => void {
  waiting.add(voice)
  return () => void waiting.delete(voice)
}

/** Plays the first voice behind this one in the same conversation that was not heard yet. */
export function playNext(after: HTMLElement) {
  const list = after.closest('[role=log], .chat-scroll')
  const behind = [...waiting]
    .filter(({ element }) => list?.contains(element) && isBehind(after, element))
    .sort((a, b) => (isBehind(a.element, b.element) ? -1 : 1))
  behind[0]?.play()
}

function isBehind(first: Node, second: Node): boolean {
  return (first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
}

export function wasHeard(url: string): boolean {
  return heard().includes(url)
}

export function noteHeard(url: string) {
  if (!wasHeard(url)) localStorage.setItem(HEARD_KEY, JSON.stringify([...heard(), url].slice(-HEARD_KEPT)))
}

function heard(): unknown[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(HEARD_KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}
