import { SEARCHES_KEPT } from '../limits.ts'
import { remember, remembered } from '../preferences/device-memory.ts'

/** The user's recent searches, newest first; stored on the device only. */
export function recentSearches(userId: string | undefined): readonly string[] {
  try {
    const kept: unknown = JSON.parse(remembered(placeOf(userId)) ?? '[]')
    return Array.isArray(kept) ? kept.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

/** Stores a search that had a result the user opened. */
export function rememberSearch(userId: string | undefined, text: string) {
  keep(userId, [text, ...recentSearches(userId).filter((other) => other !== text)].slice(0, SEARCHES_KEPT))
}

export function forgetSearches(userId: string | undefined) {
  keep(userId, [])
}

function keep(userId: string | undefined, texts: readonly string[]) {
  remember(placeOf(userId), JSON.stringify(texts))
}

function placeOf(userId: string | undefined): string {
  return `parley.searches.${userId ?? ''}`
}
