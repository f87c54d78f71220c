import { lasting } from '../i18n/format.ts'

/** How long somebody waits in slow mode: "30 seconds", "2 minutes". */
export function waitOf(language: string, seconds: number): string {
  return seconds % 60 === 0 ? lasting(language, seconds / 60, 'minute') : lasting(language, seconds, 'second')
}
