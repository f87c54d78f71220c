import { useCallback, useEffect, useRef, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import type { TextKey } from '../i18n/translate.ts'
import type { Opening, ScrollEngine } from './scroll-engine.ts'

/** Shows another part of a history: the messages around a message, or the `latest`. */
type Showing = (target: string, call: { signal: AbortSignal }) => Promise<unknown>

/**
 * Jumps to places in the history, loading them if needed. On failure it shows a notice and leaves the list as it is.
 * A later jump aborts an earlier one, whose response might come last.
 *
 * @param show  must be the same function from render to render
 */
export function useTravel(engine: ScrollEngine, show: Showing) {
  const { notices } = useChat()
  const way = useRef<AbortController>(undefined)
  const [travelling, setTravelling] = useState(false)
  useEffect(() => () => way.current?.abort(), [])

  /**
   * @param focus  the key of the row to focus there
   * @param failed  the notice on failure; by default that the message is not available
   * @returns whether the reader is there
   */
  const travel = useCallback(
    async (target: string, where: Opening, focus?: string, failed?: TextKey) => {
      way.current?.abort()
      way.current = new AbortController()
      const { signal } = way.current
      const isHere = engine.goTo(where, focus)
      setTravelling(!isHere)
      try {
        if (!isHere) await show(target, { signal })
        return !signal.aborted
      } catch (error) {
        if (signal.aborted) return false
        engine.stay()
        if (failed) notices.failed(failed, error)
        else notices.show('info', 'message.unavailable')
        return false
      } finally {
        if (!signal.aborted) setTravelling(false)
      }
    },
    [engine, show, notices],
  )
  return { travel, travelling }
}
