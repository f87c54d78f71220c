import type { LocalMessage } from '@parley/client'
import ConfirmDialog from '../dialog/ConfirmDialog.tsx'
import { truncate } from '../i18n/graphemes.ts'
import { useTranslate } from '../i18n/translate.ts'
import { DELETED_CHARS } from '../limits.ts'
import { wasNeverSent } from './message-parts.ts'
import { messageSummary } from './message-summary.ts'

/** A user who sees the dialog can also delete, without a connection as well. */
export { removeMessage } from './remove-message.ts'

export interface DeleteDialogProps {
  message: LocalMessage
  forGood: boolean
  onClose: () => void
  onDelete: () => void
}

/** Asks once, and names what will be deleted and for which users [MSG-39]. */
export default function DeleteDialog({ message, forGood, onClose, onDelete }: DeleteDialogProps) {
  const t = useTranslate()
  const text = wasNeverSent(message) ? 'delete.failed.text' : forGood ? 'delete.forGood.text' : 'delete.text'
  return (
    <ConfirmDialog
      title={t(forGood ? 'delete.forGood.title' : 'delete.title')}
      text={t(text)}
      confirm={t('delete.confirm')}
      onClose={onClose}
      onConfirm={onDelete}
    >
      <blockquote className="chat-dialog-quote" dir="auto">
        {truncate(messageSummary(t, message), DELETED_CHARS)}
      </blockquote>
    </ConfirmDialog>
  )
}
