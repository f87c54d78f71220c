import type { Attachment, Channel, LocalMessage } from '@parley/client'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import type { TextKey } from '../i18n/translate.ts'
import { useTranslate } from '../i18n/translate.ts'
import { EPHEMERAL_LIFE_MS } from '../limits.ts'
import { useNotices } from '../notices/use-notices.ts'
import { rove } from '../roving.ts'
import { HiddenIcon } from '../theme/more-icons.tsx'

/** A button of a message [messaging.md 5.8]. */
interface MessageAction {
  name: string
  text: string
  value: string
  style?: string
}

/** The kit's translated labels; buttons of the app's own commands have their own. */
const known: Record<string, TextKey> = { send: 'gif.send', shuffle: 'gif.shuffle', cancel: 'gif.cancel' }

export interface EphemeralNoteProps {
  channel: Channel
  message: LocalMessage
  entered: boolean
}

/**
 * Shown under a message that only its sender sees: a note about that, and its buttons. It takes the focus when the
 * message appears, and returns it to the text box after the decision; without one, it expires after a while
 * [interface.md 7.16].
 */
export default function EphemeralNote({ channel, message, entered }: EphemeralNoteProps) {
  const t = useTranslate()
  const notices = useNotices()
  const root = useRef<HTMLDivElement>(null)
  const [waiting, setWaiting] = useState(false)
  const actions = actionsOf(message.attachments)
  useEnd(channel, message)
  useFocus(root, message)

  const choose = async ({ name, value }: MessageAction) => {
    if (waiting) return
    setWaiting(true)
    // After a shuffle the focus stays on its button.
    if (value !== 'shuffle') focusBox(root.current)
    try {
      await channel.sendAction(message.id, { [name]: value })
    } catch (error) {
      notices.failed('gif.failed', error)
    } finally {
      setWaiting(false)
    }
  }
  const dismiss = () => {
    focusBox(root.current)
    void channel.remove(message.id)
  }
  return (
    <div ref={root} className="chat-ephemeral">
      <p className="chat-ephemeral-note">
        <HiddenIcon />
        <span>{t('gif.onlyYou')}</span>
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are buttons. */}
      <div
        className="chat-ephemeral-actions"
        role="group"
        aria-label={t('actions.label')}
        onKeyDown={(event) => rove(event, 'button', 'horizontal')}
      >
        {actions.map((action, place) => (
          <button
            key={action.value}
            type="button"
            className="chat-button"
            data-kind={action.style === 'primary' ? 'primary' : undefined}
            tabIndex={entered && place === 0 ? 0 : -1}
            aria-disabled={waiting || undefined}
            onClick={() => void choose(action)}
          >
            {wordsOf(t, action)}
          </button>
        ))}
        {actions.length === 0 && (
          <button type="button" className="chat-button" data-kind="quiet" tabIndex={entered ? 0 : -1} onClick={dismiss}>
            {t('gif.dismiss')}
          </button>
        )}
      </div>
    </div>
  )
}

function actionsOf(attachments: readonly Attachment[]): readonly MessageAction[] {
  return attachments.flatMap(({ actions }) => (Array.isArray(actions) ? (actions as MessageAction[]) : []))
}

function wordsOf(t: (key: TextKey) => string, { name, value, text }: MessageAction): string {
  const key = name === 'image_action' ? known[value] : undefined
  return key ? t(key) : text
}

/** The question expires. */
function useEnd(channel: Channel, { id, created_at }: LocalMessage) {
  const { clock } = useChat()
  const until = created_at.getTime() + EPHEMERAL_LIFE_MS
  useEffect(
    () => clock.after(Math.max(0, until - clock.now()), () => void channel.remove(id).catch(() => {})),
    [channel, clock, id, until],
  )
}

/** It takes the focus of a user who has just asked for it; a user who reads, or types on, is not interrupted. */
function useFocus(root: RefObject<HTMLElement | null>, { id }: LocalMessage) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each message
  useEffect(() => {
    const box = boxOf(root.current)
    const first = root.current?.querySelector('button')
    if (box && document.activeElement === box && box.value === '') first?.focus({ preventScroll: true })
  }, [id])
}

function focusBox(from: HTMLElement | null) {
  boxOf(from)?.focus({ preventScroll: true })
}

/** The text box of the conversation, or of the thread, around an element. */
function boxOf(element: HTMLElement | null): HTMLTextAreaElement | null | undefined {
  return element?.closest('.chat-pane, .chat-thread')?.querySelector<HTMLTextAreaElement>('.chat-composer textarea')
}
