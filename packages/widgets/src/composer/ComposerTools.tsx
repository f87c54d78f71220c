import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { Icon } from '../theme/icons.tsx'

/**
 * The buttons that add something to a message, side by side. On a phone, where the text needs the room, several are in
 * a menu, named by their titles; the stylesheet decides which.
 */
export function ComposerTools({ children }: { children: ReactNode }) {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const tools = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) tools.current?.querySelector('button')?.focus()
  }, [open])
  // The focus moves before its button is hidden; if the buttons are side by side, there is nothing to move.
  const close = () => {
    opener.current?.focus()
    setOpen(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of the buttons in it.
    <div
      className="chat-composer-add"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (!open || event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <IconButton ref={opener} label={t('composer.add')} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon>
          <path d="M12 5v14M5 12h14" />
        </Icon>
      </IconButton>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys press the buttons in it. */}
      <div
        ref={tools}
        className="chat-composer-tools chat-popover"
        data-open={open || undefined}
        onClick={open ? close : undefined}
      >
        {children}
      </div>
    </div>
  )
}
