import type { ChannelData, ChatClient, Message } from '@parley/client'
import { splitCid } from '@parley/protocol/cid'
import { Avatar } from '../avatar/Avatar.tsx'
import { channelName, othersOf } from '../chat/channel-facts.ts'
import { seenName } from '../chat/seen-name.ts'
import { useClient } from '../chat/use-client.ts'
import { useMinute } from '../chat/use-minute.ts'
import { fullTime, rowTime } from '../i18n/row-time.ts'
import { type Translation, useTranslation } from '../i18n/translate.ts'
import { avatarUser, nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { ThreadIcon } from '../theme/icons.tsx'
import { Marked } from './Marked.tsx'

/** A message in a search answer. */
export type FoundMessage = Message & { channel?: ChannelData }

export interface MessageHitProps {
  message: FoundMessage
  query: string
  /** shows the name of its channel */
  placed: boolean
  current: boolean
  tabIndex: 0 | -1
  onFocus: () => void
  onSelect: () => void
}

/** A search result: its author, time, channel, and the matching text. */
export function MessageHit({ message, query, placed, current, onSelect, ...focus }: MessageHitProps) {
  const translation = useTranslation()
  const { t, locale } = translation
  const client = useClient()
  const me = client.userID
  const now = useMinute()
  const author = nameOf(t, message, message.user.id === me)
  const said = new Date(message.created_at)
  const where = placed ? placeOf(message, client, translation) : undefined
  return (
    <button
      type="button"
      className="chat-hit"
      aria-current={current || undefined}
      data-active={current || undefined}
      onClick={onSelect}
      {...focus}
    >
      <Avatar {...avatarUser(message)} size="small" />
      <span className="chat-hit-words">
        <span className="chat-hit-top">
          <bdi className="chat-hit-name">{author}</bdi>
          <time className="chat-channel-time" dateTime={said.toISOString()} title={fullTime(locale, said)}>
            {rowTime(locale, said, now)}
          </time>
        </span>
        <span className="chat-hit-text" dir="auto">
          <Marked text={messageSummary(t, message)} query={query} />
        </span>
        {(where || message.parent_id) && (
          <span className="chat-hit-where">
            {where && <bdi>{where}</bdi>}
            {message.parent_id && (
              <span className="chat-hit-thread">
                <ThreadIcon />
                <span>{t('search.inThread')}</span>
              </span>
            )}
          </span>
        )}
      </span>
    </button>
  )
}

/** The name of its channel; if it has none, the names of its known members. */
function placeOf({ cid, channel }: FoundMessage, client: ChatClient, { t, language }: Translation): string | undefined {
  const named = seenName(channel?.name)
  if (named || !client.userID) return named
  const { type, id } = splitCid(cid)
  const state = client.channel(type, id).snapshot()
  return othersOf(state, client.userID).length > 0 ? channelName(t, language, state, client.userID) : undefined
}
