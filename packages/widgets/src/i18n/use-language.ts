import { type Messages, setupI18n } from '@lingui/core'
import { systemClock } from '@parley/client'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { givenTexts } from './given-texts.ts'
import { chooseLanguage, DEFAULT_LANGUAGE, isLanguage, type Language } from './languages.ts'
import { CatalogueLoader } from './load-catalogue.ts'
import { type Translation, translationOf } from './translate.ts'

/** Every language but English, which needs no loading [I18N-1]. */
export const catalogueLoader = new CatalogueLoader({
  catalogues: {
    de: () => import('./catalogues/de.json'),
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
  },
  clock: systemClock,
  log: (problem) => console.warn(problem),
})

/**
 * Preloads the sentences of a language, so that `Chat` uses it at once. Never rejects: if loading fails, the texts are
 * in English [I18N-11].
 */
export async function loadLanguage(language: Language): Promise<void> {
  if (language !== DEFAULT_LANGUAGE) await catalogueLoader.load(language)
}

/**
 * The sentences in the language of the reader. English is available at once, and so is a language that was loaded
 * before or added; another one replaces English when its chunk is loaded, and `language` changes with it.
 */
export function useLanguage(own: string | undefined, browser: string | undefined): Translation {
  const given = useSyncExternalStore(givenTexts.subscribe, givenTexts.snapshot, givenTexts.snapshot)
  const wanted = chooseLanguage(own, browser, Object.keys(given))
  const [, setArrived] = useState<Messages>()
  useEffect(() => {
    if (wanted === DEFAULT_LANGUAGE || !isLanguage(wanted) || catalogueLoader.loaded(wanted)) return
    let current = true
    void catalogueLoader.load(wanted).then((messages) => current && setArrived(messages))
    return () => {
      current = false
    }
  }, [wanted])

  const messages = catalogueLoader.loaded(wanted)
  return useMemo(() => {
    const language = messages || !isLanguage(wanted) ? wanted : DEFAULT_LANGUAGE
    const i18n = setupI18n({ locale: language, messages: { [language]: { ...messages, ...given[language] } } })
    return translationOf(i18n, language)
  }, [wanted, messages, given])
}
