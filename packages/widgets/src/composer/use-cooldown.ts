import type { Channel } from '@parley/client'
import { useEffect, useReducer, useRef } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { cooledAt, secondsLeft } from './cooldown.ts'

/** Seconds until the reader may send again; the start and the end are each announced once. */
export function useCooldown(channel: Channel): number {
  const { client, clock } = useChat()
  const announce = useAnnounce()
  const state = useChannelState(channel)
  const until = cooledAt(state, client.userID)
  const left = secondsLeft(until, clock.now(), state.data.cooldown ?? 0)

  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    if (left > 0) return clock.after(Math.max(1, (until - clock.now()) % 1_000), tick)
  })

  const before = useRef(0)
  useEffect(() => {
    if (before.current === 0 && left > 0) announce('slowModeBegins', { seconds: left })
    if (before.current > 0 && left === 0) announce('slowModeEnds')
    before.current = left
  }, [left, announce])
  return left
}
