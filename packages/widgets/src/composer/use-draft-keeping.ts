import type { Channel } from '@parley/client'
import { useEffect } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { DRAFT_REST_MS } from '../limits.ts'
import { useComposerHere } from '../threads/thread-scope.ts'

/** Keeps what is written: a moment after the last key, and whenever the page or the channel is left. */
export function useDraftKeeping(channel: Channel) {
  const { clock } = useChat()
  const composer = useComposerHere(channel)
  useEffect(() => {
    composer.restoreDraft()
    let callOff = () => {}
    const save = () => {
      callOff()
      composer.saveDraft()
    }
    const end = composer.subscribe(() => {
      callOff()
      callOff = clock.after(DRAFT_REST_MS, save)
    })
    document.addEventListener('visibilitychange', save)
    window.addEventListener('pagehide', save)
    return () => {
      end()
      save()
      document.removeEventListener('visibilitychange', save)
      window.removeEventListener('pagehide', save)
    }
  }, [composer, clock])
}
