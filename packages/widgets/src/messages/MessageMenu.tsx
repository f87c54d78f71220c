import type { LocalMessage } from '@parley/client'
import type { RefObject } from 'react'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Separator } from 'react-aria-components/Separator'
import { personName } from '../chat/seen-name.ts'
import { MenuLayer } from '../dialog/MenuLayer.tsx'
import type { Elements } from '../elements.ts'
import { fullTime } from '../i18n/row-time.ts'
import type { TextKey } from '../i18n/translate.ts'
import { useTranslation } from '../i18n/translate.ts'
import { MARK_UNREAD_WINDOW } from '../limits.ts'
import {
  CloseIcon,
  EditIcon,
  ForbiddenIcon,
  MuteIcon,
  PersonIcon,
  PinIcon,
  ReplyIcon,
  RetryIcon,
  SmileIcon,
  ThreadIcon,
} from '../theme/icons.tsx'
import {
  CopyIcon,
  FlagIcon,
  LinkIcon,
  PinForIcon,
  ReadersIcon,
  TranslateIcon,
  TrashIcon,
  UnpinIcon,
  UnreadIcon,
} from '../theme/more-icons.tsx'
import { useTranslates } from '../translation/use-translates.ts'
import type { MessageAction, Offered } from './message-actions.ts'
import { isSameReaction, reactionKinds } from './reaction-kinds.ts'
import './message-menu.css'

type Chosen = Exclude<MessageAction, 'react'>

const looks: Record<Chosen, { text: TextKey; icon: Elements }> = {
  retry: { text: 'actions.retry', icon: <RetryIcon /> },
  resend: { text: 'actions.resend', icon: <EditIcon /> },
  reply: { text: 'actions.reply', icon: <ReplyIcon /> },
  thread: { text: 'actions.thread', icon: <ThreadIcon /> },
  edit: { text: 'actions.edit', icon: <EditIcon /> },
  dropPreview: { text: 'actions.dropPreview', icon: <CloseIcon /> },
  copy: { text: 'actions.copy', icon: <CopyIcon /> },
  copyLink: { text: 'actions.copyLink', icon: <LinkIcon /> },
  pin: { text: 'actions.pin', icon: <PinIcon /> },
  pinFor: { text: 'actions.pinFor', icon: <PinForIcon /> },
  unpin: { text: 'actions.unpin', icon: <UnpinIcon /> },
  markUnread: { text: 'actions.markUnread', icon: <UnreadIcon /> },
  translate: { text: 'actions.translate', icon: <TranslateIcon /> },
  readers: { text: 'actions.readers', icon: <ReadersIcon /> },
  flag: { text: 'actions.flag', icon: <FlagIcon /> },
  mute: { text: 'actions.mute', icon: <MuteIcon /> },
  unmute: { text: 'actions.unmute', icon: <PersonIcon /> },
  ban: { text: 'actions.ban', icon: <ForbiddenIcon /> },
  unban: { text: 'actions.unban', icon: <PersonIcon /> },
  delete: { text: 'actions.delete', icon: <TrashIcon /> },
  deleteForGood: { text: 'actions.deleteForGood', icon: <TrashIcon /> },
}

const apart: ReadonlySet<Chosen> = new Set<Chosen>([
  'flag',
  'mute',
  'unmute',
  'ban',
  'unban',
  'delete',
  'deleteForGood',
])

const MORE_EMOJI = 'react with another'

export interface MessageMenuProps {
  offered: readonly Offered[]
  message: LocalMessage
  anchor: RefObject<HTMLElement | null>
  placement: 'start' | 'end'
  onClose: () => void
  onReact: (type: string) => void
  /** another emoji than those offered here */
  onMoreEmoji: () => void
  onAction: (action: Chosen) => void
}

/** All actions of a message; reactions first. Loaded when the user first opens it. */
export default function MessageMenu({
  offered,
  message,
  anchor,
  placement,
  onClose,
  onReact,
  onMoreEmoji,
  onAction,
}: MessageMenuProps) {
  const { t, locale } = useTranslation()
  const translates = useTranslates(message)
  const items = offered.filter(
    (offer): offer is Offered & { action: Chosen } =>
      offer.action !== 'react' && (offer.action !== 'translate' || translates),
  )
  // Actions about the author, and irreversible ones, are separate from the everyday ones.
  const beforeLine = items.length > 1 ? items.slice(1).find(({ action }) => apart.has(action))?.action : undefined
  const choose = (key: string) => {
    const reaction = reactionKinds.find(({ type }) => key === `react ${type}`)
    if (reaction) onReact(reaction.type)
    else if (key === MORE_EMOJI) onMoreEmoji()
    else onAction(key as Chosen)
  }
  return (
    <MenuLayer label={t('actions.label')} anchor={anchor} placement={placement} onClose={onClose}>
      <p className="chat-menu-time">{fullTime(locale, message.created_at)}</p>
      <Menu
        className="chat-menu"
        aria-label={t('actions.label')}
        autoFocus="first"
        onAction={(key) => choose(String(key))}
        onClose={onClose}
        disabledKeys={items.filter(({ tooOld }) => tooOld).map(({ action }) => action)}
      >
        {offered.some(({ action }) => action === 'react') && (
          <MenuSection className="chat-menu-reactions" aria-label={t('actions.addReaction')}>
            {reactionKinds.map((kind) => (
              <MenuItem
                key={kind.type}
                id={`react ${kind.type}`}
                className="chat-menu-reaction"
                textValue={t(kind.name)}
                aria-label={t('actions.react', { emoji: t(kind.name) })}
                data-mine={message.own_reactions.some(({ type }) => isSameReaction(type, kind.type)) || undefined}
              >
                {kind.emoji}
              </MenuItem>
            ))}
            <MenuItem
              id={MORE_EMOJI}
              className="chat-menu-reaction"
              textValue={t('emoji.more')}
              aria-label={t('emoji.more')}
            >
              <SmileIcon />
            </MenuItem>
          </MenuSection>
        )}
        {offered.some(({ action }) => action === 'react') && <Separator className="chat-menu-line" />}
        {items.map(({ action, tooOld }) => {
          const text = t(looks[action].text, { name: personName(message.user) })
          return [
            action === beforeLine && <Separator key="line" className="chat-menu-line" />,
            <MenuItem
              key={action}
              id={action}
              className="chat-menu-item"
              textValue={text}
              data-danger={isDanger(action)}
            >
              {looks[action].icon}
              <span>
                <span>{text}</span>
                {tooOld && (
                  <small className="chat-menu-reason">
                    {t('actions.markUnread.tooOld', { count: MARK_UNREAD_WINDOW })}
                  </small>
                )}
              </span>
            </MenuItem>,
          ]
        })}
      </Menu>
    </MenuLayer>
  )
}

function isDanger(action: Chosen): true | undefined {
  return action === 'delete' || action === 'deleteForGood' || action === 'ban' || undefined
}
