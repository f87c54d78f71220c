/**
 * The marks of messages in the kit. Their parser is loaded when a text has any, or with the first touch: most
 * conversations begin without it.
 */
import { isUnmarked } from '@parley/protocol/text/unmarked'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { MarkedText } from './MarkedText.tsx'
import type * as Marks from './marked-text.ts'

let loaded: typeof Marks | undefined
let loading: Promise<void> | undefined
const listeners = new Set<() => void>()

/** @throws TypeError if loading fails; the next call tries again */
export function loadMarks(): Promise<void> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load() {
  loaded = await import('./marked-text.ts')
  for (const listener of listeners) listener()
}

/** For a text that is shown as it was typed until the marks are loaded, and if they never are. */
function loadInTime() {
  loadMarks().catch(() => {})
}

/** The text without its marks, on one line. Until they are loaded it is as typed; then {@link useMarks} rerenders. */
export function plainText(text: string): string {
  if (isUnmarked(text) || !loaded) {
    if (!isUnmarked(text)) loadInTime()
    return text.replace(/\s+/g, ' ').trim()
  }
  return loaded.plainText(text)
}

/** Runs at once, or when the marks of a text are loaded: what is spoken cannot be corrected. */
export function whenReadable(text: string, run: () => void) {
  if (loaded || isUnmarked(text)) run()
  else loadMarks().then(run, run)
}

/** What is loaded with them; whoever selects a text has touched the page. */
export const loadedMarks = () => loaded

/** Changes when the marks are loaded. */
export function useMarks(): typeof Marks | undefined {
  return useSyncExternalStore(subscribe, loadedMarks, loadedMarks)
}

/** The component that draws a text with marks, once loaded; a text without any does not need it. */
export function useMarkedText(text: string): typeof MarkedText | undefined {
  const marks = useMarks()
  const isWanted = !isUnmarked(text)
  useEffect(() => {
    if (isWanted) loadInTime()
  }, [isWanted])
  return isWanted ? marks?.MarkedText : undefined
}

/**
 * Whether texts can be shown in their final form, so that nothing moves under the reader a moment later. Once true, it
 * remains true for later messages.
 *
 * @param texts  undefined while there is nothing to show
 */
export function useReadable(texts: readonly string[] | undefined): boolean {
  const [wasReadable, setWasReadable] = useState(false)
  const isReadable = wasReadable || (texts !== undefined && (loaded !== undefined || texts.every(isUnmarked)))
  const isWaiting = texts !== undefined && !isReadable
  useEffect(() => {
    const show = () => setWasReadable(true)
    if (isWaiting) loadMarks().then(show, show)
  }, [isWaiting])
  if (isReadable && !wasReadable) setWasReadable(true)
  return isReadable
}

/** Loads them with the first touch: the next message may have marks, and the connection may break. */
export function useMarksSoon() {
  useEffect(() => {
    const touches = ['pointerdown', 'keydown'] as const
    for (const touch of touches) addEventListener(touch, loadInTime, { once: true })
    return () => {
      for (const touch of touches) removeEventListener(touch, loadInTime)
    }
  }, [])
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
