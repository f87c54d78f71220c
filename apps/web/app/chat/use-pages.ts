import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { channelBetweenPages } from '../ui/browser-memory.ts'
import type { ProductChannel } from './chat-service.server.ts'

/** The state that the connected page posts to the user's other pages [interface.md 8.3]. */
export interface PageUpdate {
  unreadCount: number
  unreadChannels: number
  /** Undefined while they load. */
  channels: ProductChannel[] | undefined
  /** Until when notifications are paused, in ms. */
  quietUntil: number
}

/** A page that gets no answer this long connects itself. */
const ANSWERED_WITHIN_MS = 3_000

/**
 * Shares state between all pages that a user has open in this browser.
 *
 * @param tells  this page's state, if it is the connected page
 * @param onAnswer  gets the connected page's state; called without one when no page answers
 * @returns whether this page is the one that the user looked at last
 */
export function usePages(
  personId: string | undefined,
  tells: PageUpdate | undefined,
  onAnswer: ((told?: PageUpdate) => void) | undefined,
): boolean {
  const [isLastSeen, setLastSeen] = useState(false)
  const pages = useRef<BroadcastChannel>(undefined)
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useEffectEvent(() => {
    if (tells) pages.current?.postMessage(tells)
  })
  const hear = useEffectEvent((told?: PageUpdate) => {
    clearTimeout(silence.current)
    onAnswer?.(told)
  })
  const appear = useEffectEvent(() => {
    pages.current?.postMessage(document.visibilityState)
    if (document.visibilityState === 'visible') setLastSeen(true)
    clearTimeout(silence.current)
    if (onAnswer) silence.current = setTimeout(hear, ANSWERED_WITHIN_MS)
  })

  useEffect(() => {
    if (!personId) return
    const opened = channelBetweenPages(`parley.chat.${personId}`)
    pages.current = opened
    const answer = ({ data }: MessageEvent<PageUpdate | DocumentVisibilityState>) => {
      if (typeof data !== 'string') return hear(data)
      if (data === 'visible') setLastSeen(false)
      tell()
    }
    opened?.addEventListener('message', answer)
    appear()
    // A suspended page may have missed messages.
    document.addEventListener('visibilitychange', appear)
    return () => {
      document.removeEventListener('visibilitychange', appear)
      clearTimeout(silence.current)
      opened?.close()
    }
  }, [personId])

  const { unreadCount, unreadChannels, channels, quietUntil } = tells ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of any of them is posted.
  useEffect(() => tell(), [unreadCount, unreadChannels, channels, quietUntil])
  return isLastSeen
}
