import type { PreferenceValues } from '../preferences/preferences.ts'
import { usePreferences } from '../preferences/use-preferences.ts'

/**
 * Which version of a picture is loaded, by the user's preference [interface.md 7.28]: the original, one of the
 * displayed size, the thumbnail, or nothing before a press.
 */
export type Fetched = PreferenceValues['pictures'] | 'small'

export function useFetched(): Fetched {
  const [{ pictures }] = usePreferences()
  // Not every browser reports whether the device saves data, and Node 20 has no navigator.
  return pictures === 'auto' && (globalThis.navigator as DataSaver | undefined)?.connection?.saveData
    ? 'small'
    : pictures
}

interface DataSaver {
  connection?: { saveData?: boolean }
}

/** URLs of pictures the user loaded or uploaded since the page was opened: they stay visible. */
export const wanted = new Set<string>()
