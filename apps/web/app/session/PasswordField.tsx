import { useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'

/** A password that one may look at while typing it. */
export function PasswordField({ isNew, hint, error }: { isNew?: boolean; hint?: string; error?: string }) {
  const t = useTranslate()
  const [shown, setShown] = useState(false)
  return (
    <div className="password">
      <Field
        label={t('signIn.password')}
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        hint={error ? undefined : hint}
        error={error}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t(shown ? 'signIn.hidePassword' : 'signIn.showPassword')}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        <Icon name="eye" />
      </button>
    </div>
  )
}
