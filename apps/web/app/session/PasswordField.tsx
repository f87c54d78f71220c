import { useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'
import { Drawing } from '../ui/Icon.tsx'

const EYE =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM14.8 12a2.8 2.8 0 1 1-5.6 0 2.8 2.8 0 0 1 5.6 0z'

/** A password field with a button that shows its text. */
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
        <Drawing name="eye" path={EYE} />
      </button>
    </div>
  )
}
