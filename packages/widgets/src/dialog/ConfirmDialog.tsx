import { useTranslate } from '../i18n/translate.ts'
import { ChatDialog } from './ChatDialog.tsx'

export interface ConfirmDialogProps {
  title: string
  /** what will happen, and to whom */
  text: string
  /** the answer that does it */
  confirm: string
  onClose: () => void
  onConfirm: () => void
}

/** Asks once before something that cannot be taken back. */
export default function ConfirmDialog({ title, text, confirm, onClose, onConfirm }: ConfirmDialogProps) {
  const t = useTranslate()
  return (
    <ChatDialog title={title} onClose={onClose} asks>
      <p className="chat-dialog-text">{text}</p>
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
            onClose()
            onConfirm()
          }}
        >
          {confirm}
        </button>
      </div>
    </ChatDialog>
  )
}
