import type { Channel, ChannelState, User } from '@parley/client'
import { useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { presenceLine } from '../channel-header/ChannelHeader.tsx'
import { useChannelAction } from '../channel-list/use-channel-action.ts'
import { channelAvatar, channelName, may, onlineCount, partnerOf } from '../chat/channel-facts.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useGroup } from '../chat/use-group.ts'
import { useMinute } from '../chat/use-minute.ts'
import type { Elements } from '../elements.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { useBlockedIds, useMutedChannels } from '../moderation/own-lists.ts'
import { usePersonActions } from '../moderation/use-person-actions.ts'
import { SidePane } from '../side-pane/SidePane.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { ClockIcon, EditIcon, ForbiddenIcon, LockIcon, MuteIcon, PinIcon } from '../theme/icons.tsx'
import { AddPersonIcon, BellIcon, DownloadIcon, HideIcon, LeaveIcon, TrashIcon } from '../theme/more-icons.tsx'
import { type Asked, DetailsDialog } from './DetailsDialog.tsx'
import { type DetailsTab, DetailsTabs } from './DetailsTabs.tsx'
import { levelOf, levelTexts } from './level.ts'
import { useChange } from './use-change.ts'
import { type ReachingOptions, useReaching } from './use-reaching.ts'
import { cooldownOf, waitOf } from './wait-of.ts'
import './channel-details.css'

export interface DetailsPaneProps extends ReachingOptions {
  onClose: () => void
  onJump: (messageId: string) => void
  onPins: () => void
}

/**
 * The details of a channel: its members, its photos and files, and the reader's actions.
 *
 * Style hooks: `.chat-details`, `.chat-details-action`, `.chat-tabs`.
 */
export default function DetailsPane({ onClose, onJump, onPins, ...reach }: DetailsPaneProps) {
  const { channel } = reach
  const { t, language } = useTranslation()
  const me = useClient().userID
  const state = useChannelState(channel)
  const reaching = useReaching(reach)
  const [asked, setAsked] = useState<Asked>()
  // A dialog that closes late, because its answer was late, must not close one opened since.
  const close = () => setAsked((now) => (now === asked ? undefined : now))
  const partner = partnerOf(state, me)
  const name = channelName(t, language, state, me)
  const part: PartProps = { channel, state, partner, name, onAsk: setAsked }
  const tabs: DetailsTab[] = [
    ...(partner ? [] : (['members'] as const)),
    ...(may(state, 'search-messages') ? (['media', 'files'] as const) : []),
  ]
  return (
    <SidePane title={t('details.title')} onClose={onClose}>
      <div className="chat-aside-scroll chat-details">
        <Head {...part} />
        <UseActions {...part} onPins={onPins} />
        {tabs.length > 0 && <DetailsTabs tabs={tabs} channel={channel} reaching={reaching} onJump={onJump} />}
        {!partner && <GroupActions {...part} />}
        <EndActions {...part} />
      </div>
      {asked && <DetailsDialog asked={asked} channel={channel} name={name} onClose={close} />}
    </SidePane>
  )
}

interface PartProps {
  channel: Channel
  state: ChannelState
  /** the other member of a direct conversation */
  partner: User | undefined
  /** the title of the conversation */
  name: string
  onAsk: (asked: Asked) => void
}

function Head({ channel, state, partner, name, onAsk }: PartProps) {
  const { t, language } = useTranslation()
  const me = useClient().userID
  const now = useMinute()
  const group = useGroup(channel)
  const count = state.data.member_count ?? Object.keys(state.members).length
  return (
    <div className="chat-details-head">
      <Avatar {...channelAvatar(name, state, channel, me)} size="large" />
      <p className="chat-details-name">
        <bdi>{name}</bdi>
        {!partner && group.mayChange('rename', state) && (
          <IconButton label={t('details.rename')} onClick={() => onAsk('name')}>
            <EditIcon />
          </IconButton>
        )}
      </p>
      <p className="chat-details-about">
        <bdi>
          {partner
            ? presenceLine(t, language, partner, now)
            : t('header.membersOnline', { count, online: onlineCount(state) })}
        </bdi>
      </p>
    </div>
  )
}

/** The reader's everyday actions on a conversation. */
function UseActions({ channel, state, partner, onAsk, onPins }: PartProps & Pick<DetailsPaneProps, 'onPins'>) {
  const t = useTranslate()
  const change = useChange()
  const muted = useMutedChannels().has(channel.cid)
  const group = useGroup(channel)
  return (
    <div className="chat-details-actions">
      {!partner && group.mayChange('add', state) && (
        <Action icon={<AddPersonIcon />} text={t('details.add')} onPress={() => onAsk('add')} />
      )}
      <Action icon={<PinIcon />} text={t('pins.title')} onPress={onPins} />
      {state.membership && (
        <Action
          icon={<BellIcon />}
          text={t('details.level')}
          about={t(levelTexts[levelOf(state)])}
          onPress={() => onAsk('level')}
        />
      )}
      {may(state, 'mute-channel') &&
        (muted ? (
          <Action icon={<BellIcon />} text={t('details.unmute')} onPress={() => change(channel.unmute())} />
        ) : (
          <Action icon={<MuteIcon />} text={t('details.mute')} onPress={() => onAsk('mute')} />
        ))}
      <Action icon={<DownloadIcon />} text={t('details.save')} onPress={() => onAsk('save')} />
    </div>
  )
}

/** The settings of a group, for all its members. */
function GroupActions({ channel, state, onAsk }: PartProps) {
  const { t, language } = useTranslation()
  const change = useChange()
  const cooldown = cooldownOf(state)
  const group = useGroup(channel)
  return (
    <div className="chat-details-actions" data-last>
      {group.mayChange('picture', state) && may(state, 'upload-file') && (
        <Action icon={<EditIcon />} text={t('details.picture')} onPress={() => onAsk('picture')} />
      )}
      {may(state, 'set-channel-cooldown') && (
        <Action
          icon={<ClockIcon />}
          text={t('details.slow')}
          about={cooldown === 0 ? t('details.slow.off') : waitOf(language, cooldown)}
          onPress={() => onAsk('slow')}
        />
      )}
      {may(state, 'freeze-channel') &&
        (state.data.frozen ? (
          <Action
            icon={<LockIcon />}
            text={t('details.unfreeze')}
            onPress={() => change(channel.updatePartial({ set: { frozen: false } }))}
          />
        ) : (
          <Action icon={<LockIcon />} text={t('details.freeze')} onPress={() => onAsk('freeze')} />
        ))}
    </div>
  )
}

/** Leaving, hiding and deleting a conversation. */
function EndActions({ channel, state, partner, name, onAsk }: PartProps) {
  const t = useTranslate()
  const people = usePersonActions(channel)
  const blocked = useBlockedIds()
  const run = useChannelAction(channel)
  const group = useGroup(channel)
  return (
    <div className="chat-details-actions" data-last>
      {state.membership && <Action icon={<HideIcon />} text={t('channels.hide')} onPress={() => void run('hide')} />}
      {partner &&
        !partner.deleted_at &&
        (blocked.has(partner.id) ? (
          <Action
            icon={<ForbiddenIcon />}
            text={t('details.unblock', { name })}
            onPress={() => people.unblock(partner)}
          />
        ) : (
          <Action
            icon={<ForbiddenIcon />}
            text={t('details.block', { name })}
            danger
            onPress={() => people.block(partner)}
          />
        ))}
      {!partner && may(state, 'leave-channel') && (
        <Action icon={<LeaveIcon />} text={t('details.leave')} danger onPress={() => onAsk('leave')} />
      )}
      {group.mayChange('delete', state) && (
        <Action icon={<TrashIcon />} text={t('details.delete')} danger onPress={() => onAsk('delete')} />
      )}
    </div>
  )
}

interface ActionProps {
  icon: Elements
  text: string
  /** the present setting */
  about?: string
  danger?: boolean
  onPress: () => void
}

function Action({ icon, text, about, danger, onPress }: ActionProps) {
  return (
    <button type="button" className="chat-details-action" data-danger={danger || undefined} onClick={onPress}>
      {icon}
      <bdi>{text}</bdi>
      {about && <span className="chat-details-now">{about}</span>}
    </button>
  )
}
