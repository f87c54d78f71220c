import type { Channel } from '@parley/client'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { Reading, type ReadingView } from './reading.ts'

/** The current visits, so that other components can remove the new-messages line. */
const visits = new WeakMap<Channel, Reading>()

/** Removes the new-messages line of an open channel and marks the channel read, as Escape in the composer does. */
export function finishReading(channel: Channel) {
  visits.get(channel)?.finish()
}

/** Whether there is a new-messages line to remove. */
export function showsNewLine(channel: Channel): boolean {
  return visits.get(channel)?.snapshot().line !== undefined
}

/** One visit to a channel, for as long as the component is mounted. */
export function useReading(channel: Channel, me: string | undefined): { reading: Reading; view: ReadingView } {
  const { clock, notices } = useChat()
  const [reading] = useState(
    () => new Reading(channel, me ?? '', clock, (error) => notices.failed('read.failed', error)),
  )
  useEffect(() => {
    visits.set(channel, reading)
    const stop = reading.begin()
    return () => {
      stop()
      visits.delete(channel)
    }
  }, [channel, reading])
  const view = useSyncExternalStore(reading.subscribe, reading.snapshot, reading.snapshot)
  return { reading, view }
}

/** Whether the page is visible and its window has the focus. */
export function useAwake(): boolean {
  return useSyncExternalStore(watchAwake, isAwake, () => false)
}

const isAwake = () => document.visibilityState === 'visible' && document.hasFocus()

function watchAwake(listener: () => void) {
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('visibilitychange', listener, { signal })
  window.addEventListener('focus', listener, { signal })
  window.addEventListener('blur', listener, { signal })
  return () => listening.abort()
}
