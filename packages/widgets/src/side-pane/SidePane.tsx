import { type RefObject, useEffect, useId, useRef } from 'react'
import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon } from '../theme/icons.tsx'

export interface SidePaneProps {
  title: string
  /** the line under the title */
  about?: Elements
  onClose: () => void
  /** the heading, for callers that focus it */
  headingRef?: RefObject<HTMLHeadingElement | null>
  children: Elements
}

/**
 * A pane beside a conversation if there is room, and over it if there is none. It takes the focus when it opens, and
 * Escape closes it.
 *
 * Renders an `<aside>` named by its heading. Style hooks: `.chat-aside` · `--chat-aside-width`.
 */
export function SidePane({ title, about, onClose, headingRef, children }: SidePaneProps) {
  const t = useTranslate()
  const id = useId()
  const ownRef = useRef<HTMLHeadingElement>(null)
  const heading = headingRef ?? ownRef
  useEffect(() => heading.current?.focus({ preventScroll: true }), [heading])
  return (
    <aside
      className="chat-aside"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <header className="chat-header">
        <div className="chat-header-words">
          <h2 className="chat-header-name" id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {about && <p className="chat-header-line">{about}</p>}
        </div>
        <IconButton label={t('close')} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {children}
    </aside>
  )
}
