import type { User } from '@parley/client'
import { nameOfUser } from '../chat/seen-name.ts'
import type { Translate } from '../i18n/translate.ts'

/** Whoever wrote, reacted or voted. */
interface Deed {
  user?: Pick<User, 'id' | 'name' | 'deleted_at'> | null
  user_id?: string
}

/** What to call whoever did something. It stays when they are gone, and their name does not. */
export function nameOf(t: Translate, deed: Deed, own = false): string {
  if (own) return t('message.you')
  return deed.user?.deleted_at ? t('message.deletedUser') : nameOfUser(deed)
}
