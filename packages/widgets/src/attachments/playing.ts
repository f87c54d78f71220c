import { HEARD_KEPT } from '../limits.ts'
import { remember, remembered } from '../preferences/device-memory.ts'

/** Where the device remembers which voices were heard. */
const HEARD_KEY = 'chat-audio-heard'

let playing: HTMLMediaElement | undefined

/** What is heard now; whatever played before stops, wherever on the page it is. */
export function playsAlone(element: HTMLMediaElement) {
  if (playing !== element) playing?.pause()
  playing = element
}

export function wasHeard(url: string): boolean {
  return heard().includes(url)
}

export function noteHeard(url: string) {
  if (!wasHeard(url)) remember(HEARD_KEY, JSON.stringify([...heard(), url].slice(-HEARD_KEPT)))
}

function heard(): unknown[] {
  try {
    const kept: unknown = JSON.parse(remembered(HEARD_KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}
