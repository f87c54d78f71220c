import { type RefObject, useRef, useSyncExternalStore } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Popover } from 'react-aria-components/Popover'
import type { Elements } from '../elements.ts'
import { LayerRoot } from './LayerRoot.tsx'
import { useKeptInSight } from './use-kept-in-sight.ts'

/** On small touch screens a menu opens from below. */
const SHEET = '(pointer: coarse) and ((width < 40rem) or (height < 28rem))'

export interface MenuLayerProps {
  label: string
  anchor: RefObject<HTMLElement | null>
  placement: 'start' | 'end'
  onClose: () => void
  /** the menu, with the content above it */
  children: Elements
}

/**
 * The placement of a menu: beside its button, and on phones as a sheet from below. Tab closes it as Escape does
 * [interface.md 7.7].
 */
export function MenuLayer({ label, anchor, placement, onClose, children }: MenuLayerProps) {
  const sheet = useSyncExternalStore(subscribe, isSheet, () => false)
  // A button is at the end of a row: there is little room behind it, and if the chat does not begin at the edge of the
  // window, React Aria counts the room before it as room behind it.
  const side = anchor.current?.matches('button') ? 'end' : placement
  const change = (open: boolean) => {
    if (!open) onClose()
  }
  const menu = (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys that the menu does not.
    <div
      onKeyDown={(event) => {
        if (event.key !== 'Tab') return
        event.preventDefault()
        onClose()
      }}
    >
      {children}
    </div>
  )
  return (
    <LayerRoot>
      {sheet ? (
        <Sheet label={label} anchor={anchor} onChange={change}>
          {menu}
        </Sheet>
      ) : (
        <Popover
          className="chat-popover"
          triggerRef={anchor}
          isOpen
          onOpenChange={change}
          placement={`bottom ${side}`}
          aria-label={label}
        >
          {menu}
        </Popover>
      )}
    </LayerRoot>
  )
}

interface SheetProps extends Pick<MenuLayerProps, 'label' | 'anchor' | 'children'> {
  onChange: (open: boolean) => void
}

function Sheet({ label, anchor, onChange, children }: SheetProps) {
  const sheet = useRef<HTMLDivElement>(null)
  return (
    <ModalOverlay className="chat-scrim" data-sheet isOpen isDismissable onOpenChange={onChange}>
      <Modal className="chat-sheet" ref={sheet}>
        <Dialog className="chat-sheet-inside" aria-label={label}>
          <KeptInSight anchor={anchor} sheet={sheet} />
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Starts once the sheet around it is mounted. */
function KeptInSight({ anchor, sheet }: Record<'anchor' | 'sheet', RefObject<HTMLElement | null>>) {
  useKeptInSight(anchor, sheet)
  return null
}

function subscribe(listener: () => void) {
  const query = matchMedia(SHEET)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function isSheet(): boolean {
  return matchMedia(SHEET).matches
}
