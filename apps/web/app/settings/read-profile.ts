import { isLanguage } from '../i18n/languages.ts'
import { type Theme, themes } from '../people/person.ts'
import { type FieldErrors, nameError, textOf } from '../people/person-fields.ts'

export interface ProfileForm {
  givenName: string
  familyName: string
  language: string | null
  theme: Theme
}

/** A sentence for each field that cannot be saved as it is. */
export type ProfileErrors = FieldErrors<'givenName' | 'familyName'>

/** Reads the settings form. A language or theme nobody offered counts as not chosen. */
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
