import type { Channel } from '@parley/client'
import { useEffect, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { saveAs } from '../attachments/download.ts'
import { useChat } from '../chat/chat-context.ts'
import { useLatest } from '../chat/use-latest.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { Refusal } from '../dialog/Refusal.tsx'
import { useTranslation } from '../i18n/translate.ts'
import { SAVED_SPOKEN } from '../limits.ts'
import { detailsOf } from '../notices/notices.ts'
import { conversationFile, conversationText } from './conversation-text.ts'

export interface SaveDialogProps {
  channel: Channel
  /** the title of the conversation */
  name: string
  onClose: () => void
}

/**
 * Exports a conversation to a file: it starts at once and closes when it is done; closing it earlier cancels the
 * export. An incomplete conversation is not saved.
 */
export default function SaveDialog({ channel, name, onClose }: SaveDialogProps) {
  const { t, locale } = useTranslation()
  const { client, clock, notices } = useChat()
  const announce = useAnnounce()
  const cancel = useRef<HTMLButtonElement>(null)
  const [attempt, setAttempt] = useState(1)
  const [count, setCount] = useState(0)
  const [refusal, setRefusal] = useState<string>()

  const save = useLatest(async (signal: AbortSignal) => {
    const now = new Date(clock.now())
    let spoken = 0
    const onCount = (count: number) => {
      if (signal.aborted) return
      setCount(count)
      if (count - spoken < SAVED_SPOKEN) return
      spoken = count
      announce('notice', { text: t('details.save.count', { count }) })
    }
    try {
      const text = await conversationText(client, channel, { t, locale, name, now, signal, onCount })
      signal.throwIfAborted()
      saveAs(text, conversationFile(t, name, now))
      notices.show('success', 'details.save.done')
      onClose()
    } catch (error) {
      if (signal.aborted) return
      setRefusal(detailsOf(error))
      announce('problem', { text: t('details.save.failed') })
    }
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: every attempt starts again.
  useEffect(() => {
    const giveUp = new AbortController()
    void save.current(giveUp.signal)
    return () => giveUp.abort()
  }, [save, attempt])

  const again = () => {
    // The button is removed with its question.
    cancel.current?.focus()
    setRefusal(undefined)
    setCount(0)
    setAttempt(attempt + 1)
  }

  return (
    <ChatDialog title={t('details.save')} onClose={onClose}>
      {refusal === undefined ? (
        <p className="chat-dialog-text">{t('details.save.count', { count })}</p>
      ) : (
        <Refusal text={t('details.save.failed')} details={refusal} />
      )}
      <div className="chat-dialog-buttons">
        {/* biome-ignore lint/a11y/noAutofocus: it is the only action while it runs. */}
        <button ref={cancel} type="button" className="chat-button" onClick={onClose} autoFocus>
          {t('cancel')}
        </button>
        {refusal !== undefined && (
          <button type="button" className="chat-button" data-kind="primary" onClick={again}>
            {t('retry')}
          </button>
        )}
      </div>
    </ChatDialog>
  )
}
