import { useCallback, useSyncExternalStore } from 'react'

/** Which messages somebody wanted in another language on this page, and of those, which show it now. */
const wanted = new Map<string, boolean>()
const listeners = new Set<() => void>()

/** Shows a message in the reader's language, or as it was written again. */
export function showTranslation(messageId: string, shown: boolean) {
  wanted.set(messageId, shown)
  for (const listener of listeners) listener()
}

/** Whether a translation was asked for. */
export function useIsTranslated(messageId: string): boolean {
  const snapshot = useCallback(() => wanted.has(messageId), [messageId])
  return useSyncExternalStore(subscribe, snapshot, snapshot)
}

/** Whether it is the translation that is shown. */
export function useShowsTranslation(messageId: string): boolean {
  const snapshot = useCallback(() => wanted.get(messageId) ?? false, [messageId])
  return useSyncExternalStore(subscribe, snapshot, snapshot)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
