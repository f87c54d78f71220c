import { useEffect, useId, useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { TrashIcon } from '../ui/later-icons.tsx'
import { PictureButton } from '../ui/PictureButton.tsx'
import type { FirstMessageFields } from './use-start-chat.ts'

/** The optional first message of the new chat [NEW-16, NEW-17, NEW-20, NEW-21]. */
export function FirstMessage({ first, onChange }: FirstMessageProps) {
  const t = useTranslate()
  const id = useId()
  const { firstMessage, picture } = first
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{t('newChat.firstMessage.optional')}</label>
        <textarea
          id={id}
          rows={2}
          maxLength={5000}
          value={firstMessage ?? ''}
          onChange={(event) => onChange({ ...first, firstMessage: event.target.value })}
        />
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
