import type { Attachment } from '@parley/client'
import { outcomeOf } from '../commands/outcome.ts'
import { isGif } from '../giphy/gif.ts'
import { clockTime } from '../i18n/format.ts'
import type { TextKey, Translate } from '../i18n/translate.ts'
import { plainText } from './marks.ts'

/** The fields of a message that a summary needs, live or quoted. */
export interface Summarized {
  text: string
  type: string
  attachments: readonly Attachment[]
  command?: string
  deleted_at?: unknown
  poll?: { name: string }
  /** of a draft, which has only the id of its poll */
  poll_id?: string
}

const kinds: Record<string, TextKey> = {
  image: 'message.photo',
  video: 'message.video',
  file: 'message.file',
  audio: 'message.audio',
  voiceRecording: 'message.voice',
}

/**
 * A message in one plain line: its text, else its kind of content.
 *
 * @param lasting  formats the seconds of a voice message; "0:12" unless the summary is for a screen reader
 */
export function messageSummary(t: Translate, message: Summarized, lasting = clockTime): string {
  if (message.type === 'deleted' || message.deleted_at) return t('message.deleted')
  if (isGif(message)) return t('message.gif', { title: message.attachments[0]?.title ?? '' })
  const text = outcomeOf(t, message)?.text ?? plainText(message.text)
  if (text) return text
  if (message.poll) return t('message.poll', { question: message.poll.name })
  if (message.poll_id) return t('message.somePoll')
  const first = message.attachments[0]
  const seconds = Number(first?.duration)
  if (first?.type === 'voiceRecording' && seconds > 0) return t('message.voiceLasting', { time: lasting(seconds) })
  return first ? t(kinds[first.type ?? ''] ?? 'message.attachment') : ''
}
