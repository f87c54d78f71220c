import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { languages } from '../i18n/languages.ts'
import { bareTone, emojiGroups, findEmoji, readEmoji, withTone } from './emoji-set.ts'

/** The rest of the picker's 45 kB, for the emoji and their names in one language [interface.md 10.1]. */
const NAMES_LIMIT_BYTES = 41 * 1_024

/** Words for a cat and a house. */
const words: Record<(typeof languages)[number], [string, string]> = {
  de: ['katze', 'haus'],
  en: ['cat', 'house'],
  es: ['gato', 'casa'],
  fr: ['chat', 'maison'],
  hi: ['बिल्ली', 'घर'],
  it: ['gatto', 'casa'],
  ja: ['ネコ', '家'],
  ko: ['고양이', '집'],
  nl: ['kat', 'huis'],
  pt: ['gato', 'casa'],
  ru: ['кот', 'дом'],
  tr: ['kedi', 'ev'],
}

const find = async (language: (typeof languages)[number], text: string, recent: string[] = []) =>
  findEmoji(await readEmoji(language), text, recent, 50).map(({ emoji }) => emoji)

it.each([...languages])('emoji are named and found in %s, and by their short names', async (language) => {
  const set = await readEmoji(language)
  for (const group of emojiGroups) expect(set.groups[group].length, group).toBeGreaterThan(50)
  expect(set.all.filter(({ name }) => name === '')).toEqual([])
  const [cat, house] = words[language]
  expect(await find(language, cat)).toContain('🐈')
  expect(await find(language, house)).toContain('🏠')
  expect((await find(language, 'tada'))[0]).toBe('🎉')
  const germany = new Intl.DisplayNames(language, { type: 'region' }).of('DE')!
  expect(await find(language, germany)).toContain('🇩🇪')
})

it.each([...languages])('the names in %s are a small download', (language) => {
  const read = (file: string) =>
    JSON.stringify(JSON.parse(readFileSync(join(import.meta.dirname, 'names', file), 'utf8')))
  const bytes = [`${language}.json`, 'emoji.json'].map((file) => gzipSync(read(file), { level: 9 }).length)
  expect(bytes[0]! + bytes[1]!).toBeLessThanOrEqual(NAMES_LIMIT_BYTES)
})

describe('a search', () => {
  it('ignores accents and case, also of dotted and dotless i', async () => {
    expect(await find('fr', 'ETOILE')).toContain('⭐')
    expect(await find('tr', 'SIRITAN')).toContain('😀')
  })

  it('finds a half-typed Hangul syllable', async () => {
    expect(await find('ko', '고야')).toContain('🐈')
  })

  it('prefers recent emoji among equal matches', async () => {
    const [first, second] = await find('en', 'cat')
    expect((await find('en', 'cat', [second!]))[0]).toBe(second)
    expect(first).not.toBe(second)
  })
})

it('a skin tone applies to a single person, and can be removed again', () => {
  expect(withTone('👍', 3)).toBe('👍🏽')
  expect(withTone('🕵️‍♀️', 1)).toBe('🕵🏻‍♀️')
  expect(withTone('🐈', 3)).toBe('🐈')
  expect(withTone('👍', 0)).toBe('👍')
  expect(bareTone('👍🏽')).toBe('👍')
})
