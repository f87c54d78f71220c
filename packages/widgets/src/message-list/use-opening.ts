import type { Channel } from '@parley/client'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { MESSAGES_PAGE } from '../limits.ts'
import { currentSet } from './loaded-sets.ts'
import { firstNew, lineAtOpening } from './new-messages-line.ts'
import { whereLeft } from './places.ts'
import type { Opening } from './scroll-engine.ts'

/** A message list on its way to the screen, and where it is to open. */
export type ListOpening =
  | { at: 'loading' }
  | { at: 'ready'; opening: Opening }
  | { at: 'failed'; error: unknown; retry: () => void }

/**
 * Finds the place where a channel opens [interface.md 6.4]: at its first unread message,
 * where the reader left it, or at its end. What is not loaded for that is
 * loaded first; a channel that has everything is ready at once.
 */
export function useOpening(channel: Channel, me: string | undefined): ListOpening {
  const [attempt, setAttempt] = useState(0)
  const [loaded, setLoaded] = useState<{ channel: Channel; result: ListOpening }>()
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  const atOnce = useMemo(() => openingNow(channel, me), [channel, me])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt loads again
  useEffect(() => {
    if (atOnce) return
    let current = true
    const end = (result: ListOpening) => current && setLoaded({ channel, result })
    load(channel, me).then(
      (opening) => end({ at: 'ready', opening }),
      (error) => end({ at: 'failed', error, retry }),
    )
    return () => {
      current = false
      setLoaded(undefined)
    }
  }, [channel, me, atOnce, attempt, retry])

  if (atOnce) return { at: 'ready', opening: atOnce }
  return loaded?.channel === channel ? loaded.result : { at: 'loading' }
}

/** Where the list opens with what is loaded; undefined while something is missing. */
function openingNow(channel: Channel, me: string | undefined): Opening | undefined {
  const { initialized, messages, read } = channel.snapshot()
  if (!initialized) return undefined
  const line = lineAtOpening(me === undefined ? undefined : read[me])
  const left = line ? undefined : whereLeft(channel)
  if (left?.at === 'row' && messages.some(({ id }) => id === left.key)) return left
  const set = currentSet(channel.snapshot())
  if (!set?.latest) return undefined
  if (!line) return { at: 'end' }
  const oldest = messages[0]
  const isFurtherBack = set.hasOlder && oldest !== undefined && oldest.created_at > line.after
  return isFurtherBack ? undefined : atLine(channel, me)
}

async function load(channel: Channel, me: string | undefined): Promise<Opening> {
  if (!channel.snapshot().initialized) await channel.watch({ messages: { limit: MESSAGES_PAGE } })
  if (!currentSet(channel.snapshot())?.latest) await channel.jumpTo('latest')
  const now = openingNow(channel, me)
  if (now) return now
  const lastRead = me === undefined ? undefined : channel.snapshot().read[me]?.last_read_message_id
  // Where the way back is closed the newest messages are better than none.
  if (lastRead) await channel.jumpTo(lastRead).catch(() => {})
  return atLine(channel, me)
}

function atLine(channel: Channel, me: string | undefined): Opening {
  const set = currentSet(channel.snapshot())
  const line = lineAtOpening(me === undefined ? undefined : channel.snapshot().read[me])
  const first = line && set && firstNew(line, set, me)
  return first ? { at: 'shown', key: first.id, place: 'fifth' } : { at: 'end' }
}
