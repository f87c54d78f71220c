import type { ChannelState } from '@parley/client'
import { lasting } from '../i18n/format.ts'

/** Seconds of slow mode now; 0 is off. */
export function cooldownOf({ data }: ChannelState): number {
  return data.cooldown ?? 0
}

/** The slow mode interval in words: "30 seconds", "2 minutes". */
export function waitOf(language: string, seconds: number): string {
  return seconds % 60 === 0 ? lasting(language, seconds / 60, 'minute') : lasting(language, seconds, 'second')
}
