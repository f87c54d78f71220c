import { useEffect, useId, useRef, useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { TrashIcon } from '../ui/later-icons.tsx'
import { PictureButton } from '../ui/PictureButton.tsx'
import type { FirstMessageFields } from './use-start-chat.ts'

/** The optional first message of the new chat [NEW-16, NEW-17, NEW-20, NEW-21]. */
export function FirstMessage({ first, error, onChange }: FirstMessageProps) {
  const t = useTranslate()
  const id = useId()
  const text = useRef<HTMLTextAreaElement>(null)
  const { firstMessage, picture } = first
  useEffect(() => {
    if (!error) return
    text.current?.closest('details')?.setAttribute('open', '')
    text.current?.focus()
  }, [error])
  return (
    <>
      <div className="field" data-invalid={error ? true : undefined}>
        <label htmlFor={id}>{t('newChat.firstMessage.optional')}</label>
        <textarea
          ref={text}
          id={id}
          rows={2}
          value={firstMessage ?? ''}
          onChange={(event) => onChange({ ...first, firstMessage: event.target.value })}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        {error && (
          <p className="field-error" id={`${id}-error`}>
            {error}
          </p>
        )}
      </div>
      <div className="actions">
        {picture && <Preview picture={picture} />}
        <PictureButton onPick={(picked) => onChange({ ...first, picture: picked })}>
          {t(picture ? 'newChat.image.change' : 'newChat.image')}
        </PictureButton>
        {picture && (
          <button
            type="button"
            className="icon-button"
            aria-label={t('newChat.image.remove')}
            onClick={() => onChange({ ...first, picture: undefined })}
          >
            <TrashIcon />
          </button>
        )}
      </div>
    </>
  )
}

interface FirstMessageProps {
  first: FirstMessageFields
  /** The server's error in it; the field gets the focus. */
  error: string | undefined
  onChange: (first: FirstMessageFields) => void
}

/** Previews the local picture; it is uploaded when the chat is started. */
function Preview({ picture }: { picture: File }) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(picture)
    setSource(url)
    return () => URL.revokeObjectURL(url)
  }, [picture])
  return <img src={source} alt={picture.name} width={64} height={64} style={{ objectFit: 'cover' }} />
}
