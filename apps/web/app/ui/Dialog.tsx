import type { Elements } from '@parley/widgets'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslate } from '../i18n/translate.tsx'
import { Icon, type IconName } from './Icon.tsx'

/**
 * A modal dialog named by its heading. Traps the focus, makes the page behind inert and restores the focus afterwards.
 *
 * Style hooks: `.dialog-ground`, `.dialog`, `[data-size="large"]` · `[data-entering]`, `[data-exiting]` while it moves.
 */
export function Dialog({ title, open, onClose, role, size, start, children }: DialogProps) {
  const t = useTranslate()
  return (
    <ModalOverlay
      className="dialog-ground"
      isOpen={open}
      isDismissable={role !== 'alertdialog'}
      onOpenChange={(next) => !next && onClose()}
    >
      <Modal className="dialog" data-size={size}>
        <AriaDialog className="dialog-body" role={role}>
          <header className="dialog-head">
            {start && <DialogButton icon={start.icon} label={start.label} onClick={start.onClick} />}
            <Heading slot="title">{title}</Heading>
            <DialogButton icon="close" label={t('newChat.close')} onClick={onClose} />
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export interface DialogProps {
  title: string
  open: boolean
  onClose: () => void
  /** An alert dialog asks a question and does not close by a press beside it. */
  role?: 'alertdialog'
  size?: 'large'
  /** A button before the heading, for going back. */
  start?: DialogButtonProps
  children: Elements
}

function DialogButton({ icon, label, onClick }: DialogButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

interface DialogButtonProps {
  icon: IconName
  label: string
  onClick: () => void
}
