import { readdirSync, readFileSync } from 'node:fs'
import { addressedOtherwise } from '@parley/widgets/testing/forms-of-address'
import { strayWords } from '@parley/widgets/testing/glossary'
import { misprints } from '@parley/widgets/testing/typography'
import { describe, expect, it } from 'vitest'
import { loadCatalogue } from './catalogues.ts'
import { chooseLanguage, type Language, languages } from './languages.ts'
import { notes } from './notes.ts'

const texts = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`./catalogues/${language}.json`, import.meta.url), 'utf8'))

const translations = readdirSync(new URL('./catalogues/', import.meta.url)).map((file) => file.slice(0, 2))

/** The placeholders of a message, such as `count` and `name`. */
const placeholders = (text: string) => [...new Set(text.match(/(?<=\{)\w+(?=[,}])/g))].sort()

type Token = string | [name: string, kind?: string, cases?: Record<string, unknown>]

/** The cases of every plural in a compiled message; plurals are never nested. */
const plurals = (message: Token[]) =>
  message.flatMap((token) => (token[1] === 'plural' && typeof token[2] === 'object' ? [Object.keys(token[2])] : []))

describe('the catalogues of the product', () => {
  it.each(translations)('%s has every text of English with the same placeholders', (language) => {
    const [english, translated] = [texts('en'), texts(language)]
    expect(Object.keys(translated)).toEqual(Object.keys(english))
    for (const [key, text] of Object.entries(english))
      expect(placeholders(translated[key]!), key).toEqual(placeholders(text))
  })

  it.each(translations)('%s fills every plural category of its language, and no other', async (language) => {
    const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted()
    const { messages } = await loadCatalogue(language as Language)
    for (const [key, message] of Object.entries(messages))
      for (const cases of plurals(message as Token[]))
        expect({ key, cases: cases.filter((name) => !/^\d/.test(name)).toSorted() }).toEqual({ key, cases: needed })
  })

  it.each(translations)('[I18N-12] %s addresses its reader in one form', (language) => {
    expect(addressedOtherwise(language, texts(language))).toEqual([])
  })

  it.each(translations)('[I18N-15] %s uses the words of the glossary, without a misprint', (language) => {
    const found = Object.entries(texts(language)).flatMap(([key, text]) =>
      misprints(language, text).map((fault) => `${key}: ${fault}`),
    )
    expect(found).toEqual([])
    expect(language === 'en' ? [] : strayWords(language, texts('en'), texts(language))).toEqual([])
  })

  it('have a note for translators on every text with a placeholder, which explains all of them', () => {
    const lacking = Object.entries(texts('en')).flatMap(([key, text]) => {
      const note: string = (notes as Record<string, string>)[key] ?? ''
      return placeholders(text).flatMap((name) => (note.includes(`{${name}}`) ? [] : [`${key}: {${name}}`]))
    })
    expect(lacking).toEqual([])
  })

  it('[TOA-1] [TOA-5] the unread toast counts messages and channels in real plurals', async () => {
    const english = await loadCatalogue('en')
    const toast = (messages: number, channels: number) => english._('unread.toast', { messages, channels })
    expect(toast(1, 1)).toBe('You have 1 unread message in 1 channel')
    expect(toast(3, 2)).toBe('You have 3 unread messages in 2 channels')
    expect((await loadCatalogue('de'))._('unread.toast', { messages: 1, channels: 2 })).toBe(
      'Sie haben 1 ungelesene Nachricht in 2 Chats',
    )
  })

  it('[TOA-2] its action is labelled View', async () => {
    expect((await loadCatalogue('en'))._('unread.toast.view')).toBe('View')
  })

  it('[NEW-23] [NEW-25] [APP-30] the texts of the specification are verbatim', async () => {
    const english = await loadCatalogue('en')
    expect(english._('group.nameRequired')).toBe('Group name is required')
    expect(english._('group.minimum', { min: 2 })).toBe('You must select at least 2 users')
    expect(english._('chat.off')).toBe('Chat is not enabled for your account')
  })
})

describe('the language of the product', () => {
  it('[I18N-4] is the person’s own when it is supported', () => {
    expect(chooseLanguage('ja', 'de-DE,de;q=0.9')).toBe('ja')
  })

  it('[I18N-5] else the first two letters of the browser’s, else English', () => {
    expect(chooseLanguage(null, 'de-AT,en;q=0.8')).toBe('de')
    expect(chooseLanguage('tlh', 'PT-br')).toBe('pt')
    expect(chooseLanguage(null, 'sv-SE')).toBe('en')
    expect(chooseLanguage(null, null)).toBe('en')
  })

  it('every language of chat has translated pages', () => {
    expect(translations.toSorted()).toEqual(Object.keys(languages))
  })
})
