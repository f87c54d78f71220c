import type { Attachment } from '@parley/client'
import { useState } from 'react'
import { useFetched } from '../attachments/use-fetched.ts'
import { useTranslate } from '../i18n/translate.ts'
import { safeLink } from '../messages/safe-link.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { CloseIcon } from '../theme/icons.tsx'

export interface LinkPreviewProps {
  preview: Attachment
  onDismiss: () => void
}

/** A preview of the link in the text box, in two lines; the message will show a larger one. */
export default function LinkPreview({ preview, onDismiss }: LinkPreviewProps) {
  const t = useTranslate()
  const [broken, setBroken] = useState(false)
  const { title, text, og_scrape_url, title_link } = preview
  const link = safeLink(title_link || og_scrape_url || '')
  const fetched = useFetched()
  const picture = fetched === 'asked' ? undefined : safeLink(preview.thumb_url ?? preview.image_url ?? '')?.href
  if (!link || !(title || text || picture)) return null
  const label = t('preview.remove')
  return (
    <div className="chat-composer-about chat-link-preview">
      {picture && !broken && (
        <img src={picture} alt="" decoding="async" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
      )}
      <div className="chat-composer-about-words">
        <p className="chat-composer-about-title" dir="auto">
          {title || text}
        </p>
        <p className="chat-composer-about-text">
          <bdi>{link.asciiHost ?? new URL(link.href).hostname.replace(/^www\./, '')}</bdi>
        </p>
      </div>
      <IconButton label={label} onClick={onDismiss}>
        <CloseIcon />
      </IconButton>
    </div>
  )
}
