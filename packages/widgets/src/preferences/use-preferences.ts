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

export const PreferencesContext = createContext<Preferences | undefined>(undefined)
/** Apart from the preferences: a new theme concerns nobody but the dialog that shows it. */
export const KeptContext = createContext<Kept>({ theme: 'system', language: undefined })

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
export function usePreferences(): [values: PreferenceValues, preferences: Preferences] {
  const preferences = useContext(PreferencesContext)
  if (!preferences) throw new Error('A chat component stands outside of <Chat>; put <Chat client={…}> around it.')
  const values = useSyncExternalStore(preferences.subscribe, preferences.snapshot, preferences.snapshot)
  return [values, preferences]
}

/** Some browsers refuse even to be asked. */
function memory(): Storage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage
  } catch {
    return undefined
  }
}
