import { expect, it } from 'vitest'
import { isSearchable } from './searchable.ts'

it.each(['茶', 'た', '한', '้ก', '👍', '❤️', '❤', '🇹🇷', 'ab', 'ñá'])('%s is searched', (text) =>
  expect(isSearchable(` ${text} `)).toBe(true),
)

it.each(['', ' ', 'a', 'я', '1'])('%j is too short', (text) => expect(isSearchable(text)).toBe(false))
