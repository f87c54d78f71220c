import { type I18n, type Messages, setupI18n } from '@lingui/core'
import type english from './catalogues/en.json'
import type { Language } from './languages.ts'
import type { ServerSentence } from './server-sentences.ts'

/** The key of a text in pages. */
export type MessageKey = Exclude<AnyMessageKey, ServerSentence>
/** The keys of all texts of the product. */
export type AnyMessageKey = keyof typeof english
export type Catalogue = Record<AnyMessageKey, string>

/**
 * The catalogues, one chunk each. Vite compiles their ICU messages while it bundles, so browsers need no message
 * parser.
 */
const catalogues: Record<Language, () => Promise<{ default: Catalogue }>> = {
  de: () => import('./catalogues/de.json'),
  en: () => import('./catalogues/en.json'),
  es: () => import('./catalogues/es.json'),
  fr: () => import('./catalogues/fr.json'),
  hi: () => import('./catalogues/hi.json'),
  it: () => import('./catalogues/it.json'),
  ja: () => import('./catalogues/ja.json'),
  ko: () => import('./catalogues/ko.json'),
  nl: () => import('./catalogues/nl.json'),
  pt: () => import('./catalogues/pt.json'),
  ru: () => import('./catalogues/ru.json'),
  tr: () => import('./catalogues/tr.json'),
}

const loaded = new Map<Language, I18n>()

/** Loads and caches a catalogue, so that {@link catalogueOf} can return it while rendering. */
export async function loadCatalogue(language: Language): Promise<I18n> {
  const known = loaded.get(language)
  if (known) return known
  const { default: messages } = await catalogues[language]()
  const i18n = setupI18n({ locale: language, messages: { [language]: messages as unknown as Messages } })
  loaded.set(language, i18n)
  return i18n
}

export function catalogueOf(language: Language): I18n | undefined {
  return loaded.get(language)
}

export async function loadAllCatalogues(): Promise<void> {
  await Promise.all((Object.keys(catalogues) as Language[]).map(loadCatalogue))
}
