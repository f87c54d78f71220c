/** The languages of chat and of the pages around it, by their own names. */
export const languages = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  hi: 'हिन्दी',
  it: 'Italiano',
  ja: '日本語',
  ko: '한국어',
  nl: 'Nederlands',
  // Portugal gets it, too, and is told which one it is.
  pt: 'Português (Brasil)',
  ru: 'Русский',
  tr: 'Türkçe',
} as const

export type Language = keyof typeof languages

/** Whether forms in this language ask for the family name before the given name. */
export function asksFamilyNameFirst(language: string): boolean {
  return language === 'ja' || language === 'ko'
}

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(languages, value)
}

/**
 * The user's language when it is supported [I18N-4]; else the first two letters of the browser's language; else English
 * [I18N-5].
 *
 * @param accepted  the browser's languages as in the header Accept-Language; only the first one counts
 */
export function chooseLanguage(own: string | null | undefined, accepted: string | null): Language {
  if (isLanguage(own)) return own
  const first = accepted?.trim().slice(0, 2).toLowerCase()
  return isLanguage(first) ? first : 'en'
}
