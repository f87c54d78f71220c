import type { Channel, ChannelState, Composition } from '@parley/client'
import { useCallback, useSyncExternalStore } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useTranslate } from '../i18n/translate.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { useComposerHere } from '../threads/thread-scope.ts'

/** What is being written in a channel, or in the thread around, and about what. */
export function useComposer(channel: Channel): Composition {
  const composer = useComposerHere(channel)
  return useSyncExternalStore(composer.subscribe, composer.snapshot, composer.snapshot)
}

/**
 * What was begun in a channel that is not open, on this device or on another, in one line: its words, else what goes
 * with it. A key in the open one re-renders nothing here.
 */
export function useDraft(channel: Channel, open: boolean): string {
  const t = useTranslate()
  const { composer } = channel
  const elsewhere = useChannelPart(
    channel.preview,
    useCallback(({ draft }: ChannelState) => (draft ? messageSummary(t, { type: '', ...draft.message }) : ''), [t]),
  )
  const snapshot = () => {
    const { text, uploads, pollID, editing } = composer.snapshot()
    if (open || editing) return ''
    const attachments = uploads.flatMap((upload) => (upload.status === 'finished' ? [upload.attachment] : []))
    return messageSummary(t, { type: '', text, attachments, poll_id: pollID })
  }
  const here = useSyncExternalStore(composer.subscribe, snapshot, snapshot)
  return here || open ? here : elsewhere
}
