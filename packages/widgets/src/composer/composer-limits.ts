import type { ChannelState } from '@parley/client'
import { partnerOf } from '../chat/channel-facts.ts'
import type { TextKey } from '../i18n/translate.ts'
import { COUNTER_FROM, MESSAGE_LENGTH } from '../limits.ts'

/** Why sending is forbidden here; undefined if it is allowed [PERM-5]. */
export function forbiddenBecause(state: ChannelState, me: string | undefined, inThread = false): TextKey | undefined {
  const { data, membership } = state
  if (data.blocked) return 'composer.blocked'
  if (partnerOf(state, me)?.deleted_at) return 'composer.alone'
  if (data.own_capabilities?.includes(inThread ? 'send-reply' : 'send-message')) return undefined
  if (membership?.banned) return 'composer.banned'
  return data.frozen ? 'composer.frozen' : 'composer.forbidden'
}

export interface Length {
  /** characters until the limit, below 0 beyond it */
  left: number
  /** close enough to the limit to show the count */
  counted: boolean
}

/** The maximum length of a text with so many user-perceived characters. */
export function lengthOf(count: number, { data }: ChannelState): Length {
  const limit = data.config?.max_message_length || MESSAGE_LENGTH
  return { left: limit - count, counted: count >= limit * COUNTER_FROM }
}
