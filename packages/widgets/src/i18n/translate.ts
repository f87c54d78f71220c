import type { I18n } from '@lingui/core'
import { createContext, useContext } from 'react'
import type en from './catalogues/en.json'
import { english } from './english.ts'
import { givenTexts } from './given-texts.ts'
import { type Hours, localeWith } from './locale-with.ts'

/** The key of one sentence; the English catalogue is the list. */
export type TextKey = keyof typeof en
export type TextValues = Record<string, string | number>

/** One sentence in the current language, with its placeholders filled in. */
export type Translate = (key: TextKey, values?: TextValues) => string

/** The context of the components: the sentences, and the language for dates, lists and numbers. */
export interface Translation {
  t: Translate
  /** one of the kit's, or one that was added */
  language: string
  /** the locale for times, with the reader's country; `Intl` also takes the hour cycle from it */
  locale: string
}

export function translationOf(i18n: I18n, language: string): Translation {
  const own = givenTexts.snapshot().en ?? {}
  // English is the fallback of every language, so a bare key is never seen [I18N-11].
  const t: Translate = (key, values) => i18n._(key, values, { message: (own[key] ?? english[key]) as string })
  return { language, locale: localeWith(language), t }
}

/** The same sentences, with the hour cycle of the preferences; by default that of the language. */
export function withHours(translation: Translation, hours: Hours | undefined): Translation {
  return hours ? { ...translation, locale: localeWith(translation.language, hours) } : translation
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
