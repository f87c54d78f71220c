import { expect, it } from 'vitest'
import { hueOf, initialsOf } from './avatar-look.ts'

it('takes the first letters of the first and the last word', () => {
  const names = [
    'Ada Lovelace',
    'Ada',
    'maria von der leyen',
    'Trade fair Hamburg 🚢',
    '山田 由紀',
    '日本語の練習 ☕',
    '🎉',
    '',
  ]
  expect(names.map(initialsOf)).toEqual(['AL', 'A', 'ML', 'TH', '山由', '日', '', ''])
})

it('gives one id one hue, and other ids other hues', () => {
  expect(hueOf('ada')).toBe(hueOf('ada'))
  expect(new Set(['ada', 'bo', 'cy', 'dana', 'elif', 'finn'].map(hueOf)).size).toBeGreaterThan(3)
})
