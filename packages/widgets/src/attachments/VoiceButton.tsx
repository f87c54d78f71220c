import { useRef } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { MicrophoneIcon } from '../theme/icons.tsx'
import { useFormShortcut } from './use-form-shortcut.ts'

/** Stands where Send is while there is nothing to send. Alt+Shift+V in the composer presses it. */
export function VoiceButton({ onPress }: { onPress: () => void }) {
  const t = useTranslate()
  const button = useRef<HTMLButtonElement>(null)
  useFormShortcut(button, 'v', onPress)
  return (
    <button
      ref={button}
      type="button"
      className="chat-send"
      data-kind="voice"
      aria-label={t('voice.record')}
      title={t('voice.record')}
      onClick={onPress}
    >
      <MicrophoneIcon />
    </button>
  )
}
