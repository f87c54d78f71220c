import type { User } from '@parley/client'
import { personName } from '../chat/seen-name.ts'
import type { Translate } from '../i18n/translate.ts'

/** What to call the author of a message. */
export function nameOf(
  t: Translate,
  { user }: { user: Pick<User, 'id' | 'name' | 'deleted_at'> },
  own: boolean,
): string {
  if (own) return t('message.you')
  if (user.deleted_at) return t('message.deletedUser')
  return personName(user)
}
