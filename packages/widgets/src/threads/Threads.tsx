import type { Thread } from '@parley/client'
import { type KeyboardEvent, useId, useState, useSyncExternalStore } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { channelName } from '../chat/channel-facts.ts'
import { PlaceState } from '../chat/PlaceState.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useMinute } from '../chat/use-minute.ts'
import { factsOf } from '../i18n/format.ts'
import { truncate } from '../i18n/graphemes.ts'
import { rowTime } from '../i18n/row-time.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { BADGE_MAX, INBOX_REPLIES, NAMED_BY_CHARS } from '../limits.ts'
import { avatarUser, nameOf } from '../messages/message-name.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { useNotices } from '../notices/use-notices.ts'
import { rove } from '../roving.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { Icon, ThreadIcon } from '../theme/icons.tsx'
import { SKELETON_ROWS, type ThreadInboxProps } from './ThreadInbox.tsx'
import { type ThreadInboxView, useThreadInbox } from './use-thread-inbox.ts'
import { useUnreadThreads } from './use-unread-threads.ts'
import './latest-replies.css'

/** The loaded content of the inbox. */
export default function Threads({ onSelect }: Pick<ThreadInboxProps, 'onSelect'>) {
  const t = useTranslate()
  const inbox = useThreadInbox()
  const { threads, at, hasMore, updated, refresh, loadMore } = inbox
  const [active, setActive] = useState<string>()
  const stop = threads.some(({ id }) => id === active) ? active : threads[0]?.id
  return (
    <>
      <Choice inbox={inbox} />
      {updated > 0 && (
        <p className="chat-channels-note">
          <button type="button" className="chat-button" onClick={refresh}>
            {t('threads.updated', { count: updated })}
          </button>
        </p>
      )}
      {threads.length > 0 && (
        <ul className="chat-channels-list" onKeyDown={(event) => rove(event, '.chat-channel-row', 'vertical')}>
          {threads.map((thread) => (
            <li key={thread.id} className="chat-thread-entry">
              <Row
                thread={thread}
                tabIndex={thread.id === stop ? 0 : -1}
                onFocus={() => setActive(thread.id)}
                onSelect={() => onSelect(thread)}
              />
            </li>
          ))}
        </ul>
      )}
      {at === 'loading' && threads.length === 0 && (
        <Skeleton kind="rows" count={SKELETON_ROWS} label={t('threads.loading')} />
      )}
      {at === 'loaded' && threads.length === 0 && (
        <PlaceState icon={<ThreadIcon />} title={t(inbox.unreadAlone ? 'threads.noneUnread' : 'threads.empty')} />
      )}
      {at === 'failed' && (
        <p className="chat-channels-note">
          <span>{t('threads.failed')}</span>
          <button type="button" className="chat-button" data-kind="quiet" onClick={loadMore}>
            {t('retry')}
          </button>
        </p>
      )}
      {at !== 'failed' && hasMore && (
        <p className="chat-channels-note">
          <button
            type="button"
            className="chat-button"
            data-kind="quiet"
            aria-disabled={at === 'loading' || undefined}
            onClick={() => at === 'loading' || loadMore()}
          >
            {t('threads.more')}
          </button>
        </p>
      )}
    </>
  )
}

/** All threads or the unread ones, and a button that marks all read. */
function Choice({ inbox }: { inbox: ThreadInboxView }) {
  const t = useTranslate()
  const notices = useNotices()
  const unread = useUnreadThreads()
  const markAll = () => inbox.markAllRead().catch((error) => notices.failed('threads.markAll.failed', error))
  return (
    <div className="chat-thread-choice">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are toggle buttons. */}
      <div role="group" aria-label={t('threads.filter')}>
        {[false, true].map((alone) => (
          <button
            key={String(alone)}
            type="button"
            className="chat-reaction"
            aria-pressed={inbox.unreadAlone === alone}
            onClick={() => inbox.showUnread(alone)}
          >
            <span>{t(alone ? 'threads.filter.unread' : 'threads.filter.all')}</span>
          </button>
        ))}
      </div>
      <button
        type="button"
        className="chat-button"
        data-kind="quiet"
        aria-disabled={unread === 0 || undefined}
        onClick={() => unread > 0 && void markAll()}
      >
        {t('threads.markAll')}
      </button>
    </div>
  )
}

interface RowProps {
  thread: Thread
  tabIndex: 0 | -1
  onFocus: () => void
  onSelect: () => void
}

/** The last reply and its author, the parent message and its channel. Earlier replies are collapsed below it. */
function Row({ thread, onSelect, ...focus }: RowProps) {
  const [open, setOpen] = useState(false)
  const latestId = useId()
  const { t, language, locale } = useTranslation()
  const me = useClient().userID
  const now = useMinute()
  const state = useSyncExternalStore(thread.subscribe, thread.snapshot, thread.snapshot)
  const where = channelName(t, language, useChannelState(thread.channel.preview), me)
  const { parent_message: parent, last_message_at } = state
  const latest = state.replies.filter(({ shadowed }) => !shadowed).slice(-INBOX_REPLIES)
  const last = latest.at(-1) ?? parent
  const unread = thread.unreadCount
  const author = nameOf(t, last, last.user.id === me)
  const line = t('channels.said', { author, text: messageSummary(t, last) })
  const about = messageSummary(t, parent)
  const time = rowTime(locale, last_message_at, now)
  const facts = [about, where, line, time, ...(unread > 0 ? [t('threads.unread', { count: unread })] : [])]
  const unfolds = latest.length > 1
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const wanted = {
      [rightToLeft ? 'ArrowLeft' : 'ArrowRight']: true,
      [rightToLeft ? 'ArrowRight' : 'ArrowLeft']: false,
    }
    if (unfolds && event.key in wanted) setOpen(wanted[event.key] ?? false)
  }
  return (
    <>
      <button
        type="button"
        className="chat-channel-row"
        data-unread={unread > 0 || undefined}
        onClick={onSelect}
        onKeyDown={press}
        {...focus}
      >
        <span className="chat-hidden">{factsOf(language, facts)}</span>
        <Avatar {...avatarUser(last)} size="large" />
        <span className="chat-channel-words" aria-hidden="true">
          <span className="chat-channel-top">
            <bdi className="chat-channel-name" title={about}>
              {about}
            </bdi>
            <span className="chat-channel-time">{time}</span>
          </span>
          <span className="chat-channel-bottom">
            <span className="chat-channel-line" dir="auto">
              {line}
            </span>
            {unread > 0 && <span className="chat-badge">{unread > BADGE_MAX ? `${BADGE_MAX}+` : unread}</span>}
          </span>
          <bdi className="chat-thread-where">{where}</bdi>
        </span>
      </button>
      {unfolds && (
        <IconButton
          label={t('threads.latest', { thread: truncate(about, NAMED_BY_CHARS) })}
          className="chat-thread-unfold"
          aria-expanded={open}
          aria-controls={open ? latestId : undefined}
          onClick={() => setOpen(!open)}
          {...focus}
        >
          <Icon>
            <path d="m6 9.5 6 6 6-6" />
          </Icon>
        </IconButton>
      )}
      {unfolds && open && (
        <ol id={latestId} className="chat-thread-latest">
          {latest.map((reply) => (
            <li key={reply.id}>
              <bdi>{nameOf(t, reply, reply.user.id === me)}</bdi>{' '}
              <time dateTime={reply.created_at.toISOString()}>{rowTime(locale, reply.created_at, now)}</time>
              <p dir="auto">{messageSummary(t, reply)}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
