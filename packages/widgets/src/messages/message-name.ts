import type { User } from '@parley/client'
import { nameOfUser } from '../chat/seen-name.ts'
import type { Translate } from '../i18n/translate.ts'

/** A message, reaction or vote: anything with a user. */
interface UserAction {
  user?: Pick<User, 'id' | 'name' | 'image' | 'deleted_at'> | null
  user_id?: string
}

/** The display name of its user; "deleted user" after that user is deleted. */
export function nameOf(t: Translate, action: UserAction, own = false): string {
  if (own) return t('message.you')
  return action.user?.deleted_at ? t('message.deletedUser') : nameOfUser(action)
}

/** The avatar props of its user; blank for a deleted user [interface.md 7.27]. */
export function avatarUser(action: UserAction): { id: string; name: string; image?: string } {
  const { user, user_id = '' } = action
  if (user?.deleted_at) return { id: '', name: '' }
  return { id: user?.id ?? user_id, name: nameOfUser(action), image: user?.image }
}
