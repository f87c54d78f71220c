import type { ReactNode } from 'react'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useChat } from '../chat/chat-context.ts'
import { useTranslate } from '../i18n/translate.ts'
import { CloseIcon } from '../theme/icons.tsx'

/** The frame of every dialog about polls: a title, a way out, and what it is for. */
export function PollDialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const t = useTranslate()
  const { root } = useChat()
  return (
    <UNSAFE_PortalProvider getContainer={root}>
      <ModalOverlay className="chat-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
        <Modal className="chat-modal">
          <Dialog className="chat-dialog">
            <div className="chat-dialog-head">
              <Heading slot="title" className="chat-dialog-title">
                {title}
              </Heading>
              <button type="button" className="chat-icon-button" aria-label={t('poll.close')} onClick={onClose}>
                <CloseIcon />
              </button>
            </div>
            {children}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </UNSAFE_PortalProvider>
  )
}
