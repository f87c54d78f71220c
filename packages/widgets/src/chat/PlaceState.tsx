import type { ReactNode } from 'react'
import { useTranslate } from '../i18n/translate.ts'
import { Details } from '../notices/Details.tsx'
import { detailsOf } from '../notices/notices.ts'
import { WarningIcon } from '../theme/icons.tsx'

export interface PlaceStateProps {
  icon: ReactNode
  title: string
  /** why, and a way on */
  children?: ReactNode
}

/** What stands in the place of something that is empty or not there: a picture, a sentence, and a way on. */
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

/** What could not be loaded, another try, and why for support. */
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
