import type { LocalMessage } from '@parley/client'
import type { Translate } from '../i18n/translate.ts'
import { nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'

export interface LastLineSources {
  message: LocalMessage | undefined
  /** the reader's draft */
  draft: string
  me: string | undefined
  /** in a direct conversation the author is clear without a name */
  named: boolean
  /** its author is muted, and the conversation hides their messages as well */
  muted: boolean
}

export interface LastLine {
  kind: 'draft' | 'message' | 'nothing'
  text: string
}

/** The second line of a row: the draft until it is sent, else the newest message. */
export function lastLine(t: Translate, { message, draft, me, named, muted }: LastLineSources): LastLine {
  if (draft) return { kind: 'draft', text: t('channels.draft', { text: draft }) }
  if (!message) return { kind: 'nothing', text: t('channels.nothing') }
  const text = messageSummary(t, message)
  if (message.type === 'system' || message.type === 'deleted') return { kind: 'message', text }
  if (muted) return { kind: 'message', text: t('messages.muted') }
  if (message.user.id === me) return { kind: 'message', text: t('channels.you', { text }) }
  return { kind: 'message', text: named ? t('channels.said', { author: nameOf(t, message), text }) : text }
}
