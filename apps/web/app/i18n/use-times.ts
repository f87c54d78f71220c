import { localeWith } from '@parley/widgets/locale-with'
import { useSyncExternalStore } from 'react'
import { useLocale } from './translate.tsx'

const never = () => () => {}

/**
 * Writes times in the language of the page, as the reader's device has them. What comes from the server, which knows
 * nothing of the device, is in UTC for the moment until the page is alive.
 */
export function useTimes(): (time: string, options: Intl.DateTimeFormatOptions) => string {
  const language = useLocale()
  const isAlive = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (time, options) => {
    const format = isAlive
      ? new Intl.DateTimeFormat(localeWith(language), options)
      : new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
    return format.format(new Date(time))
  }
}
