import { useEffect, useState, useSyncExternalStore } from 'react'
import type MarkedText from './MarkedText.tsx'
import { isPlain } from './plain-text.ts'

let drawing: typeof MarkedText | undefined
let fetching: Promise<void> | undefined
const listeners = new Set<() => void>()

/**
 * Fetches what reads and draws Markdown; 20 kB that most conversations do without.
 * @throws TypeError where it does not come through; the next call tries again
 */
export function fetchMarkedText(): Promise<void> {
  fetching ??= load().catch((error) => {
    fetching = undefined
    throw error
  })
  return fetching
}

async function load() {
  drawing = (await import('./MarkedText.tsx')).default
  for (const listener of listeners) listener()
}

/** What draws a text with marks, once it is there; a plain text needs nothing. */
export function useMarkedText(text: string): typeof MarkedText | undefined {
  const known = useSyncExternalStore(subscribe, snapshot, snapshot)
  const isWanted = !isPlain(text)
  useEffect(() => {
    // Until it comes, and if it never does, the text stands there as it was written.
    if (isWanted) fetchMarkedText().catch(() => {})
  }, [isWanted])
  return isWanted ? known : undefined
}

/**
 * Whether texts can be shown as they will stay, so that nothing moves under the reader a moment later. Once it is so it
 * remains so, whatever is said next.
 *
 * @param texts  undefined while nothing is there to be shown
 */
export function useReadable(texts: readonly string[] | undefined): boolean {
  const [wasReadable, setWasReadable] = useState(false)
  const isReadable = wasReadable || (texts !== undefined && (drawing !== undefined || texts.every(isPlain)))
  const isWaiting = texts !== undefined && !isReadable
  useEffect(() => {
    const show = () => setWasReadable(true)
    if (isWaiting) fetchMarkedText().then(show, show)
  }, [isWaiting])
  if (isReadable && !wasReadable) setWasReadable(true)
  return isReadable
}

/** Fetches it with the first touch: what is written next may have marks, and the connection may break. */
export function useMarkedTextSoon() {
  useEffect(() => {
    const touches = ['pointerdown', 'keydown'] as const
    const fetch = () => void fetchMarkedText().catch(() => {})
    for (const touch of touches) addEventListener(touch, fetch, { once: true })
    return () => {
      for (const touch of touches) removeEventListener(touch, fetch)
    }
  }, [])
}

const snapshot = () => drawing
function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
