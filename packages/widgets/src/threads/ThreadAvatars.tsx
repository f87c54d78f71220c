import type { User } from '@parley/client'
import { Avatar } from '../avatar/Avatar.tsx'
import { listOf } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { READERS_SHOWN } from '../limits.ts'
import { avatarUser, nameOf } from '../messages/message-name.ts'

/** The participants of a thread: a few avatars, and all their names in the tooltip and for screen readers. */
export function ThreadAvatars({ people }: { people: readonly User[] }) {
  const { t, language } = useTranslation()
  if (people.length === 0) return null
  const nameOfOne = (user: User) => nameOf(t, { user })
  const names = listOf(language, people.map(nameOfOne))
  const label = t('thread.participants', { names })
  const more = people.length - READERS_SHOWN
  return (
    <span className="chat-thread-faces" role="img" aria-label={label} title={label}>
      {people.slice(0, READERS_SHOWN).map((user) => (
        <Avatar key={user.id} {...avatarUser({ user })} size="tiny" />
      ))}
      {more > 0 && <span aria-hidden="true">{t('status.more', { count: more })}</span>}
    </span>
  )
}
