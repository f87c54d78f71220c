import type { Channel, ChannelState, Composition } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useComposerHere } from '../threads/thread-scope.ts'

/** What is being written in a channel, or in the thread around, and about what. */
export function useComposer(channel: Channel): Composition {
  const composer = useComposerHere(channel)
  return useSyncExternalStore(composer.subscribe, composer.snapshot, composer.snapshot)
}

/**
 * What was begun in a channel that is not open, on this device or on another; a key in the open one re-renders nothing
 * here.
 */
export function useDraft(channel: Channel, open: boolean): string {
  const { composer } = channel
  const elsewhere = useChannelPart(channel, draftText)
  const snapshot = () => {
    const { text, editing } = composer.snapshot()
    return open || editing ? '' : text
  }
  const here = useSyncExternalStore(composer.subscribe, snapshot, snapshot)
  return here || open ? here : elsewhere
}

const draftText = ({ draft }: ChannelState) => draft?.message.text ?? ''
