import { foldedWhileTyped } from '../i18n/folded.ts'
import { isLanguage, type Language } from '../i18n/languages.ts'

/** One emoji, with its search terms. */
export interface Emoji {
  emoji: string
  /** in the current language */
  name: string
  /** as `tada`; the same in every language */
  shortNames: readonly string[]
  /** folded: the name, its words, and the other search terms */
  words: readonly string[]
}

/** The groups of the picker, in order. */
export const emojiGroups = [
  'smileys',
  'people',
  'nature',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const
export type EmojiGroup = (typeof emojiGroups)[number]

export interface EmojiSet {
  /** In the order of Unicode. */
  groups: Readonly<Record<EmojiGroup, readonly Emoji[]>>
  all: readonly Emoji[]
}

type Names = { default: string[] }

/** Each language is a separate chunk; order and short names are shared. */
const names: Record<Language, () => Promise<Names>> = {
  de: () => import('./names/de.json'),
  en: () => import('./names/en.json'),
  es: () => import('./names/es.json'),
  fr: () => import('./names/fr.json'),
  hi: () => import('./names/hi.json'),
  it: () => import('./names/it.json'),
  ja: () => import('./names/ja.json'),
  ko: () => import('./names/ko.json'),
  nl: () => import('./names/nl.json'),
  pt: () => import('./names/pt.json'),
  ru: () => import('./names/ru.json'),
  tr: () => import('./names/tr.json'),
}

const sets = new Map<string, Promise<EmojiSet>>()

/**
 * Every emoji with its names in one language, or in English; loaded once. A failed load rejects, and the next call
 * tries again.
 */
export function readEmoji(language: string): Promise<EmojiSet> {
  const reading = sets.get(language) ?? read(language)
  sets.set(language, reading)
  reading.catch(() => sets.delete(language))
  return reading
}

async function read(language: string): Promise<EmojiSet> {
  const readNames = names[isLanguage(language) ? language : 'en']
  const [{ default: known }, { default: named }] = await Promise.all([import('./names/emoji.json'), readNames()])
  let place = 0
  const all = known.groups.map((group) =>
    group.split(' ').map((emoji): Emoji => {
      const [name = '', ...others] = named[place]!.split('|')
      const shortNames = known.shortNames[place]!.split(' ').filter(Boolean)
      place += 1
      return found(emoji, name, shortNames, others)
    }),
  )
  const regions = new Intl.DisplayNames(language, { type: 'region' })
  const countries = known.countries.split(' ').map((code) => found(flagOf(code), regions.of(code) ?? code, [], [code]))
  all[all.length - 1] = [...all.at(-1)!, ...countries]
  const groups = Object.fromEntries(
    emojiGroups.map((group, i) => [group, all[i] ?? []]),
  ) as unknown as EmojiSet['groups']
  return { groups, all: all.flat() }
}

function found(emoji: string, name: string, shortNames: readonly string[], others: readonly string[]): Emoji {
  const whole = foldedWhileTyped(name)
  const words = new Set([whole, ...whole.split(/[\s:,()-]+/), ...others.map(foldedWhileTyped)])
  return { emoji, name, shortNames, words: [...words].filter(Boolean) }
}

function flagOf(code: string): string {
  return String.fromCodePoint(...[...code].map((letter) => letter.charCodeAt(0) - 65 + 0x1f1e6))
}

/**
 * The emoji that match a text, best first: by short name, by name, by a word of it, by keyword.
 *
 * @param recent the recent ones; of two equal matches they come first
 */
export function findEmoji({ all }: EmojiSet, text: string, recent: readonly string[], limit: number): Emoji[] {
  const wanted = foldedWhileTyped(text).trim().replaceAll('_', ' ')
  if (!wanted) return []
  const ranked = all.flatMap((emoji) => {
    const rank = rankOf(emoji, wanted)
    return rank === undefined ? [] : [{ emoji, rank: recent.includes(bareTone(emoji.emoji)) ? rank - 0.5 : rank }]
  })
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ emoji }) => emoji)
}

function rankOf({ shortNames, words }: Emoji, wanted: string): number | undefined {
  const short = shortNames.map((name) => name.replaceAll('_', ' '))
  const [name = ''] = words
  if (short.includes(wanted) || name === wanted) return 0
  const begun = short.find((one) => one.startsWith(wanted))
  // "cat" before "camera flash": the shorter a name, the larger the part that is typed already.
  if (begun !== undefined) return 1 + begun.length / 100
  if (name.startsWith(wanted)) return 2
  if (words.some((word) => word.startsWith(wanted))) return 3
  // In scripts without spaces, words begin in any position.
  return wanted.length > 1 && words.some((word) => word.includes(wanted)) ? 4 : undefined
}

/** The skin tones, lightest first. */
const skinTones = ['🏻', '🏼', '🏽', '🏾', '🏿'] as const

/** The emoji in a skin tone, 1 to 5; unchanged if it has no skin tone, or two of them. */
export function withTone(emoji: string, tone: number): string {
  const modifier = skinTones[tone - 1]
  const points = [...emoji]
  const bases = points.filter((point) => /\p{Emoji_Modifier_Base}/u.test(point))
  if (!modifier || bases.length !== 1) return emoji
  const at = points.indexOf(bases[0]!)
  const after = points[at + 1] === '\ufe0f' ? at + 2 : at + 1
  return [...points.slice(0, at + 1), modifier, ...points.slice(after)].join('')
}

/** The emoji as in the set: without a skin tone. */
export function bareTone(emoji: string): string {
  return emoji.replace(/[\u{1f3fb}-\u{1f3ff}]/gu, '')
}
