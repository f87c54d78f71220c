import { isLanguage } from '../i18n/languages.ts'
import { type Theme, themes } from '../people/person.ts'
import { type FieldErrors, nameError, textOf } from '../people/person-fields.ts'

export interface ProfileForm {
  givenName: string
  familyName: string
  language: string | null
  theme: Theme
}

/** An error for each invalid field. */
export type ProfileErrors = FieldErrors<'givenName' | 'familyName'>

/** Reads the settings form. An unknown language or theme counts as not chosen. */
export function readProfile(form: FormData): { ok: true; profile: ProfileForm } | { ok: false; errors: ProfileErrors } {
  const [givenName, familyName] = [textOf(form, 'givenName'), textOf(form, 'familyName')]
  const errors: ProfileErrors = { givenName: nameError(givenName), familyName: nameError(familyName) }
  if (Object.values(errors).some((error) => error)) return { ok: false, errors }
  const language = textOf(form, 'language')
  return {
    ok: true,
    profile: {
      givenName,
      familyName,
      language: isLanguage(language) ? language : null,
      theme: themes.find((theme) => theme === form.get('theme')) ?? 'system',
    },
  }
}
