import type { Channel, LocalMessage, User } from '@parley/client'
import { Avatar } from '../avatar/Avatar.tsx'
import { personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useMinute } from '../chat/use-minute.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import type { Elements } from '../elements.ts'
import { fullTime, rowTime } from '../i18n/row-time.ts'
import { useTranslation } from '../i18n/translate.ts'
import { READERS_LISTED_MAX } from '../limits.ts'
import { useReceipt } from './use-receipt.ts'

export interface ReadersDialogProps {
  channel: Channel
  message: LocalMessage
  onClose: () => void
}

/** The members who have read an own message, and in groups that are not too large those who have not [READ-19]. */
export default function ReadersDialog({ channel, message, onClose }: ReadersDialogProps) {
  const { t, locale } = useTranslation()
  const now = useMinute()
  const { members, read, data } = useChannelState(channel)
  const readers = useReceipt(channel, message.id)?.readers ?? []
  const others = Object.values(members).flatMap(({ user }) =>
    user && user.id !== message.user.id ? [user as User] : [],
  )
  const waiting = others.filter(({ id }) => !readers.some((reader) => reader.id === id))
  const all = (data.member_count ?? others.length) <= READERS_LISTED_MAX
  return (
    <ChatDialog title={t('readers.title')} onClose={onClose}>
      <h3 className="chat-people-title">{t('readers.read', { count: readers.length })}</h3>
      <ul className="chat-people">
        {readers.map((user) => {
          const time = read[user.id]?.last_read
          return (
            <Person key={user.id} user={user}>
              {time && (
                <time className="chat-person-about" dateTime={time.toISOString()} title={fullTime(locale, time)}>
                  {rowTime(locale, time, now)}
                </time>
              )}
            </Person>
          )
        })}
      </ul>
      {all && waiting.length > 0 && (
        <>
          <h3 className="chat-people-title">{t('readers.waiting', { count: waiting.length })}</h3>
          <ul className="chat-people">
            {waiting.map((user) => (
              <Person key={user.id} user={user} />
            ))}
          </ul>
        </>
      )}
    </ChatDialog>
  )
}

function Person({ user, children }: { user: User; children?: Elements }) {
  const name = personName(user)
  return (
    <li className="chat-person">
      <Avatar id={user.id} name={name} image={user.image} size="small" />
      <bdi className="chat-person-name">{name}</bdi>
      {children}
    </li>
  )
}
