import type { Channel } from '@parley/client'
import { mayUpload } from '../attachments/use-attach.ts'
import { VoiceButton, type VoiceButtonProps } from '../attachments/VoiceButton.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useOffline } from '../connection/use-connection.ts'
import { useTranslate } from '../i18n/translate.ts'
import { CheckIcon, ClockIcon, SendIcon } from '../theme/icons.tsx'
import type { Writing } from './use-writing.ts'

export interface SendButtonProps {
  channel: Channel
  writing: Writing
  onRecord: VoiceButtonProps['onRecord']
}

/**
 * At the end of the line: the slow mode countdown, the voice recorder while the box is empty, else the send or save
 * button. Without a connection its label says that the message will wait for one.
 */
export function SendButton({ channel, writing, onRecord }: SendButtonProps) {
  const t = useTranslate()
  const state = useChannelState(channel)
  const offline = useOffline()
  const { text, editing, uploads, wait, blocked, deletes } = writing
  if (wait > 0) return <SlowMode seconds={wait} of={state.data.cooldown ?? wait} />
  if (text === '' && !editing && uploads.length === 0 && mayUpload(state)) return <VoiceButton onRecord={onRecord} />
  const name = t(editing ? 'composer.save' : 'composer.send')
  return (
    <button
      type="submit"
      className="chat-send"
      aria-disabled={(blocked && !deletes) || undefined}
      aria-label={name}
      title={offline ? t('composer.later') : name}
    >
      {editing ? <CheckIcon /> : offline ? <ClockIcon /> : <SendIcon />}
    </button>
  )
}

/** Shown in place of Send; the ring empties. */
function SlowMode({ seconds, of }: { seconds: number; of: number }) {
  const t = useTranslate()
  return (
    <span
      className="chat-slow"
      role="timer"
      title={t('composer.slow', { seconds })}
      aria-label={t('composer.slow', { seconds })}
      style={{ '--chat-slow-left': of > 0 ? seconds / of : 0 } as React.CSSProperties}
    >
      {seconds}
    </span>
  )
}
