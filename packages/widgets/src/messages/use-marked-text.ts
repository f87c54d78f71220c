import { useEffect, useState, useSyncExternalStore } from 'react'
import type MarkedText from './MarkedText.tsx'
import { isPlain } from './plain-text.ts'

let drawing: typeof MarkedText | undefined
let fetching: Promise<void> | undefined
const listeners = new Set<() => void>()

/**
 * Loads the Markdown parser and renderer; 20 kB that most conversations do without.
 * @throws TypeError if loading fails; the next call tries again
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

/** The component that renders a text with marks, once loaded; a plain text does not need it. */
export function useMarkedText(text: string): typeof MarkedText | undefined {
  const known = useSyncExternalStore(subscribe, snapshot, snapshot)
  const isWanted = !isPlain(text)
  useEffect(() => {
    // Until it is loaded, and if it never is, the text is shown as it was written.
    if (isWanted) fetchMarkedText().catch(() => {})
  }, [isWanted])
  return isWanted ? known : undefined
}

/**
 * Whether texts can be shown in their final form, so that nothing moves under the reader a moment later. Once true, it
 * remains true for later messages.
 *
 * @param texts  undefined while there is nothing to show
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

/** Loads it with the first touch: the next message may have marks, and the connection may break. */
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
