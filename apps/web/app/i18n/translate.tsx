import type { I18n } from '@lingui/core'
import { I18nProvider, useLingui } from '@lingui/react'
import { type ReactNode, useEffect, useState } from 'react'
import { catalogueOf, loadCatalogue, type MessageKey } from './catalogues.ts'
import type { Language } from './languages.ts'

export type Translate = (key: MessageKey, values?: Record<string, unknown>) => string

/** The product's sentences in the language of the page. */
export function useTranslate(): Translate {
  const { i18n } = useLingui()
  return (key, values) => i18n._(key, values)
}

/** The language of the product's sentences, for `Intl`. */
export function useLocale(): string {
  return useLingui().i18n.locale
}

/** Keeps the sentences of before on screen until those of a newly chosen language are there. */
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
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>
}
