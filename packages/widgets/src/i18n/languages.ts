/** The languages of the kit, exactly these twelve [I18N-1]. */
export const languages = ['de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'tr'] as const
export type Language = (typeof languages)[number]

/** [I18N-3] */
export const DEFAULT_LANGUAGE: Language = 'en'

export function isLanguage(text: string): text is Language {
  return (languages as readonly string[]).includes(text)
}

/**
 * The language shown: the user's own if the kit has it, else the browser's by its first two letters, else English
 * [I18N-3…5].
 *
 * @param own      the user's language, two letters; `''` or absent when unset
 * @param browser  as in `navigator.language`, `'pt-BR'`
 * @param added    further languages, by their tags
 */
export function chooseLanguage<Added extends string = never>(
  own: string | undefined,
  browser: string | undefined,
  added: readonly Added[] = [],
): Language | Added {
  const known: readonly (Language | Added)[] = [...languages, ...added]
  const find = (wanted: string | undefined) => known.find((one) => one === wanted)
  return find(own) ?? find(browser?.slice(0, 2).toLowerCase()) ?? DEFAULT_LANGUAGE
}
