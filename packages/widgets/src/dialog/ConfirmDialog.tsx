import type { ReactNode } from 'react'
import { QuestionDialog } from './QuestionDialog.tsx'

export interface ConfirmDialogProps {
  title: string
  /** what will happen, and to whom */
  text: string
  /** what it will happen to, shown once more */
  children?: ReactNode
  /** the answer that does it */
  confirm: string
  onClose: () => void
  onConfirm: () => void
}

/** Asks once before something that cannot be taken back. */
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
