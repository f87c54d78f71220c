import { type ReactNode, useLayoutEffect, useState } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon } from '../theme/icons.tsx'
import { focusBack } from './focus-back.ts'
import { LayerRoot } from './LayerRoot.tsx'

export interface ChatDialogProps {
  title: string
  onClose: () => void
  /** a question that has to be answered: it has no way out but its answers and Escape */
  asks?: boolean
  children: ReactNode
}

/** The frame of every dialog: a title, a way out, and what it is for. It gives the focus back when it closes. */
export function ChatDialog({ title, onClose, asks = false, children }: ChatDialogProps) {
  const t = useTranslate()
  // The modal does as much, but not where a dialog over it has only just come and takes it along.
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
