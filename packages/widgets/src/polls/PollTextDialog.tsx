import { useId, useState } from 'react'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { POLL_INPUT_CHARS } from '../limits.ts'
import { useNotices } from '../notices/use-notices.ts'
import { sameOption } from './same-option.ts'
import './poll-form.css'

export interface PollTextDialogProps {
  heading: TextKey
  /** the initial text */
  begin: string
  /** texts that are refused, because an option has them [POL-8] */
  taken: readonly string[]
  onSend: (text: string) => Promise<unknown>
  onClose: () => void
}

/** One line of text: a comment, or a suggested option. A text that cannot be sent stays in the field. */
export default function PollTextDialog({ heading, begin, taken, onSend, onClose }: PollTextDialogProps) {
  const t = useTranslate()
  const notices = useNotices()
  const [text, setText] = useState(begin)
  const [sending, setSending] = useState(false)
  const ids = { field: useId(), problem: useId() }
  const exists = taken.some((other) => sameOption(other, text))
  const send = async () => {
    setSending(true)
    try {
      await onSend(text.trim())
      onClose()
    } catch (error) {
      notices.failed('poll.failed', error)
      setSending(false)
    }
  }
  return (
    <QuestionDialog
      title={t(heading)}
      confirm={t('poll.send')}
      unready={sending || exists || text.trim() === ''}
      onClose={onClose}
      onConfirm={() => void send()}
    >
      <div className="chat-poll-form">
        <input
          id={ids.field}
          className="chat-input"
          dir="auto"
          placeholder=" "
          // biome-ignore lint/a11y/noAutofocus: the user opened the dialog to type.
          autoFocus
          aria-label={t(heading)}
          aria-invalid={exists || undefined}
          aria-errormessage={exists ? ids.problem : undefined}
          aria-describedby={ids.problem}
          maxLength={POLL_INPUT_CHARS}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p id={ids.problem} className="chat-poll-problem">
          {exists && t('poll.optionExists')}
        </p>
      </div>
    </QuestionDialog>
  )
}
