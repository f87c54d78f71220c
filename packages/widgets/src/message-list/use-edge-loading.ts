import type { Channel, LocalMessage } from '@parley/client'
import { useCallback, useEffect, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { MESSAGES_PAGE } from '../limits.ts'
import type { ScrollEngine } from './scroll-engine.ts'
import type { Direction } from './scroll-state.ts'
import { unloadFarMessages } from './unload-far-messages.ts'

/** The end of the list whose next page is loading, or failed to load. */
export interface Edge {
  direction: Direction
  at: 'loading' | 'failed'
}

/** Loads pages beyond the ends of the list, and unloads messages the reader has left far behind. */
export function useEdgeLoading(channel: Channel, engine: ScrollEngine, newest: LocalMessage | undefined) {
  const { notices } = useChat()
  const announce = useAnnounce()
  const [edge, setEdge] = useState<Edge>()
  const begins = (direction: Direction) => setEdge({ direction, at: 'loading' })
  const fails = (direction: Direction) => setEdge({ direction, at: 'failed' })
  /** A load that began at the other end meanwhile is still running. */
  const ends = (direction: Direction) => setEdge((now) => (now?.direction === direction ? undefined : now))

  const load = async (direction: Direction) => {
    begins(direction)
    try {
      await unloadFarMessages(channel, engine)
      const before = channel.snapshot().messages.length
      await (direction === 'older' ? channel.loadOlder() : channel.loadNewer())
      const count = channel.snapshot().messages.length - before
      if (direction === 'older' && count > 0) announce('older', { count })
      ends(direction)
      return true
    } catch {
      fails(direction)
      return false
    }
  }
  const fill = async () => {
    begins('newer')
    await channel
      .watch({ messages: { limit: MESSAGES_PAGE } })
      .catch((error) => notices.failed('messages.newerFailed', error))
    ends('newer')
  }
  const forgive = useCallback(() => setEdge(undefined), [])

  // What arrives makes a list longer, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    unloadFarMessages(channel, engine).catch(() => {})
  }, [channel, engine, newest])
  return { edge, load, fill, forgive }
}
