import { useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'

/** The e-mail address to sign in with; a given address is read-only. */
export function EmailField({ given, error }: { given?: string; error?: string }) {
  const t = useTranslate()
  return (
    <Field
      label={t('signIn.email')}
      name="email"
      type="email"
      autoComplete="username"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      readOnly={given !== undefined}
      defaultValue={given}
      error={error}
    />
  )
}
