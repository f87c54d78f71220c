import { PLAYED_KEPT } from '../limits.ts'
import { remember, remembered } from '../preferences/device-memory.ts'

/** Storage key of the voice messages played on this device. */
const PLAYED_KEY = 'chat-audio-heard'

let playing: HTMLMediaElement | undefined

/** The element that is playing now; starting another one anywhere on the page stops it. */
export function playsAlone(element: HTMLMediaElement) {
  if (playing !== element) playing?.pause()
  playing = element
}

export function wasPlayed(url: string): boolean {
  return heard().includes(url)
}

export function notePlayed(url: string) {
  if (!wasPlayed(url)) remember(PLAYED_KEY, JSON.stringify([...heard(), url].slice(-PLAYED_KEPT)))
}

function heard(): unknown[] {
  try {
    const kept: unknown = JSON.parse(remembered(PLAYED_KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}
