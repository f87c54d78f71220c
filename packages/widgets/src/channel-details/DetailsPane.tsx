import type { Channel, ChannelState } from '@parley/client'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { presenceLine } from '../channel-header/ChannelHeader.tsx'
import { channelFace, channelName, may, onlineCount, partnerOf } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useMinute } from '../chat/use-minute.ts'
import { useTranslation } from '../i18n/translate.ts'
import { useBlockedIds, useMutedChannels } from '../moderation/own-lists.ts'
import { usePersonActions } from '../moderation/use-person-actions.ts'
import { placeAfter } from '../roving.ts'
import { SidePane } from '../side-pane/SidePane.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { ClockIcon, EditIcon, ForbiddenIcon, LockIcon, MuteIcon, PinIcon } from '../theme/icons.tsx'
import { AddPersonIcon, BellIcon, LeaveIcon, TrashIcon } from '../theme/more-icons.tsx'
import { levelOf, levelTexts, useSetLevel } from './level.ts'
import { MemberList } from './MemberList.tsx'
import { SharedList } from './SharedList.tsx'
import { type Reaching, type ReachingOptions, useReaching } from './use-reaching.ts'
import { waitOf } from './wait-of.ts'
import './channel-details.css'

const AddMembersDialog = lazy(() => import('./AddMembersDialog.tsx'))
const ConfirmDialog = lazy(() => import('../dialog/ConfirmDialog.tsx'))
const LeaveDialog = lazy(() => import('../channel-list/LeaveDialog.tsx'))
const LevelDialog = lazy(() => import('./LevelDialog.tsx'))
const MuteDialog = lazy(() => import('./MuteDialog.tsx'))
const NameDialog = lazy(() => import('./NameDialog.tsx'))
const PictureDialog = lazy(() => import('./PictureDialog.tsx'))
const SlowModeDialog = lazy(() => import('./SlowModeDialog.tsx'))

export interface DetailsPaneProps extends ReachingOptions {
  onClose: () => void
  onJump: (messageId: string) => void
  onPins: () => void
}

/** Seconds of slow mode now. */
const cooldownOf = ({ data }: ChannelState) => data.cooldown ?? 0

type Tab = 'members' | 'media' | 'files'
type Asked = 'add' | 'level' | 'mute' | 'name' | 'picture' | 'slow' | 'freeze' | 'leave' | 'delete'

/**
 * What a channel is: who is in it, what was sent in it, and what one can do with it oneself.
 *
 * Style hooks: `.chat-details`, `.chat-details-action`, `.chat-tabs`.
 */
