import type { User } from '@parley/client'
import { personName } from '../chat/seen-name.ts'
import type { Translate } from '../i18n/translate.ts'

/** "Ann is typing…", two by name, then "Several people are typing…"; empty for none [TYP-6]. */
export function typingLine(t: Translate, users: readonly Pick<User, 'id' | 'name'>[]): string {
  const [first, second] = users.map(personName)
  if (first === undefined) return ''
  if (second === undefined) return t('typing.one', { name: first })
  return users.length === 2 ? t('typing.two', { first, second }) : t('typing.several')
}
