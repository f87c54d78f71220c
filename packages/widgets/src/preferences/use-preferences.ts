import type { ChatClient } from '@parley/client'
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Theme } from '../theme/theme.ts'
import { Preferences, type PreferenceValues } from './preferences.ts'

/** What the product keeps itself; what it does not keep, the preferences do. */
export interface Kept {
  theme: Theme
  /** two letters, or undefined while none was chosen */
  language: string | undefined
  onTheme?: (theme: Theme) => void
  onLanguage?: (language: string | undefined) => void
}

export const PreferencesContext = createContext<{ preferences: Preferences; kept: Kept } | undefined>(undefined)

/** The preferences of whoever is connected; tabs of one browser follow each other. */
export function useOwnPreferences(client: ChatClient): Preferences {
  const id = () => client.userID
  const userId = useSyncExternalStore(client.connection.subscribe, id, id)
  const preferences = useMemo(() => new Preferences(userId, memory()), [userId])
  useEffect(() => {
    const follow = (event: StorageEvent) => preferences.heard(event.key)
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [preferences])
  return preferences
}

/** What somebody has set for themselves, and how to set it. */
export function usePreferences(): [values: PreferenceValues, preferences: Preferences, kept: Kept] {
  const found = useContext(PreferencesContext)
  if (!found) throw new Error('A chat component stands outside of <Chat>; put <Chat client={…}> around it.')
  const { preferences, kept } = found
  const values = useSyncExternalStore(preferences.subscribe, preferences.snapshot, preferences.snapshot)
  return [values, preferences, kept]
}

/** Some browsers refuse even to be asked. */
function memory(): Storage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage
  } catch {
    return undefined
  }
}
