import type { ChatClient } from '@parley/client'
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Theme } from '../theme/theme.ts'
import { deviceMemory } from './device-memory.ts'
import { Preferences, type PreferenceValues } from './preferences.ts'

/** Preferences that the host app stores itself; `Preferences` stores the others. */
export interface HostPreferences {
  theme: Theme
  /** two letters, or undefined if none was selected */
  language: string | undefined
  onTheme?: (theme: Theme) => void
  onLanguage?: (language: string | undefined) => void
}

export const PreferencesContext = createContext<Preferences | undefined>(undefined)
/** Separate from the preferences: a new theme re-renders only the dialog that shows it. */
export const HostPreferencesContext = createContext<HostPreferences>({ theme: 'system', language: undefined })

/** The preferences of the connected user; tabs of one browser follow each other. */
export function useOwnPreferences(client: ChatClient): Preferences {
  const id = () => client.userID
  const userId = useSyncExternalStore(client.connection.subscribe, id, id)
  const preferences = useMemo(() => new Preferences(userId, deviceMemory()), [userId])
  useEffect(() => {
    const follow = (event: StorageEvent) => preferences.heard(event.key)
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [preferences])
  return preferences
}

/** The reader's preferences, and the functions that set them. */
export function usePreferences(): [values: PreferenceValues, preferences: Preferences] {
  const preferences = useContext(PreferencesContext)
  if (!preferences) throw new Error('A chat component stands outside of <Chat>; put <Chat client={…}> around it.')
  const values = useSyncExternalStore(preferences.subscribe, preferences.snapshot, preferences.snapshot)
  return [values, preferences]
}
