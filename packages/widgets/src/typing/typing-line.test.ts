import { setupI18n } from '@lingui/core'
import { expect, it } from 'vitest'
import en from '../i18n/catalogues/en.json'
import es from '../i18n/catalogues/es.json'
import ja from '../i18n/catalogues/ja.json'
import { translationOf } from '../i18n/translate.ts'
import { typingLine } from './typing-line.ts'

const { t } = translationOf(setupI18n({ locale: 'en', messages: { en } }), 'en')
const spanish = translationOf(setupI18n({ locale: 'es', messages: { es } }), 'es')
const japanese = translationOf(setupI18n({ locale: 'ja', messages: { ja } }), 'ja')
const [ada, bo, cy] = [{ id: 'ada', name: 'Ada' }, { id: 'bo', name: 'Bo' }, { id: 'cy' }]

it('[TYP-6] names the typing users: none, one, two, or several', () => {
  expect(typingLine(t, 'en', [])).toBe('')
  expect(typingLine(t, 'en', [cy!])).toBe('cy is typing…')
  expect(typingLine(t, 'en', [ada!, bo!])).toBe('Ada and Bo are typing…')
  expect(typingLine(t, 'en', [ada!, bo!, cy!])).toBe('Several people are typing…')
})

it('joins two names as their language does', () => {
  const [ana, ines] = [
    { id: 'ana', name: 'Ana' },
    { id: 'ines', name: 'Inés' },
  ]
  expect(typingLine(spanish.t, 'es', [ana, ines])).toBe('Ana e Inés están escribiendo…')
  const [taro, hana] = [
    { id: 'taro', name: '山田太郎' },
    { id: 'hana', name: '佐藤花子' },
  ]
  expect(typingLine(japanese.t, 'ja', [taro, hana])).toBe('山田太郎さん、佐藤花子さんが入力中…')
})
