import { type PointerEvent, useEffect, useRef } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useTranslate } from '../i18n/translate.ts'
import { HOLD_MS } from '../limits.ts'
import { MicrophoneIcon } from '../theme/icons.tsx'
import type { Hold } from './hold.ts'
import { useFormShortcut } from './use-form-shortcut.ts'

export interface VoiceButtonProps {
  /** records until stopped, or while the finger holds */
  onRecord: (hold?: Hold) => void
}

/**
 * Shown in place of Send while the composer is empty. A press records until stopped, and so does its shortcut in the
 * composer; a finger can also hold it while the user speaks.
 */
export function VoiceButton({ onRecord }: VoiceButtonProps) {
  const t = useTranslate()
  const { clock } = useChat()
  const button = useRef<HTMLButtonElement>(null)
  const waiting = useRef<() => void>(undefined)
  const press = () => onRecord()
  useFormShortcut(button, 'voice', press)
  const letGo = () => waiting.current?.()
  useEffect(() => () => waiting.current?.(), [])
  const touch = ({ pointerType, pointerId, clientX, clientY, currentTarget }: PointerEvent<HTMLElement>) => {
    if (pointerType !== 'touch') return
    letGo()
    const rightToLeft = getComputedStyle(currentTarget).direction === 'rtl'
    const coming = import('./hold.ts').catch(() => undefined)
    let isDown = true
    const cancel = clock.after(HOLD_MS, async () => {
      const hold = await coming
      // Lifted before that, it was a press.
      if (hold && isDown) onRecord(new hold.Hold({ pointerId, clientX, clientY }, rightToLeft))
    })
    waiting.current = () => {
      isDown = false
      cancel()
    }
  }
  return (
    <button
      ref={button}
      type="button"
      className="chat-send"
      data-kind="voice"
      aria-label={t('voice.record')}
      title={t('voice.record')}
      onPointerDown={touch}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      // A holding finger must not open the context menu.
      onContextMenu={(event) => event.preventDefault()}
      onClick={press}
    >
      <MicrophoneIcon />
    </button>
  )
}
