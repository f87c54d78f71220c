import { expect, it } from 'vitest'
import { chooseLanguage, languages } from './languages.ts'

it('knows twelve languages by name', () => {
  expect(languages).toEqual(['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'tr'])
})

it('[I18N-3] is English by default', () => {
  expect(chooseLanguage(undefined, undefined)).toBe('en')
  expect(chooseLanguage('', '')).toBe('en')
})

it('[I18N-4] is the user’s language, whatever the browser’s', () => {
  expect(chooseLanguage('ja', 'de-DE')).toBe('ja')
})

it('[I18N-5] takes the first two letters of the browser’s language when the user’s is unset or unknown, else English', () => {
  expect(chooseLanguage('', 'pt-BR')).toBe('pt')
  expect(chooseLanguage('xx', 'DE')).toBe('de')
  expect(chooseLanguage('xx', 'sv-SE')).toBe('en')
})
