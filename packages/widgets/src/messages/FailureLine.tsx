import type { LocalMessage } from '@parley/client'
import { useEffect, useRef } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useTranslate } from '../i18n/translate.ts'
import { ClockIcon, WarningIcon } from '../theme/icons.tsx'
import { failureOf } from './message-failure.ts'

export interface FailureLineProps {
  message: LocalMessage
  /** for a connection, see `useWaits` */
  waits: boolean
  entered: boolean
  onRetry: () => void
  /** moves the text back to the composer, for an edit as an edit */
  onResend: () => void
  onDelete: () => void
}

/**
 * Why a message was not sent; the whole line is the retry button. A message stopped by moderation can only be edited
 * and sent again, or dropped, and one that waits for a connection needs no action [interface.md 7.12].
 */
export function FailureLine({ message, waits, entered, onRetry, onResend, onDelete }: FailureLineProps) {
  const t = useTranslate()
  const announce = useAnnounce()
  const failure = failureOf(message)
  const text = failure && t(waits ? 'message.queued' : failure.text)

  // Announced when the message fails now, not when an old failure is loaded with the history.
  const before = useRef(message.status)
  useEffect(() => {
    if (text && before.current === 'sending') announce('failed', { text })
    before.current = message.status
  }, [text, message.status, announce])

  if (!failure) return null
  if (waits)
    return (
      <div className="chat-meta" data-shown>
        <ClockIcon />
        <span>{text}</span>
      </div>
    )
  const words = (
    <>
      <WarningIcon />
      <span>{text}</span>
    </>
  )
  const tabIndex = entered ? 0 : -1
  if (failure.text === 'message.moderated')
    return (
      <div className="chat-failure">
        {words}
        <button type="button" className="chat-button" data-kind="quiet" tabIndex={tabIndex} onClick={onResend}>
          {t('actions.edit')}
        </button>
        <button type="button" className="chat-button" data-kind="quiet" tabIndex={tabIndex} onClick={onDelete}>
          {t('actions.delete')}
        </button>
      </div>
    )
  if (!failure.retry) return <p className="chat-failure">{words}</p>
  return (
    <button type="button" className="chat-failure" tabIndex={tabIndex} onClick={onRetry}>
      {words}
    </button>
  )
}
