import type { User } from '@parley/client'
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { MessageText } from '../messages/MessageText.tsx'
import { usePreferences } from '../preferences/use-preferences.ts'
import { rove } from '../roving.ts'
import { ariaKeys } from '../shortcuts/keys-shown.ts'
import { keysOf, type Shortcut } from '../shortcuts/shortcuts.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { Icon } from '../theme/icons.tsx'
import { LinkIcon } from '../theme/more-icons.tsx'
import { beginLines, emphasize, linkWords } from './emphasis.ts'
import './format.css'

interface Format {
  text: TextKey
  icon: ReactNode
  apply: (box: HTMLTextAreaElement) => void
  /** the keys with the same effect in the text box */
  shortcut?: Shortcut
}

const stroked = (path: string) => (
  <Icon>
    <path d={path} />
  </Icon>
)

const formats: readonly Format[] = [
  {
    text: 'format.bold',
    icon: stroked('M7.5 5h5.25a3.4 3.4 0 0 1 0 6.8H7.5V5Zm0 6.8h6a3.6 3.6 0 0 1 0 7.2h-6v-7.2Z'),
    apply: (box) => emphasize(box, 'bold'),
    shortcut: 'bold',
  },
  {
    text: 'format.italic',
    icon: stroked('M10.5 5H17M7 19h6.5M14 5l-4 14'),
    apply: (box) => emphasize(box, 'italic'),
    shortcut: 'italic',
  },
  {
    text: 'format.strike',
    icon: stroked(
      'M4.5 12h15M16.5 8c-.6-1.8-2.3-3-4.5-3-2.6 0-4.5 1.4-4.5 3.5M7.5 16c.6 1.8 2.3 3 4.5 3 2.6 0 4.5-1.4 4.5-3.5',
    ),
    apply: (box) => emphasize(box, 'strike'),
    shortcut: 'strike',
  },
  {
    text: 'format.code',
    icon: stroked('m8.5 7-5 5 5 5M15.5 7l5 5-5 5'),
    apply: (box) => emphasize(box, 'code'),
    shortcut: 'code',
  },
  { text: 'format.link', icon: <LinkIcon />, apply: linkWords },
  {
    text: 'format.list',
    icon: stroked('M9.5 6.5h10M9.5 12h10M9.5 17.5h10M5 6.5h.01M5 12h.01M5 17.5h.01'),
    apply: (box) => beginLines(box, '- '),
  },
  {
    text: 'format.quote',
    icon: stroked('M5 5.5v13M9.5 7.5h10M9.5 12h10M9.5 16.5h6'),
    apply: (box) => beginLines(box, '> '),
  },
]

export interface FormatToolsProps {
  box: RefObject<HTMLTextAreaElement | null>
  /** the text, and the users mentioned in it */
  text: string
  mentioned: readonly User[]
}

/**
 * Buttons for the marks of a message, and a preview of the text. A button beside the box opens them; loaded when the user
 * first types.
 *
 * Style hooks: `.chat-format`, `.chat-format-preview`.
 */
export default function FormatTools({ box, text, mentioned }: FormatToolsProps): ReactNode {
  const t = useTranslate()
  const [preferred] = usePreferences()
  const [open, setOpen] = useState(false)
  const [preview, setPreview] = useState(false)
  const id = useId()
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      box.current?.focus()
      setOpen(false)
    } else rove(event, 'button', 'horizontal')
  }
  return (
    <>
      <IconButton
        label={t('format.open')}
        className="chat-format-button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {stroked('M4 18 8.5 6h1L14 18M5.5 14h7M20 11.5V18m0-3.25a2.75 2.75 0 1 1-5.5 0 2.75 2.75 0 0 1 5.5 0Z')}
      </IconButton>
      {open && (
        <div
          id={id}
          className="chat-format"
          role="toolbar"
          aria-label={t('format.open')}
          onKeyDown={press}
          // The text stays selected, and a phone keeps its keyboard open.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
        >
          {formats.map(({ text, icon, apply, shortcut }, place) => (
            <IconButton
              key={text}
              label={t(text)}
              tabIndex={place === 0 ? 0 : -1}
              aria-keyshortcuts={shortcut && ariaKeys(keysOf(shortcut, preferred))}
              onClick={() => box.current && apply(box.current)}
            >
              {icon}
            </IconButton>
          ))}
          <button
            type="button"
            className="chat-button"
            data-kind="quiet"
            tabIndex={-1}
            aria-pressed={preview}
            onClick={() => setPreview(!preview)}
          >
            {t('format.preview')}
          </button>
        </div>
      )}
      {open && preview && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll overflowing text.
        <section className="chat-format-preview" aria-label={t('format.preview')} tabIndex={0}>
          <MessageText text={text} mentioned={mentioned} />
        </section>
      )}
    </>
  )
}
