import { useTranslate } from '../i18n/translate.ts'
import { CloseIcon } from '../theme/icons.tsx'

export interface PasteOfferProps {
  onTake: () => void
  onLeave: () => void
}

/** Words were pasted that have a picture of themselves, as a table has: the picture can be had in their place. */
export default function PasteOffer({ onTake, onLeave }: PasteOfferProps) {
  const t = useTranslate()
  return (
    <span className="chat-composer-hint chat-paste-offer" role="status">
      <button type="button" className="chat-button" onClick={onTake}>
        {t('uploads.pasteImage')}
      </button>
      <button
        type="button"
        className="chat-icon-button"
        aria-label={t('uploads.notImage')}
        title={t('uploads.notImage')}
        onClick={onLeave}
      >
        <CloseIcon />
      </button>
    </span>
  )
}
