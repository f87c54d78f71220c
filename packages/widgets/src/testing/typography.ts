/** No-break spaces, wide and narrow. */
const FIXED = '\u00a0\u202f'

/** The opening and closing quotation marks of a language, and of quotes inside of quotes. */
const quotes: Record<string, string> = {
  de: '„“‚‘',
  en: '“”‘’',
  es: '«»“”',
  fr: '«»“”',
  hi: '“”‘’',
  it: '«»“”',
  ja: '「」『』',
  ko: '“”‘’',
  nl: '‘’',
  pt: '“”‘’',
  ru: '«»„“',
  tr: '“”‘’',
}
const ALL_QUOTES = [...new Set(Object.values(quotes).join(''))]

/** Faults of a text by the rules of every language, or of its own. */
export function misprints(language: string, text: string): string[] {
  const faults: [fault: string, found: boolean][] = [
    ['three dots instead of …', text.includes('...')],
    ['two spaces', text.includes('  ')],
    ['a straight quotation mark or apostrophe', /["']/.test(text)],
    ['a space before … that may break', text.includes(' …')],
    [
      'the quotation marks of another language',
      ALL_QUOTES.some((mark) => text.includes(mark) && !isOf(language, mark)),
    ],
    ...(ofLanguage[language]?.(text) ?? []),
  ]
  return faults.flatMap(([fault, found]) => (found ? [fault] : []))
}

/** ’ is also the apostrophe. */
const isOf = (language: string, mark: string) => mark === '’' || quotes[language]!.includes(mark)

const ofLanguage: Record<string, (text: string) => [fault: string, found: boolean][]> = {
  // A smiley and an address keep their colon.
  fr: (text) => [
    ['no fixed space before ; : ! ? »', new RegExp(`[^${FIXED}](?:[;!?»]|:(?!\\)|//))`).test(text)],
    ['no fixed space after «', new RegExp(`«(?![${FIXED}])`).test(text)],
  ],
  es: (text) => [
    ['a ? or ! without its ¿ or ¡', count(text, '?') !== count(text, '¿') || count(text, '!') !== count(text, '¡')],
  ],
  ja: (text) => [
    // An address keeps its space, so that it ends where it ends.
    ['a space between Japanese and Latin letters', /[ぁ-ヿ一-龥] (?!https:)[\w{]|[\w}] [ぁ-ヿ一-龥]/.test(text)],
    ['a half-width sign after Japanese', /[ぁ-ヿ一-龥][:?!(]/.test(text)],
  ],
}

const count = (text: string, sign: string) => text.split(sign).length - 1
