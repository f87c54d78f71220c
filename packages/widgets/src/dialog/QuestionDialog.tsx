import type { ReactNode } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { ChatDialog } from './ChatDialog.tsx'

export interface QuestionDialogProps {
  title: string
  /** what will happen, or what has to be known first */
  children: ReactNode
  /** the answer that does it */
  confirm: string
  /** it cannot be taken back: the harmless answer has the focus when the question opens */
  danger?: boolean
  /** it cannot be answered yet */
  unready?: boolean
  onClose: () => void
  /** does it; the dialog stays until it is closed */
  onConfirm: () => void
}

/** Asks for what an action needs, with the one answer that does it and one that does not. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { title, children, confirm, danger = false, unready = false, onClose, onConfirm } = props
  const t = useTranslate()
  return (
    <ChatDialog title={title} onClose={onClose} asks={danger}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // A form around, as the composer's, is not what was answered.
          event.stopPropagation()
          if (!unready) onConfirm()
        }}
      >
        {children}
        <div className="chat-dialog-buttons">
          {/* biome-ignore lint/a11y/noAutofocus: a question about harm opens on its harmless answer. */}
          <button type="button" className="chat-button" onClick={onClose} autoFocus={danger}>
            {t('cancel')}
          </button>
          <button
            type="submit"
            className="chat-button"
            data-kind={danger ? 'danger' : 'primary'}
            aria-disabled={unready || undefined}
          >
            {confirm}
          </button>
        </div>
      </form>
    </ChatDialog>
  )
}
