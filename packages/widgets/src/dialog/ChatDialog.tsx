import { useLayoutEffect, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon } from '../theme/icons.tsx'
import { focusBack } from './focus-back.ts'
import { LayerRoot } from './LayerRoot.tsx'

export interface ChatDialogProps {
  title: string
  onClose: () => void
  /** a question that must be answered: it closes only with an answer or Escape */
  asks?: boolean
  children: Elements
}

/** The frame of every dialog: a title, a close button, and the content. It returns the focus when it closes. */
export function ChatDialog({ title, onClose, asks = false, children }: ChatDialogProps) {
  const t = useTranslate()
  // The modal does the same, but not if another dialog that has just opened over it closes with it.
  const [opener] = useState(() => document.activeElement as HTMLElement | null)
  useLayoutEffect(() => () => focusBack(() => opener), [opener])
  return (
    <LayerRoot>
      <ModalOverlay className="chat-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
        <Modal className="chat-modal">
          <Dialog className="chat-dialog" role={asks ? 'alertdialog' : 'dialog'}>
            <div className="chat-dialog-head">
              <Heading slot="title" className="chat-dialog-title">
                {title}
              </Heading>
              {!asks && (
                <IconButton label={t('close')} onClick={onClose}>
                  <CloseIcon />
                </IconButton>
              )}
            </div>
            {children}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </LayerRoot>
  )
}
