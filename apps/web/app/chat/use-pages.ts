import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ProductChannel } from './chat-service.server.ts'

/** What a page that is connected tells those of the same person that are not [interface.md 8.3]. */
export interface PageUpdate {
  unreadCount: number
  unreadChannels: number
  /** Undefined while they are fetched. */
  channels: ProductChannel[] | undefined
  /** Until when notifications are paused, in ms. */
  quietUntil: number
}

/** A page that has asked and is told nothing this long looks for itself. */
const ANSWERED_WITHIN_MS = 3_000

/**
 * Between all pages that one person has in this browser.
 *
 * @param tells  what this page knows, where it is the one that tells
 * @param onTold  where this page has to be told; with nothing when nobody does
 * @returns whether no other page was looked at since this one was
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
    const opened = new BroadcastChannel(`parley.chat.${personId}`)
    pages.current = opened
    opened.onmessage = ({ data }: MessageEvent<PageUpdate | DocumentVisibilityState>) => {
      if (typeof data !== 'string') return hear(data)
      if (data === 'visible') setLastSeen(false)
      tell()
    }
    appear()
    // To a page that slept something may have been said in vain.
    document.addEventListener('visibilitychange', appear)
    return () => {
      document.removeEventListener('visibilitychange', appear)
      clearTimeout(silence.current)
      opened.close()
    }
  }, [personId])

  const { unreadCount, unreadChannels, channels, quietUntil } = tells ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is news.
  useEffect(() => tell(), [unreadCount, unreadChannels, channels, quietUntil])
  return isLastSeen
}
