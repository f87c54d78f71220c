import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import type { MouseEvent } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { channelAvatar, channelName, partnerOf } from '../chat/channel-facts.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useMinute } from '../chat/use-minute.ts'
import { useDraft } from '../composer/use-composer.ts'
import type { Elements } from '../elements.ts'
import { factsOf, timeAgo } from '../i18n/format.ts'
import { fullTime, rowTime } from '../i18n/row-time.ts'
import { useTranslation } from '../i18n/translate.ts'
import { BADGE_MAX } from '../limits.ts'
import { DeliveryIcon } from '../messages/MessageMeta.tsx'
import { useWaits } from '../messages/use-waits.ts'
import { useMutedChannels, useMutedIds } from '../moderation/own-lists.ts'
import { useReceipt } from '../reads/use-receipt.ts'
import { MuteIcon, PinIcon, WarningIcon } from '../theme/icons.tsx'
import { typingLine } from '../typing/typing-line.ts'
import { useTypists } from '../typing/use-typists.ts'
import { lastActivity } from './channel-order.ts'
import { lastLine } from './last-line.ts'

export interface ChannelRowProps {
  channel: Channel
  active: boolean
  href?: string
  tabIndex: 0 | -1
  onSelect: () => void
}

/**
 * One conversation: its avatar, name, last message, and unread count. It has one accessible name made of the facts that
 * apply; the visible parts are hidden from assistive technology so that nothing is announced twice.
 */
export function ChannelRow({ channel, active, href, tabIndex, onSelect }: ChannelRowProps) {
  const { t, language, locale } = useTranslation()
  const client = useClient()
  const state = useChannelState(channel.preview)
  const typists = useTypists(channel)
  const draft = useDraft(channel, active)
  const now = useMinute()
  const mutedIds = useMutedIds()

  const me = client.userID
  const name = channelName(t, language, state, me)
  const partner = partnerOf(state, me)
  const newest = newestMessage(state)
  const line = lastLine(t, { message: newest, draft, me, named: !partner, muted: mutedIds.has(newest?.user.id ?? '') })
  const typing = typingLine(t, language, typists)
  // Unsent messages are not counted yet.
  const written = newest && newest.status !== 'received' ? newest.created_at.getTime() : 0
  const activity = Math.max(lastActivity(channel), written)
  const unread = state.unreadCount
  const mentions = unread > 0 ? channel.countUnreadMentions() : 0
  const waits = useWaits(newest)
  const receipt = useReceipt(channel, newest?.id ?? '')
  const failed = newest?.user.id === me && newest?.status === 'failed' && !waits
  const muted = useMutedChannels().has(channel.cid)
  const pinned = state.membership?.pinned ?? false

  const facts = [
    name,
    unread > 0 && t('channels.unread', { count: unread }),
    mentions > 0 && t('channels.mentions', { count: mentions }),
    failed && t('channels.failedLast'),
    typing || line.text,
    activity > 0 && timeAgo(t, language, new Date(activity), now),
    partner?.online && t('presence.online'),
    muted && t('channels.muted'),
    pinned && t('channels.pinned'),
    state.membership?.archived && t('channels.archived'),
  ].filter((fact): fact is string => typeof fact === 'string' && fact !== '')

  return (
    <RowElement
      href={href}
      active={active}
      unread={unread > 0}
      label={factsOf(language, facts)}
      tabIndex={tabIndex}
      onSelect={onSelect}
    >
      <Avatar {...channelAvatar(name, state, channel, me)} size="large" />
      <span className="chat-channel-words" aria-hidden="true">
        <span className="chat-channel-top">
          <bdi className="chat-channel-name" title={name}>
            {name}
          </bdi>
          {muted && <MuteIcon />}
          {pinned && <PinIcon />}
          {activity > 0 && (
            <time className="chat-channel-time" title={fullTime(locale, new Date(activity))}>
              {receipt && receipt.delivery !== 'sending' && <DeliveryIcon {...receipt} />}
              <span>{rowTime(locale, new Date(activity), now)}</span>
            </time>
          )}
        </span>
        <span className="chat-channel-bottom">
          {failed && <WarningIcon />}
          <span className="chat-channel-line" data-kind={typing ? 'typing' : line.kind} dir="auto">
            {typing || line.text}
          </span>
          {mentions > 0 && <span className="chat-badge">@</span>}
          {unread > 0 && (
            <span className="chat-badge" data-muted={muted || undefined}>
              {unread > BADGE_MAX ? `${BADGE_MAX}+` : unread}
            </span>
          )}
        </span>
      </span>
    </RowElement>
  )
}

interface RowElementProps {
  href?: string
  active: boolean
  unread: boolean
  label: string
  tabIndex: 0 | -1
  onSelect: () => void
  children: Elements
}

function RowElement({ href, active, unread, label, tabIndex, onSelect, children }: RowElementProps) {
  const look = {
    className: 'chat-channel-row',
    'data-active': active || undefined,
    'data-unread': unread || undefined,
    'aria-current': active ? ('page' as const) : undefined,
    tabIndex,
  }
  const name = <span className="chat-hidden">{label}</span>
  if (href === undefined) {
    return (
      <button type="button" {...look} onClick={onSelect}>
        {name}
        {children}
      </button>
    )
  }
  const select = (event: MouseEvent) => {
    // The browser opens a new tab or window itself.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onSelect()
  }
  return (
    <a href={href} {...look} onClick={select}>
      {name}
      {children}
    </a>
  )
}

/** The newest message of the channel, whatever part of the history is shown. */
function newestMessage({ sets }: ChannelState): LocalMessage | undefined {
  return sets.find(({ latest }) => latest)?.messages.findLast((message) => !message.shadowed)
}
