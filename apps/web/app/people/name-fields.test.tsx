import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { loadCatalogue } from '../i18n/catalogues.ts'
import type { Language } from '../i18n/languages.ts'
import { Translations } from '../i18n/translate.tsx'
import { NameFields } from './NameFields.tsx'

async function askedIn(language: Language): Promise<string[]> {
  await loadCatalogue(language)
  const page = renderToStaticMarkup(
    <Translations language={language}>
      <NameFields errors={undefined} />
    </Translations>,
  )
  return [...page.matchAll(/ name="(\w+)"/g)].map(([, name]) => name!)
}

it('the family name is asked first where names begin with it', async () => {
  expect(await askedIn('en')).toEqual(['givenName', 'familyName'])
  expect(await askedIn('ja')).toEqual(['familyName', 'givenName'])
  expect(await askedIn('ko')).toEqual(['familyName', 'givenName'])
})
