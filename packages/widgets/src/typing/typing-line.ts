import type { User } from '@parley/client'
import { personName } from '../chat/seen-name.ts'
import { listOfPeople } from '../i18n/format.ts'
import type { Translate } from '../i18n/translate.ts'

/** "Ann is typing…", two by name, then "Several people are typing…"; empty for none [TYP-6]. */
export function typingLine(t: Translate, language: string, users: readonly Pick<User, 'id' | 'name'>[]): string {
  const names = users.map(personName)
  if (names[0] === undefined) return ''
  if (names.length === 1) return t('typing.one', { name: names[0] })
  return names.length === 2 ? t('typing.two', { names: listOfPeople(t, language, names) }) : t('typing.several')
}
