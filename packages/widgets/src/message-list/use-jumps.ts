import type { Channel, LocalMessage } from '@parley/client'
import { useCallback, useEffect, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { BACK_OFFERED_MS } from '../limits.ts'
import { firstNewSince } from './first-since.ts'
import { currentSet } from './loaded-sets.ts'
import { firstNew, type NewMessagesLine } from './new-messages-line.ts'
import type { Opening, ScrollEngine, ScrollPosition } from './scroll-engine.ts'
import { useEndOnSending } from './use-end-on-sending.ts'
import { useHighlight } from './use-highlight.ts'
import { useTravel } from './use-travel.ts'

interface JumpScene {
  channel: Channel
  engine: ScrollEngine
  me: string | undefined
  line: NewMessagesLine | undefined
  /** The message below the line; undefined while it is not loaded. */
  firstNewId: string | undefined
  newest: LocalMessage | undefined
  /** A failure to load at the former position does not matter after a jump. */
  onTravel: () => void
}

/** Navigation through the history other than scrolling, and the way back from a jump. */
export function useJumps({ channel, engine, me, line, firstNewId, newest, onTravel }: JumpScene) {
  const { clock, notices } = useChat()
  const [highlighted, highlight] = useHighlight()
  const [back, setBack] = useState<ScrollPosition>()
  useEffect(() => {
    if (back !== undefined) return clock.after(BACK_OFFERED_MS, () => setBack(undefined))
  }, [back, clock])

  const { travel, travelling } = useTravel(
    engine,
    useCallback(
      (target, call) => {
        onTravel()
        return channel.jumpTo(target, {}, call)
      },
      [channel, onTravel],
    ),
  )
  const jumpTo = useCallback(
    async (id: string) => {
      const from = engine.position()
      if (!(await travel(id, { at: 'shown', key: id, place: 'centre' }, id))) return
      highlight(id)
      setBack(from)
    },
    [engine, travel, highlight],
  )

  const jumpToUnread = async () => {
    if (!line) return
    // The button disappears while it loads.
    engine.focusInView()
    const known = firstNewId ?? line.firstId ?? line.lastReadId
    let id: string | undefined
    try {
      // In a channel that was never read, only the time of the line is known.
      id = known ?? (await firstNewSince(channel, line, me))
    } catch (error) {
      return notices.failed('jump.failed', error)
    }
    // The messages were deleted meanwhile.
    if (id === undefined) return notices.show('error', 'jump.failed')
    if (!(await travel(id, atFifth(id), id, 'jump.failed'))) return
    // The jump went to the last message read; the line is below it.
    const there = currentSet(channel.snapshot())
    const first = there && firstNew(line, there, me)
    if (first && first.id !== id) engine.goTo(atFifth(first.id), first.id)
  }

  /** @param focus  the key of the row to focus there */
  const toLatest = (focus?: string) => {
    setBack(undefined)
    void travel('latest', { at: 'end' }, focus, 'messages.newerFailed')
  }
  useEndOnSending(newest, me, toLatest)
  const jumpToLatest = () => toLatest(newest?.id)

  const returnTo = (position: ScrollPosition) => {
    engine.focusInView()
    if (position.at === 'end') return jumpToLatest()
    setBack(undefined)
    void travel(position.key, position, position.key)
  }
  const goBack = () => back && returnTo(back)

  const canGoBack = back !== undefined
  return { travelling, highlighted, canGoBack, jumpTo, jumpToUnread, jumpToLatest, returnTo, goBack }
}

const atFifth = (key: string): Opening => ({ at: 'shown', key, place: 'fifth' })
