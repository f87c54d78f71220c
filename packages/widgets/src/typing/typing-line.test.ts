import { setupI18n } from '@lingui/core'
import { expect, it } from 'vitest'
import en from '../i18n/catalogues/en.json'
import { translationOf } from '../i18n/translate.ts'
import { typingLine } from './typing-line.ts'

const { t } = translationOf(setupI18n({ locale: 'en', messages: { en } }), 'en')
const [ada, bo, cy] = [{ id: 'ada', name: 'Ada' }, { id: 'bo', name: 'Bo' }, { id: 'cy' }]

it('[TYP-6] names the typing users: none, one, two, or several', () => {
  expect(typingLine(t, [])).toBe('')
  expect(typingLine(t, [cy!])).toBe('cy is typing…')
  expect(typingLine(t, [ada!, bo!])).toBe('Ada and Bo are typing…')
  expect(typingLine(t, [ada!, bo!, cy!])).toBe('Several people are typing…')
})
