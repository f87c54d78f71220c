import type { PreferenceValues } from '../preferences/preferences.ts'
import { usePreferences } from '../preferences/use-preferences.ts'

/**
 * What is fetched of pictures, as the user has set it [interface.md 7.28]: all of each, as much as the screen shows, its small one,
 * or nothing before they ask.
 */
export type Fetched = PreferenceValues['pictures'] | 'small'

export function useFetched(): Fetched {
  const [{ pictures }] = usePreferences()
  // Not every browser says whether its device saves data.
  return pictures === 'auto' && (navigator as DataSaver).connection?.saveData ? 'small' : pictures
}

interface DataSaver {
  connection?: { saveData?: boolean }
}

/** Addresses of pictures that the user asked for or uploaded since the page began: they stay. */
export const wanted = new Set<string>()
