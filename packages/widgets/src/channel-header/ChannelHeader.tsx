import type { Channel, User } from '@parley/client'
import { Avatar } from '../avatar/Avatar.tsx'
import { personTag } from '../avatar/person-tag.ts'
import { channelAvatar, channelName, onlineCount, partnerOf } from '../chat/channel-facts.ts'
import { personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useMinute } from '../chat/use-minute.ts'
import type { Elements } from '../elements.ts'
import { timeAgo } from '../i18n/format.ts'
import { type Translate, useTranslation } from '../i18n/translate.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { BackIcon, LockIcon } from '../theme/icons.tsx'
import { typingLine } from '../typing/typing-line.ts'
import { useTypists } from '../typing/use-typists.ts'

export interface ChannelHeaderProps extends RootProps {
  channel: Channel
  /** shows a back button, for screens with one region at a time */
  onBack?: () => void
  /** buttons at the end of the header */
  actions?: Elements
  /** makes the title a button that opens the details */
  onDetails?: () => void
  /** the details are open */
  detailed?: boolean
}

/**
 * The title of the conversation. The second line shows the most relevant fact: typing, else presence, else the number
 * of members.
 */
export function ChannelHeader({ channel, onBack, actions, onDetails, detailed, ...root }: ChannelHeaderProps) {
  const { t, language } = useTranslation()
  const { userID } = useClient()
  const state = useChannelState(channel)
  const name = channelName(t, language, state, userID)
  const subtitle = useSubtitle(channel)
  const partner = partnerOf(state, userID)
  const tag = partner && personTag(partner)
  return (
    <header {...rootProps({ className: 'chat-header' }, root)}>
      {onBack && (
        <IconButton label={t('header.back')} onClick={onBack}>
          <BackIcon />
        </IconButton>
      )}
      <Avatar {...channelAvatar(name, state, channel, userID)} />
      <div className="chat-header-words">
        <h2 className="chat-header-name" title={name} tabIndex={-1}>
          {onDetails ? (
            <button type="button" aria-expanded={detailed} onClick={onDetails}>
              <bdi>{name}</bdi>
            </button>
          ) : (
            <bdi>{name}</bdi>
          )}
          {tag && <span className="chat-tag">{t(tag)}</span>}
          {state.data.frozen && (
            <span className="chat-header-lock" title={t('header.frozen')}>
              <LockIcon />
              <span className="chat-hidden">{t('header.frozen')}</span>
            </span>
          )}
        </h2>
        <p className="chat-header-line" data-kind={subtitle.kind} title={subtitle.text}>
          <bdi>{subtitle.text}</bdi>
        </p>
      </div>
      {actions && <div className="chat-header-actions">{actions}</div>}
    </header>
  )
}

function useSubtitle(channel: Channel): { kind: 'typing' | 'presence' | 'members'; text: string } {
  const { t, language } = useTranslation()
  const { userID } = useClient()
  const state = useChannelState(channel)
  const now = useMinute()
  const typing = typingLine(t, language, useTypists(channel))
  if (typing) return { kind: 'typing', text: typing }

  const partner = partnerOf(state, userID)
  if (partner) {
    return { kind: 'presence', text: presenceLine(t, language, partner, now) }
  }
  const count = state.data.member_count ?? Object.keys(state.members).length
  const online = onlineCount(state)
  const text = online > 0 ? t('header.membersOnline', { count, online }) : t('header.members', { count })
  return { kind: 'members', text }
}

/** "Anna is online"; beside an organization, which replaces the name, "Contoso · online". */
export function presenceLine(t: Translate, language: string, partner: User, now: Date): string {
  const { online, last_active, organization, deleted_at } = partner
  if (deleted_at) return ''
  const name = personName(partner)
  const seen = last_active && t('header.lastSeen', { time: timeAgo(t, language, new Date(last_active), now) })
  if (typeof organization !== 'string') {
    return online ? t('header.online', { name }) : seen || t('header.offline', { name })
  }
  const presence = online ? t('presence.online') : seen || t('presence.offline')
  return t('header.organization', { organization, presence })
}
