import type { Channel, ChannelState, Composition } from '@parley/client'
import { useCallback, useSyncExternalStore } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useTranslate } from '../i18n/translate.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { useComposerHere } from '../threads/thread-scope.ts'

/** The draft of a channel, or of the thread around, and the message it edits or quotes. */
export function useComposer(channel: Channel): Composition {
  const composer = useComposerHere(channel)
  return useSyncExternalStore(composer.subscribe, composer.snapshot, composer.snapshot)
}

/**
 * The draft of a channel that is not open, from this device or another, in one line: its text, else its attachments.
 * Typing in the open channel re-renders nothing here.
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
