import type { I18n } from '@lingui/core'
import { createContext, useContext } from 'react'
import type en from './catalogues/en.json'
import type { Language } from './languages.ts'

/** The name of one sentence; the English catalogue is the list. */
export type TextKey = keyof typeof en
export type TextValues = Record<string, string | number>

/** One sentence in the language shown, its placeholders filled in. */
export type Translate = (key: TextKey, values?: TextValues) => string

/** What the components read: the sentences, and the language for dates, lists and numbers. */
export interface Translation {
  t: Translate
  language: Language
  /** the language for times, as it is spoken where the reader is; `Intl` also reads from it whether days have 12 hours */
  locale: string
}

/** How hours are counted: `h12` begins again at noon, `h23` does not. */
export type Hours = 'h12' | 'h23'

export function translationOf(i18n: I18n, language: Language): Translation {
  return { language, locale: localeWith(language), t: (key, values) => i18n._(key, values) }
}

/** The same sentences, with the hours as somebody wants them; as the language has them unless told. */
export function withHours(translation: Translation, hours: Hours | undefined): Translation {
  return hours ? { ...translation, locale: localeWith(translation.language, hours) } : translation
}

/**
 * The language with its hours, as `Intl` reads it, and with the country that the browser names: somebody in Britain does not
 * read times as people in the USA do.
 */
export function localeWith(language: Language, hours?: Hours): string {
  const spoken = navigator.languages.find((one) => one.split('-', 1)[0] === language) ?? language
  return hours ? `${spoken}-u-hc-${hours}` : spoken
}

export const TranslationContext = createContext<Translation | undefined>(undefined)

/** @throws Error outside of `<Chat>` */
export function useTranslation(): Translation {
  const translation = useContext(TranslationContext)
  if (!translation) throw new Error('A chat component stands outside of <Chat>; put <Chat client={…}> around it.')
  return translation
}

export function useTranslate(): Translate {
  return useTranslation().t
}
