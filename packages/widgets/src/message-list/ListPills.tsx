import type { ReactNode } from 'react'
import { timeOfDay } from '../i18n/row-time.ts'
import { useTranslation } from '../i18n/translate.ts'
import { BADGE_MAX } from '../limits.ts'
import { nameOf } from '../messages/message-name.ts'
import { CloseIcon } from '../theme/icons.tsx'
import { dayWithin } from './day-name.ts'
import { sameDay } from './message-rows.ts'
import type { MessageListView } from './use-message-list.ts'
import { useToday } from './use-today.ts'

/** The pills that float over the messages: up to the unread ones, back from a jump, and down to the newest. */
export function ListPills({ list }: { list: MessageListView }) {
  const { t } = useTranslation()
  return (
    <>
      <div className="chat-list-top">
        {list.travelling && (
          <span className="chat-pill">
            <span className="chat-spinner" />
            <span>{t('messages.loading')}</span>
          </span>
        )}
        {!list.travelling && list.lineAbove && list.line && <UnreadPill list={list} line={list.line} />}
      </div>
      <div className="chat-list-bottom">
        {list.canGoBack && (
          <button type="button" className="chat-pill" onClick={list.goBack}>
            {t('messages.back')}
          </button>
        )}
        {!list.pinned && (
          <LatestButton
            below={list.below}
            mentionedBy={list.mention && nameOf(t, list.mention)}
            onPress={list.mention ? () => list.jumpTo(list.mention!.id) : list.jumpToLatest}
          />
        )}
      </div>
    </>
  )
}

function UnreadPill({ list, line }: { list: MessageListView; line: NonNullable<MessageListView['line']> }) {
  const { t, language, locale } = useTranslation()
  const today = useToday()
  const since = sameDay(line.after, today) ? timeOfDay(locale, line.after) : dayWithin(language, line.after, today)
  return (
    <span className="chat-pill" data-kind="unread">
      <button type="button" onClick={list.jumpToUnread}>
        <Arrow up />
        <span>{t('messages.unreadSince', { count: line.count, time: since })}</span>
      </button>
      <button type="button" aria-label={t('messages.markRead')} title={t('messages.markRead')} onClick={list.markRead}>
        <CloseIcon />
      </button>
    </span>
  )
}

export interface LatestButtonProps {
  below: number
  /** users who mentioned the reader in the messages below: the first mention is the first target */
  mentionedBy?: string | undefined
  onPress: () => void
}

/** Button to the newest message that stops at mentions of the reader first; shows how many messages are new. */
export function LatestButton({ below, mentionedBy, onPress }: LatestButtonProps): ReactNode {
  const { t } = useTranslation()
  if (mentionedBy !== undefined)
    return (
      <button type="button" className="chat-pill" data-kind="mention" onClick={onPress}>
        <Arrow />
        <bdi>{t('messages.latest.mention', { author: mentionedBy })}</bdi>
      </button>
    )
  return (
    <button
      type="button"
      className="chat-latest"
      aria-label={below > 0 ? t('messages.latest.count', { count: below }) : t('messages.latest')}
      onClick={onPress}
    >
      <Arrow />
      {below > 0 && (
        <span className="chat-latest-count" aria-hidden="true">
          {below > BADGE_MAX ? `${BADGE_MAX}+` : below}
        </span>
      )}
    </button>
  )
}

function Arrow({ up = false }: { up?: boolean }) {
  return (
    <svg className="chat-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={up ? 'M12 19V5M6 11l6-6 6 6' : 'M12 5v14M6 13l6 6 6-6'} />
    </svg>
  )
}
