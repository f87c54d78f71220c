import { expect, it } from 'vitest'
import type { Translate } from '../i18n/translate.ts'
import { outcomeOf } from './outcome.ts'

const t: Translate = (key, values = {}) => `${key} ${Object.values(values).join(' ')}`.trim()
const answered = (command: string, text: string, type = 'ephemeral') => outcomeOf(t, { type, text, command })

it('[CMD-1][CMD-2][CMD-3][CMD-4] the result of a command is in the language of the reader', () => {
  expect(answered('ban', 'Bo Lindqvist is banned from this channel.')).toEqual({ text: 'ban.done Bo Lindqvist' })
  expect(answered('unban', 'Bo may write in this channel again.')).toEqual({ text: 'unban.done Bo' })
  expect(answered('mute', 'ليلى حداد is muted for you.')).toEqual({ text: 'mute.done ليلى حداد' })
  expect(answered('unmute', 'Bo is no longer muted for you.')).toEqual({ text: 'unmute.done Bo' })
})

it('a failed command is named, with the reason', () => {
  const details = 'Say whom: /mute @somebody'
  expect(answered('mute', details, 'error')).toEqual({ text: 'outcome.failed /mute', details })
})

it('other texts, and other messages, stay as they are', () => {
  expect(answered('ban', 'Bo was sent to bed.')).toBeUndefined()
  expect(answered('giphy', '/giphy cats')).toBeUndefined()
  expect(answered('constructor', 'Bo is muted for you.')).toBeUndefined()
  expect(outcomeOf(t, { type: 'regular', text: 'Bo is muted for you.' })).toBeUndefined()
  expect(answered('mute', 'Bo is muted for you.', 'regular')).toBeUndefined()
})
