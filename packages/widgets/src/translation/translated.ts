import { Cell } from '@parley/client'
import { useSyncExternalStore } from 'react'

/** Which messages somebody wanted in another language on this page, and of those, which show it now. */
const wanted = new Cell<ReadonlyMap<string, boolean>>(new Map())

/** Shows a message in the reader's language, or as it was written again. */
export function showTranslation(messageId: string, shown: boolean) {
  wanted.set(new Map(wanted.snapshot()).set(messageId, shown))
}

/** Whether a translation was asked for. */
export function useIsTranslated(messageId: string): boolean {
  return useWanted((messages) => messages.has(messageId))
}

/** Whether it is the translation that is shown. */
export function useShowsTranslation(messageId: string): boolean {
  return useWanted((messages) => messages.get(messageId) ?? false)
}

function useWanted(pick: (messages: ReadonlyMap<string, boolean>) => boolean): boolean {
  const snapshot = () => pick(wanted.snapshot())
  return useSyncExternalStore(wanted.subscribe, snapshot, snapshot)
}
