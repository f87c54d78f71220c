import type { LocalMessage } from '@parley/client'
import { useEffect, useRef } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useTranslate } from '../i18n/translate.ts'
import { ClockIcon, WarningIcon } from '../theme/icons.tsx'
import { failureOf } from './message-failure.ts'

export interface FailureLineProps {
  message: LocalMessage
  /** for a connection, as `useWaits` says */
  waits: boolean
  entered: boolean
  onRetry: () => void
  /** its words go back to where one writes */
  onResend: () => void
  onDelete: () => void
}

/**
 * Why a message did not get through; the whole line is the button that tries again. What was stopped by moderation can
 * only be written anew, or dropped, and what waits for a connection needs nobody [interface.md 7.12].
 */
export function FailureLine({ message, waits, entered, onRetry, onResend, onDelete }: FailureLineProps) {
  const t = useTranslate()
  const announce = useAnnounce()
  const failure = failureOf(message)
  const text = failure && t(waits ? 'message.queued' : failure.text)

  // Spoken when the message fails while one looks on, not when history brings an old failure back.
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
        {text}
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
