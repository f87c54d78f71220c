/** Until when somebody has put off what tells them of messages: sounds, notices of the browser, and what is pushed. */
import type { ChatClient, OwnUser } from '@parley/client'
import { remembered } from './device-memory.ts'

/** What this device has told the server last, and what that took the place of; times in ms, 0 for none. */
export interface Told {
  until: number
  over: number[]
}

export const CHANGED = 'parley-quiet'
export const placeOf = (userId: string | undefined) => `parley.quiet.${userId ?? ''}`

/**
 * In ms; 0 where nothing was put off, and in the past where it has ended. The server tells it to whoever connects, and
 * of a change tells nobody: what this device has changed since counts for all its pages.
 */
export function quietUntil({ user, userID }: Pick<ChatClient, 'user' | 'userID'>): number {
  const known = Date.parse((user as OwnUser | undefined)?.push_preferences?.disabled_until ?? '') || 0
  const told = toldHere(userID)
  return told.over.includes(known) ? told.until : known
}

/** Tells of every change, in whatever page of this browser. */
export function onQuiet(client: ChatClient, heard: () => void): () => void {
  const end = client.connection.subscribe(heard)
  const names = [CHANGED, 'storage']
  for (const name of names) addEventListener(name, heard)
  return () => {
    end()
    for (const name of names) removeEventListener(name, heard)
  }
}

export function toldHere(userId: string | undefined): Told {
  try {
    const { until, over } = JSON.parse(remembered(placeOf(userId)) ?? '')
    return { until: Number(until) || 0, over: Array.isArray(over) ? over : [] }
  } catch {
    return { until: 0, over: [] }
  }
}
