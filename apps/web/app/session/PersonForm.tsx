import type { MessageKey } from '../i18n/catalogues.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { NameFields } from '../people/NameFields.tsx'
import type { FieldErrors, PersonFields } from '../people/person-fields.ts'
import { EmailField } from './EmailField.tsx'
import { PasswordField } from './PasswordField.tsx'

/** The fields of a new user. A given address is read-only. */
export function PersonForm({ errors, email }: { errors?: FieldErrors<keyof PersonFields>; email?: string }) {
  const t = useTranslate()
  const said = (key: MessageKey | undefined) => key && t(key)
  return (
    <>
      <NameFields errors={errors} />
      <EmailField given={email} error={said(errors?.email)} />
      <PasswordField isNew hint={t('password.hint')} error={said(errors?.password)} />
    </>
  )
}
