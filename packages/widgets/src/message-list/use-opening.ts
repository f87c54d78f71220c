import type { Channel } from '@parley/client'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { MESSAGES_PAGE } from '../limits.ts'
import { firstNewSince } from './first-since.ts'
import { currentSet } from './loaded-sets.ts'
import { firstNew, lineAtOpening, type NewMessagesLine } from './new-messages-line.ts'
import { whereLeft } from './places.ts'
import type { Opening } from './scroll-engine.ts'

/** A message list that is being opened, and its first position. */
export type ListOpening =
  | { at: 'loading' }
  | { at: 'ready'; opening: Opening }
  | { at: 'failed'; error: unknown; retry: () => void }

/**
 * Finds the position at which a channel opens [interface.md 6.4]: its first unread message, where the reader left it,
 * or its end. Messages needed for that are loaded first; if all are loaded, the channel is ready at once.
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

/** The first position if its messages are loaded; undefined while some are missing. */
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
  const read = me === undefined ? undefined : channel.snapshot().read[me]
  const target = read?.last_read_message_id ?? (await firstUnread(channel, lineAtOpening(read), me))
  // If the older position cannot be loaded, the newest messages are shown.
  if (target) await channel.jumpTo(target).catch(() => {})
  return atLine(channel, me)
}

/** In a channel that was never read, only the time of the line is known. */
async function firstUnread(channel: Channel, line: NewMessagesLine | undefined, me: string | undefined) {
  if (line) return firstNewSince(channel, line, me).catch(() => undefined)
}

function atLine(channel: Channel, me: string | undefined): Opening {
  const set = currentSet(channel.snapshot())
  const line = lineAtOpening(me === undefined ? undefined : channel.snapshot().read[me])
  const first = line && set && firstNew(line, set, me)
  return first ? { at: 'shown', key: first.id, place: 'fifth' } : { at: 'end' }
}
