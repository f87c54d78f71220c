import type { MessageKey } from '../i18n/catalogues.ts'
import { isLanguage } from '../i18n/languages.ts'
import { graphemeCount } from '../people/graphemes.ts'
import { type Theme, themes } from '../people/person.ts'

const LONGEST_NAME = 100

export interface ProfileForm {
  givenName: string
  familyName: string
  image: string | null
  language: string | null
  theme: Theme
}

/** A sentence for each field that cannot be saved as it is. */
export type ProfileErrors = Partial<Record<'givenName' | 'familyName' | 'image', MessageKey>>

/** Reads the settings form. A language or theme nobody offered counts as not chosen. */
export function readProfile(form: FormData): { ok: true; profile: ProfileForm } | { ok: false; errors: ProfileErrors } {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const [givenName, familyName, image] = [text('givenName'), text('familyName'), text('image')]
  const errors: ProfileErrors = {
    givenName: nameError(givenName),
    familyName: nameError(familyName),
    image: image === '' || isPictureAddress(image) ? undefined : 'settings.imageInvalid',
  }
  if (Object.values(errors).some((error) => error)) return { ok: false, errors }
  const language = text('language')
  return {
    ok: true,
    profile: {
      givenName,
      familyName,
      image: image || null,
      language: isLanguage(language) ? language : null,
      theme: themes.find((theme) => theme === form.get('theme')) ?? 'system',
    },
  }
}

function nameError(name: string): MessageKey | undefined {
  if (name === '') return 'settings.namesRequired'
  return graphemeCount(name) > LONGEST_NAME ? 'settings.nameTooLong' : undefined
}

/** An https address, or a picture of our own. */
function isPictureAddress(address: string): boolean {
  if (address.startsWith('/avatars/')) return true
  return URL.canParse(address) && new URL(address).protocol === 'https:'
}
