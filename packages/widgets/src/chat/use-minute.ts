import { useSyncExternalStore } from 'react'

/** The start of the current minute; all readers share one timer, and none runs without readers. */
let minute = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** The current time for texts like "5 minutes ago", updated at the start of each minute. */
export function useMinute(): Date {
  return useSyncExternalStore(
    subscribe,
    () => minute,
    () => minute,
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (listeners.size === 1) tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

function tick() {
  minute = new Date()
  for (const listener of listeners) listener()
  timer = setTimeout(tick, 60_000 - (Date.now() % 60_000))
}
