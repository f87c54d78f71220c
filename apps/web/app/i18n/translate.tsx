import type { I18n } from '@lingui/core'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { catalogueOf, loadCatalogue, type MessageKey } from './catalogues.ts'
import type { Language } from './languages.ts'

export type Translate = (key: MessageKey, values?: Record<string, unknown>) => string

const I18nContext = createContext<I18n | undefined>(undefined)

/** The product's texts in the page's language; the function is the same until the language changes. */
export function useTranslate(): Translate {
  return useI18n().t
}

/** The language of the product's texts, for `Intl`. */
export function useLocale(): string {
  return useI18n().locale
}

function useI18n(): I18n {
  const i18n = useContext(I18nContext)
  if (!i18n) throw new Error('There is no Translations around this.')
  return i18n
}

/** Keeps the old texts on screen until the newly chosen language has loaded. */
export function Translations({ language, children }: { language: Language; children: ReactNode }) {
  const [last, setLast] = useState<I18n | undefined>(() => catalogueOf(language))
  const i18n = catalogueOf(language) ?? last

  useEffect(() => {
    let current = true
    loadCatalogue(language).then((catalogue) => {
      if (current) setLast(catalogue)
    }, console.error)
    return () => {
      current = false
    }
  }, [language])

  if (!i18n) throw new Error(`The catalogue "${language}" was not loaded before rendering.`)
  return <I18nContext value={i18n}>{children}</I18nContext>
}
