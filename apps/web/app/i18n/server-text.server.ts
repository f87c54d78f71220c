import type { Person } from '../people/person.ts'
import { type AnyMessageKey, loadCatalogue } from './catalogues.ts'
import { chooseLanguage } from './languages.ts'

/** A text of the server in the reader's language. */
export async function serverText(
  request: Request,
  person: Person | null,
  key: AnyMessageKey,
  values: object = {},
): Promise<string> {
  const language = chooseLanguage(person?.language, request.headers.get('accept-language'))
  const i18n = await loadCatalogue(language)
  return i18n._(key, { ...values })
}
