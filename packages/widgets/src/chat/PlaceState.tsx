import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { Details } from '../notices/Details.tsx'
import { detailsOf } from '../notices/notices.ts'
import { WarningIcon } from '../theme/icons.tsx'

export interface PlaceStateProps {
  icon: Elements
  title: string
  /** a reason, and an action */
  children?: Elements
}

/** Shown in place of an empty or missing view: a picture, a sentence, and an action. */
export function PlaceState({ icon, title, children }: PlaceStateProps) {
  return (
    <div className="chat-state">
      <span className="chat-state-picture">{icon}</span>
      <p className="chat-state-title">{title}</p>
      {children}
    </div>
  )
}

export interface FailedStateProps {
  title: string
  error: unknown
  onRetry: () => void
}

/** A failure to load, with a retry button, and the error for support. */
export function FailedState({ title, error, onRetry }: FailedStateProps) {
  const t = useTranslate()
  return (
    <PlaceState icon={<WarningIcon />} title={title}>
      <button type="button" className="chat-button" onClick={onRetry}>
        {t('retry')}
      </button>
      <Details text={detailsOf(error)} />
    </PlaceState>
  )
}
