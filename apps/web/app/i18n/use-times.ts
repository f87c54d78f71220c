import { localeWith } from '@parley/widgets/locale-with'
import { useSyncExternalStore } from 'react'
import { useLocale } from './translate.tsx'

const never = () => () => {}

/**
 * Formats times in the page's language and the device's time zone. The server does not know the time zone, so its HTML
 * shows UTC until hydration.
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