export default function DetailsPane({ onClose, onJump, onPins, ...reach }: DetailsPaneProps) {
  const { channel } = reach
  const { t, language } = useTranslation()
  const { client, notices, onLeave } = useChat()
  const state = useChannelState(channel)
  const people = usePersonActions(channel)
  const reaching = useReaching(reach)
  const now = useMinute()
  const setLevel = useSetLevel(channel)
  const blocked = useBlockedIds()
  const [asked, setAsked] = useState<Asked>()
  // One that ends late, because its answer did, takes nothing with it that was opened since.
  const close = () => setAsked((now) => (now === asked ? undefined : now))
  const me = client.userID
  const name = channelName(t, language, state, me)
  const partner = partnerOf(state, me)
  const muted = useMutedChannels().has(channel.cid)
  const count = state.data.member_count ?? Object.keys(state.members).length
  const attempt = (work: Promise<unknown>) => {
    work.catch((error) => notices.failed('details.failed', error))
  }
  const tabs: Tab[] = [
    ...(partner ? [] : (['members'] as const)),
    ...(may(state, 'search-messages') ? (['media', 'files'] as const) : []),
  ]

  return (
    <SidePane title={t('details.title')} onClose={onClose}>
      <div className="chat-aside-scroll chat-details">
        <div className="chat-details-head">
          <Avatar {...channelFace(name, state, channel, me)} size="large" />
          <p className="chat-details-name">
            <bdi>{name}</bdi>
            {!partner && may(state, 'update-channel') && (
              <IconButton label={t('details.rename')} onClick={() => setAsked('name')}>
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

        <div className="chat-details-actions">
          {!partner && may(state, 'update-channel-members') && (
            <Action icon={<AddPersonIcon />} text={t('details.add')} onPress={() => setAsked('add')} />
          )}
          <Action icon={<PinIcon />} text={t('pins.title')} onPress={onPins} />
          {state.membership && (
            <Action
              icon={<BellIcon />}
              text={t('details.level')}
              about={t(levelTexts[levelOf(state)])}
              onPress={() => setAsked('level')}
            />
          )}
          {may(state, 'mute-channel') &&
            (muted ? (
              <Action icon={<BellIcon />} text={t('details.unmute')} onPress={() => attempt(channel.unmute())} />
            ) : (
              <Action icon={<MuteIcon />} text={t('details.mute')} onPress={() => setAsked('mute')} />
            ))}
        </div>

        {tabs.length > 0 && <Tabs tabs={tabs} channel={channel} reaching={reaching} onJump={onJump} />}

        {!partner && (
          <div className="chat-details-actions" data-last>
            {may(state, 'update-channel') && may(state, 'upload-file') && (
              <Action icon={<EditIcon />} text={t('details.picture')} onPress={() => setAsked('picture')} />
            )}
            {may(state, 'set-channel-cooldown') && (
              <Action
                icon={<ClockIcon />}
                text={t('details.slow')}
                about={cooldownOf(state) === 0 ? t('details.slow.off') : waitOf(language, cooldownOf(state))}
                onPress={() => setAsked('slow')}
              />
            )}
            {may(state, 'freeze-channel') &&
              (state.data.frozen ? (
                <Action
                  icon={<LockIcon />}
                  text={t('details.unfreeze')}
                  onPress={() => attempt(channel.updatePartial({ set: { frozen: false } }))}
                />
              ) : (
                <Action icon={<LockIcon />} text={t('details.freeze')} onPress={() => setAsked('freeze')} />
              ))}
          </div>
        )}
        <div className="chat-details-actions" data-last>
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
            <Action icon={<LeaveIcon />} text={t('details.leave')} danger onPress={() => setAsked('leave')} />
          )}
          {may(state, 'delete-channel') && (
            <Action icon={<TrashIcon />} text={t('details.delete')} danger onPress={() => setAsked('delete')} />
          )}
        </div>
      </div>
      {asked && (
        <Suspense fallback={null}>
          {asked === 'add' && <AddMembersDialog channel={channel} onClose={close} />}
          {asked === 'mute' && (
            <MuteDialog
              onClose={close}
              onMute={(expiration) => attempt(channel.mute(expiration === undefined ? {} : { expiration }))}
            />
          )}
          {asked === 'name' && (
            <NameDialog
              name={state.data.name ?? ''}
              onClose={close}
              onName={(name) => attempt(channel.updatePartial({ set: { name } }))}
            />
          )}
          {asked === 'level' && (
            <LevelDialog level={levelOf(state)} onClose={close} onLevel={(level) => attempt(setLevel(level))} />
          )}
          {asked === 'picture' && <PictureDialog channel={channel} name={name} onClose={close} />}
          {asked === 'slow' && (
            <SlowModeDialog
              seconds={cooldownOf(state)}
              onClose={close}
              onSeconds={(seconds) => attempt(channel.enableSlowMode(seconds))}
            />
          )}
          {asked === 'freeze' && (
            <ConfirmDialog
              title={t('details.freeze.title', { name })}
              text={t('details.freeze.text')}
              confirm={t('details.freeze.confirm')}
              onClose={close}
              onConfirm={() => attempt(channel.updatePartial({ set: { frozen: true } }))}
            />
          )}
          {asked === 'leave' && <LeaveDialog channel={channel} onClose={close} />}
          {asked === 'delete' && (
            <ConfirmDialog
              title={t('details.delete.title', { name })}
              text={t('details.delete.text')}
              confirm={t('details.delete.confirm')}
              onClose={close}
              onConfirm={() => {
                onLeave?.(channel.cid)
                attempt(channel.delete())
              }}
            />
          )}
        </Suspense>
      )}
    </SidePane>
  )
}

interface ActionProps {
  icon: ReactNode
  text: string
  /** how it is now */
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

/** Members, photos and files, one at a time; arrow keys go from one to the next. */
function Tabs({
  tabs,
  channel,
  reaching,
  onJump,
}: {
  tabs: readonly Tab[]
  channel: Channel
  reaching: Reaching
  onJump: DetailsPaneProps['onJump']
}) {
  const { t } = useTranslation()
  const id = useId()
  const [chosen, setChosen] = useState<Tab>()
  const shown = chosen && tabs.includes(chosen) ? chosen : tabs[0]!
  const names = { members: 'details.members', media: 'details.media', files: 'details.files' } as const
  const turn = (event: KeyboardEvent<HTMLElement>) => {
    const rightToLeft = getComputedStyle(event.currentTarget).direction === 'rtl'
    const to = placeAfter(event.key, tabs.indexOf(shown), tabs.length, 'horizontal', rightToLeft)
    const tab = to === undefined ? undefined : tabs[to]
    if (!tab) return
    event.preventDefault()
    setChosen(tab)
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[to!]?.focus()
  }
  return (
    <>
      <div className="chat-tabs" role="tablist" aria-label={t('details.title')} onKeyDown={turn}>
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            aria-controls={`${id}-panel`}
            aria-selected={tab === shown}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => setChosen(tab)}
          >
            {t(names[tab])}
          </button>
        ))}
      </div>
      <div className="chat-tab" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
        {shown === 'members' ? (
          <MemberList channel={channel} reaching={reaching} />
        ) : (
          <SharedList key={shown} channel={channel} kind={shown} onJump={onJump} />
        )}
      </div>
    </>
  )
}
