import type { LocalMessage } from '@parley/client'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { truncate } from '../i18n/graphemes.ts'
import { useTranslate } from '../i18n/translate.ts'
import { wasNeverSent } from './message-parts.ts'
import { messageSummary } from './message-summary.ts'

/** Characters of the message shown again, so that one deletes the right one. */
const SHOWN_CHARS = 160

export interface DeleteDialogProps {
  message: LocalMessage
  forGood: boolean
  onClose: () => void
  onDelete: () => void
}

/** Asks once, and says what will happen and to whom [MSG-39]. */
export default function DeleteDialog({ message, forGood, onClose, onDelete }: DeleteDialogProps) {
  const t = useTranslate()
  const text = wasNeverSent(message) ? 'delete.failed.text' : forGood ? 'delete.forGood.text' : 'delete.text'
  return (
    <ChatDialog title={t(forGood ? 'delete.forGood.title' : 'delete.title')} onClose={onClose} asks>
      <p className="chat-dialog-text">{t(text)}</p>
      <blockquote className="chat-dialog-quote" dir="auto">
        {truncate(messageSummary(t, message), SHOWN_CHARS)}
      </blockquote>
      <div className="chat-dialog-buttons">
        {/* biome-ignore lint/a11y/noAutofocus: the harmless answer has focus when the question opens. */}
        <button type="button" className="chat-button" onClick={onClose} autoFocus>
          {t('cancel')}
        </button>
        <button
          type="button"
          className="chat-button"
          data-kind="danger"
          onClick={() => {
            onDelete()
            onClose()
          }}
        >
          {t('delete.confirm')}
        </button>
      </div>
    </ChatDialog>
  )
}
