import type { Channel } from '@parley/client'
import { useEffect, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { isoDay } from './day-name.ts'
import { firstSince } from './first-since.ts'

export interface JumpToDateProps {
  channel: Channel
  /** the day shown first */
  day: Date
  onClose: () => void
  /** the first message of the day, or of the next day that has any; undefined if there is none since */
  onFound: (messageId: string | undefined) => void
}

/** Asks for a day and finds its first message. If the lookup fails, the list does not move [interface.md 7.4]. */
export default function JumpToDate({ channel, day, onClose, onFound }: JumpToDateProps) {
  const t = useTranslate()
  const { clock, notices } = useChat()
  const [text, setText] = useState(isoDay(day))
  const [searching, setSearching] = useState<AbortController>()
  // After the dialog is closed, a late answer is ignored.
  useEffect(() => () => searching?.abort(), [searching])
  const { created_at } = channel.snapshot().data
  const go = async () => {
    const giveUp = new AbortController()
    setSearching(giveUp)
    try {
      // The day begins at midnight in the viewer's time zone.
      const found = await firstSince(channel, new Date(`${text}T00:00`), undefined, giveUp.signal)
      if (!giveUp.signal.aborted) onFound(found)
    } catch (error) {
      if (giveUp.signal.aborted) return
      notices.failed('messages.date.failed', error)
      onClose()
    }
  }
  return (
    <QuestionDialog
      title={t('messages.date')}
      confirm={t('messages.date.go')}
      unready={searching !== undefined || text === ''}
      onClose={onClose}
      onConfirm={() => void go()}
    >
      <label className="chat-field">
        <span>{t('messages.date.field')}</span>
        <input
          // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to enter a day.
          autoFocus
          type="date"
          className="chat-input"
          value={text}
          min={created_at ? isoDay(new Date(created_at)) : undefined}
          max={isoDay(new Date(clock.now()))}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
    </QuestionDialog>
  )
}
