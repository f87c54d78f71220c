import type { Channel, ChannelState, Composer } from '@parley/client'
import { useCallback, useContext, useEffect } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { DRAFT_REST_MS } from '../limits.ts'
import { InThread, useComposerHere } from '../threads/thread-scope.ts'

/**
 * Stores the draft: a moment after the last key, and whenever the user leaves the page or the channel. A draft from
 * another device replaces it unless the user is typing here [interface.md 7.12].
 */
export function useDraftKeeping(channel: Channel) {
  const { clock } = useChat()
  const composer = useComposerHere(channel)
  const thread = useContext(InThread)
  useEffect(() => {
    composer.restoreDraft()
    let cancel = () => {}
    const save = () => {
      cancel()
      composer.saveDraft()
    }
    const end = composer.subscribe(() => {
      cancel()
      cancel = clock.after(DRAFT_REST_MS, save)
      if (!composer.isEmpty) void synced(composer)
    })
    const leave = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLTextAreaElement)) return
      save()
      if (composer.context.drafts) composer.restoreDraft()
    }
    document.addEventListener('visibilitychange', save)
    document.addEventListener('focusout', leave)
    window.addEventListener('pagehide', save)
    return () => {
      end()
      save()
      document.removeEventListener('visibilitychange', save)
      document.removeEventListener('focusout', leave)
      window.removeEventListener('pagehide', save)
    }
  }, [composer, clock])

  const elsewhere = useChannelPart(
    channel,
    useCallback((state: ChannelState) => draftElsewhere(state, thread), [thread]),
  )
  useEffect(() => {
    if (elsewhere || composer.context.drafts) void synced(composer).then(() => takeOver(composer))
  }, [elsewhere, composer])
}

/** The draft on the server for the channel, or for one of its threads. */
function draftElsewhere({ draft, messages }: ChannelState, thread: string | undefined) {
  return thread === undefined ? draft : messages.find(({ id }) => id === thread)?.draft
}

/**
 * The code that stores drafts on the server is loaded when a draft is first changed, here or elsewhere; if it fails to
 * load, the next change tries again.
 */
async function synced(composer: Composer) {
  const drafts = await import('@parley/client/drafts').catch(() => undefined)
  return composer.context.drafts ?? (drafts && new drafts.DraftSync(composer))
}

function takeOver(composer: Composer) {
  const isWriting = !composer.isEmpty && document.hasFocus() && document.activeElement instanceof HTMLTextAreaElement
  if (!isWriting) composer.restoreDraft()
}
