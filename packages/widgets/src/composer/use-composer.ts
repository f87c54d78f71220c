import type { Channel, Composition } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useComposerHere } from '../threads/thread-scope.ts'

/** What is being written in a channel, or in the thread around, and about what. */
export function useComposer(channel: Channel): Composition {
  const composer = useComposerHere(channel)
  return useSyncExternalStore(composer.subscribe, composer.snapshot, composer.snapshot)
}

/** What was begun in a channel that is not open; a key in the open one re-renders nothing here. */
export function useDraft({ composer }: Channel, open: boolean): string {
  const snapshot = () => {
    const { text, editing } = composer.snapshot()
    return open || editing ? '' : text
  }
  return useSyncExternalStore(composer.subscribe, snapshot, snapshot)
}
