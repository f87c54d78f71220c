import { expect, it } from 'vitest'
import { marked } from './marked.ts'
import { isSearchable } from './searchable.ts'

/** The text with its matches in brackets. */
const shown = (text: string, query: string) =>
  marked(text, query)
    .map((piece) => (piece.match ? `[${piece.text}]` : piece.text))
    .join('')

it('marks words that begin like those of the query, ignoring accents and case', () => {
  expect(shown('Éclairs tomorrow, and more éclairs', 'ecl TOM')).toBe('[Écl]airs [tom]orrow, and more [écl]airs')
  expect(shown('Declare it', 'clar')).toBe('Declare it')
  expect(shown('東京タワーで会いましょう', 'タワー')).toBe('東京[タワー]で会いましょう')
  expect(shown('İstanbul’a hoş geldiniz', 'ist')).toBe('[İst]anbul’a hoş geldiniz')
})

it('marks the longer of two words with the same beginning, once', () => {
  expect(shown('tea and teacups', 'tea teacup')).toBe('[tea] and [teacup]s')
})

it('leaves a text without a match as it is, also for a query that looks like a pattern', () => {
  expect(shown('What (is) this? 100%', '(is')).toBe('What [(is]) this? 100%')
  expect(shown('', 'tea')).toBe('')
  expect(shown('tea', '')).toBe('tea')
})

it('shows a match far into the text', () => {
  const text = `${'word '.repeat(40)}finally the teapot`
  expect(shown(text, 'teapot')).toMatch(/^… word (word )*finally the \[teapot\]$/)
})

it('searches from two characters on, or one if that is a word', () => {
  expect(['a', ' a ', 'ab', '茶', 'か', '차', ''].map(isSearchable)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
    false,
  ])
})
