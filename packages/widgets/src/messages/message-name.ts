import type { User } from '@parley/client'
import { nameOfUser } from '../chat/seen-name.ts'
import type { Translate } from '../i18n/translate.ts'

/** Whoever wrote, reacted or voted. */
interface Deed {
  user?: Pick<User, 'id' | 'name' | 'image' | 'deleted_at'> | null
  user_id?: string
}

/** What to call whoever did something. It stays when they are gone, and their name does not. */
export function nameOf(t: Translate, deed: Deed, own = false): string {
  if (own) return t('message.you')
  return deed.user?.deleted_at ? t('message.deletedUser') : nameOfUser(deed)
}

/** What is drawn of whoever did something; of somebody who is gone it is nobody's face [interface.md 7.27]. */
export function userShownOf(deed: Deed): { id: string; name: string; image?: string } {
  const { user, user_id = '' } = deed
  if (user?.deleted_at) return { id: '', name: '' }
  return { id: user?.id ?? user_id, name: nameOfUser(deed), image: user?.image }
}
