import { asksFamilyNameFirst } from '../i18n/languages.ts'
import { useLocale, useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'
import type { Person } from './person.ts'
import type { FieldErrors } from './person-fields.ts'

interface NameFieldsProps {
  user?: Pick<Person, 'givenName' | 'familyName'>
  errors: FieldErrors<'givenName' | 'familyName'> | undefined
}

/** The two parts of a name, in the order in which the page's language asks for them. */
export function NameFields({ user, errors }: NameFieldsProps) {
  const t = useTranslate()
  const familyFirst = asksFamilyNameFirst(useLocale())
  const givenName = (
    <Field
      label={t('settings.givenName')}
      name="givenName"
      defaultValue={user?.givenName}
      autoComplete="given-name"
      error={errors?.givenName && t(errors.givenName)}
    />
  )
  return (
    <div className="field-pair">
      {!familyFirst && givenName}
      <Field
        label={t('settings.familyName')}
        name="familyName"
        defaultValue={user?.familyName}
        autoComplete="family-name"
        error={errors?.familyName && t(errors.familyName)}
      />
      {familyFirst && givenName}
    </div>
  )
}
