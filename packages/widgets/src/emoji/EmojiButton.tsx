import { type RefObject, Suspense, useRef, useState } from 'react'
import { replaceWords } from '../autocomplete/replace-words.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { SmileIcon } from '../theme/icons.tsx'

const EmojiPicker = lazyPart(() => import('./EmojiPicker.tsx'))

/** Opens the picker; the chosen emoji is inserted at the caret of the box. Phones have a keyboard for that. */
export function EmojiButton({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const t = useTranslate()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const write = (emoji: string) => {
    // The picker first returns the focus to its button.
    requestAnimationFrame(() => {
      const element = box.current
      if (element) replaceWords(element, element.selectionStart, element.selectionEnd, emoji)
    })
  }
  return (
    <>
      <IconButton
        label={t('emoji.open')}
        ref={button}
        className="chat-emoji-button"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <SmileIcon />
      </IconButton>
      {open && (
        <Suspense fallback={null}>
          <EmojiPicker anchor={button} placement="top end" onChoose={write} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
