import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { ChatDialog } from './ChatDialog.tsx'

export interface QuestionDialogProps {
  title: string
  /** the effect, or a fact the user must know first */
  children: Elements
  /** the label of the confirming button */
  confirm: string
  /** irreversible: the cancel button has the focus when the dialog opens */
  danger?: boolean
  /** it cannot be confirmed yet */
  unready?: boolean
  onClose: () => void
  /** runs the action; the dialog stays open until it is closed */
  onConfirm: () => void
}

/** Asks for the input of an action, with one confirming and one cancelling button. */
export function QuestionDialog(props: QuestionDialogProps) {
  const { title, children, confirm, danger = false, unready = false, onClose, onConfirm } = props
  const t = useTranslate()
  return (
    <ChatDialog title={title} onClose={onClose} asks={danger}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // A form around, as the composer's, must not be submitted.
          event.stopPropagation()
          if (!unready) onConfirm()
        }}
      >
        {children}
        <div className="chat-dialog-buttons">
          {/* biome-ignore lint/a11y/noAutofocus: a destructive question focuses its cancel button. */}
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
