import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { isUnspaced, spaced, wantedOf, wordsOf } from './words.ts'

const long = 'x'.repeat(64)

describe('the words of a text', () => {
  for (const [text, words] of [
    ['', []],
    ['Two TEAS, please: 2 of them', ['two', 'teas', 'please', '2', 'of', 'them']],
    ['tea tea', ['tea']],
    [`${long}y and`, [long, 'and']],
    [`é${long}`, [`e${long.slice(1)}`]],
    ['Ärger im Café', ['arger', 'im', 'cafe']],
    ['naïve', ['naive']],
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー', 'ー']],
    ['茶', ['茶']],
    ['tea茶', ['tea', '茶']],
    ['so 🍵🍰', ['so', '🍵', '🍰']],
    ['❤️ 👍🏽 🇹🇷🇯🇵', ['❤', '👍', '🇹🇷', '🇯🇵']],
    ['Straße, ŁÓDŹ, par\u00adley', ['strasse', 'lodz', 'parley']],
  ] as const)
    it(`${JSON.stringify(text)} has ${words.length}`, () => assert.deepEqual([...wordsOf(text)], words))

  it('are cut off between characters, not through one', () => {
    const [word] = wordsOf('𝒳'.repeat(70))
    assert.equal([...word!].length, 64)
    const [allowLoopback] = wordsOf('𐐨'.repeat(70))
    assert.equal(allowLoopback, '𐐨'.repeat(64))
  })
})

describe('search terms', () => {
  const wanted = (text: string, beginnings: boolean) =>
    wantedOf(text, { beginnings }).map(({ word, isBeginning }) => word + (isBeginning ? '…' : ''))

  it('is words, or how they begin', () => {
    assert.deepEqual(wanted('Green tea', false), ['green', 'tea'])
    assert.deepEqual(wanted('Green tea', true), ['green…', 'tea…'])
  })

  it('is pairs of letters where words are not spaced, and the prefix of a pair for one letter', () => {
    for (const beginnings of [true, false]) {
      assert.deepEqual(wanted('東京タ', beginnings), ['東京', '京タ'])
      assert.deepEqual(wanted('東京', beginnings), ['東京…'])
      assert.deepEqual(wanted('東', beginnings), ['東…'])
    }
  })

  it('is each word once, and sixty-four at most', () => {
    assert.deepEqual(wanted('tea Tea téa', false), ['tea'])
    const many = Array.from({ length: 70 }, (_, i) => `w${i}`)
    assert.deepEqual(wanted(many.join(' '), false), many.slice(0, 64))
  })
})

it('a name is surrounded by spaces, whatever ends its words', () => {
  assert.equal(spaced('  Ada-Marie  O’Neill!'), ' ada marie o neill ')
  assert.equal(spaced('ΟΔΥΣΣΕΥΣ'), spaced('οδυσσευς'))
  assert.ok(spaced('Ὀδυσσεὺς Ἰθάκης').startsWith(' οδυσσευσ '))
})

it('letters of scripts without spaces are indexed beside other words', () => {
  assert.deepEqual(['茶', 'カ', 'ชา', '🍵', 'tea', 'чай'].map(isUnspaced), [true, true, true, true, false, false])
})
