import { useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'

/** The address somebody signs in with; one that is given already is only shown. */
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
