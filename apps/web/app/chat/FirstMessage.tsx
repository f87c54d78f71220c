import { useId } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'
import type { FirstMessageFields } from './use-start-chat.ts'

/** What the new chat begins with, if anything [NEW-16, NEW-17, NEW-20, NEW-21]. */
export function FirstMessage({ first, onChange }: FirstMessageProps) {
  const t = useTranslate()
  const id = useId()
  return (
    <>
      <div className="field">
        <label htmlFor={id}>{t('newChat.firstMessage.optional')}</label>
        <textarea
          id={id}
          rows={2}
          maxLength={5000}
          value={first.firstMessage ?? ''}
          onChange={(event) => onChange({ ...first, firstMessage: event.target.value })}
        />
      </div>
      <Field
        label={t('newChat.image')}
        inputMode="url"
        autoComplete="off"
        value={first.firstMessageImageUrl ?? ''}
        onChange={(event) => onChange({ ...first, firstMessageImageUrl: event.target.value })}
      />
    </>
  )
}

interface FirstMessageProps {
  first: FirstMessageFields
  onChange: (first: FirstMessageFields) => void
}
