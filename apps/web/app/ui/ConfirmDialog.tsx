import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from './Dialog.tsx'

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({ title, body, action, open, onClose, onConfirm }: ConfirmDialogProps) {
  const t = useTranslate()
  return (
    <Dialog title={title} open={open} onClose={onClose} role="alertdialog">
      <p>{body}</p>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('dialog.cancel')}
        </button>
        <button
          type="button"
          className="button"
          data-kind="danger"
          onClick={() => {
            // The second press of a double press hits a dialog that is closing.
            if (!open) return
            onClose()
            onConfirm()
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}

interface ConfirmDialogProps {
  title: string
  body: string
  /** The label of the confirm button. */
  action: string
  open: boolean
  onClose: () => void
  onConfirm: () => void
}
