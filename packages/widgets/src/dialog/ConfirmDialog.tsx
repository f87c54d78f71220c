import type { Elements } from '../elements.ts'
import { QuestionDialog } from './QuestionDialog.tsx'

export interface ConfirmDialogProps {
  title: string
  /** the effect, and the users it concerns */
  text: string
  /** the object of the action, shown again */
  children?: Elements
  /** the label of the confirming button */
  confirm: string
  onClose: () => void
  onConfirm: () => void
}

/** Asks once before an irreversible action. */
export default function ConfirmDialog({ title, text, children, confirm, onClose, onConfirm }: ConfirmDialogProps) {
  return (
    <QuestionDialog
      title={title}
      confirm={confirm}
      danger
      onClose={onClose}
      onConfirm={() => {
        onConfirm()
        onClose()
      }}
    >
      <p className="chat-dialog-text">{text}</p>
      {children}
    </QuestionDialog>
  )
}
