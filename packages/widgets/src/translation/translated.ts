import { Cell } from '@parley/client'
import { useSyncExternalStore } from 'react'

/** The messages translated on this page, and those of them that show the translation now. */
const wanted = new Cell<ReadonlyMap<string, boolean>>(new Map())

/** Shows a message in the reader's language, or the original again. */
export function showTranslation(messageId: string, shown: boolean) {
  wanted.set(new Map(wanted.snapshot()).set(messageId, shown))
}

/** Whether a translation was requested. */
export function useIsTranslated(messageId: string): boolean {
  return useWanted((messages) => messages.has(messageId))
}

/** Whether the translation is shown. */
export function useShowsTranslation(messageId: string): boolean {
  return useWanted((messages) => messages.get(messageId) ?? false)
}

function useWanted(pick: (messages: ReadonlyMap<string, boolean>) => boolean): boolean {
  const snapshot = () => pick(wanted.snapshot())
  return useSyncExternalStore(wanted.subscribe, snapshot, snapshot)
}
