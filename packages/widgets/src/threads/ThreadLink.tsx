import type { LocalMessage } from '@parley/client'
import { useContext } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { READERS_SHOWN } from '../limits.ts'
import { avatarUser } from '../messages/message-name.ts'
import { ThreadIcon } from '../theme/icons.tsx'
import { OpenThread } from './thread-scope.ts'

/**
 * Under a message with a thread: the number of replies and their authors; under a reply shown in the channel: a link to
 * its thread.
 */
export function ThreadLink({ id: ownId, message, entered }: { id: string; message: LocalMessage; entered: boolean }) {
  const t = useTranslate()
  const open = useContext(OpenThread)
  const { id, parent_id, reply_count, thread_participants = [] } = message
  if (!open || (!parent_id && !reply_count)) return null
  return (
    <button
      type="button"
      id={ownId}
      className="chat-thread-link"
      tabIndex={entered ? 0 : -1}
      onClick={() => open(parent_id ?? id)}
    >
      {parent_id ? (
        <>
          <ThreadIcon />
          <span>{t('thread.inChannel')}</span>
        </>
      ) : (
        <>
          <span className="chat-thread-faces" aria-hidden="true">
            {thread_participants.slice(0, READERS_SHOWN).map((user) => (
              <Avatar key={user.id} {...avatarUser({ user })} size="tiny" />
            ))}
          </span>
          <span>{t('thread.replies', { count: reply_count })}</span>
        </>
      )}
    </button>
  )
}
