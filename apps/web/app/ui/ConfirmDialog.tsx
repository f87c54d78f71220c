import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from './Dialog.tsx'

/** Asks before something that cannot be taken back. */
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
            // The second press of two meets a dialog that is closing.
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
  /** What the button does that goes on. */
  action: string
  open: boolean
  onClose: () => void
  onConfirm: () => void
}
