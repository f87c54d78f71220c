import type { Channel } from '@parley/client'
import type { RefObject } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { flushSync } from 'react-dom'
import { channelName } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { MenuLayer } from '../dialog/MenuLayer.tsx'
import type { Elements } from '../elements.ts'
import { type TextKey, useTranslation } from '../i18n/translate.ts'
import { useMutedChannels } from '../moderation/own-lists.ts'
import { ArchiveIcon, ChatIcon, CheckIcon, MuteIcon, PinIcon } from '../theme/icons.tsx'
import { BellIcon, HideIcon, LeaveIcon, TrashIcon, UnpinIcon, UnreadIcon } from '../theme/more-icons.tsx'
import ClearDialog from './ClearDialog.tsx'
import { type AskingAction, asks, type ChannelAction, channelActions } from './channel-actions.ts'
import LeaveDialog from './LeaveDialog.tsx'
import { useChannelAction } from './use-channel-action.ts'

const looks: Record<ChannelAction, { text: TextKey; icon: Elements }> = {
  markRead: { text: 'channels.markRead', icon: <CheckIcon /> },
  markUnread: { text: 'actions.markUnread', icon: <UnreadIcon /> },
  pin: { text: 'channels.pin', icon: <PinIcon /> },
  unpin: { text: 'channels.unpin', icon: <UnpinIcon /> },
  mute: { text: 'details.mute', icon: <MuteIcon /> },
  unmute: { text: 'details.unmute', icon: <BellIcon /> },
  archive: { text: 'channels.archive', icon: <ArchiveIcon /> },
  unarchive: { text: 'channels.unarchive', icon: <ArchiveIcon /> },
  hide: { text: 'channels.hide', icon: <HideIcon /> },
  clear: { text: 'channels.clear', icon: <TrashIcon /> },
  leave: { text: 'details.leave', icon: <LeaveIcon /> },
}

/** Not an action on the conversation itself, so it is not among the actions. */
const OPEN = 'open'

/** The menu of a conversation, and the dialogs it opens. */
export type ChannelLayer = 'menu' | AskingAction

export interface ChannelMenuProps {
  at: ChannelLayer
  channel: Channel
  anchor: RefObject<HTMLElement | null>
  onOpen: () => void
  onClose: (closed: ChannelLayer) => void
  /** an action with a dialog was chosen */
  onAsk: (action: AskingAction) => void
}

/** All actions of a conversation in the list. A notice offers to undo those the user may regret. */
export default function ChannelMenu({ at, onClose, ...given }: ChannelMenuProps) {
  if (at === 'leave') return <LeaveDialog channel={given.channel} onClose={() => onClose(at)} />
  if (at === 'clear') return <ClearDialog channel={given.channel} onClose={() => onClose(at)} />
  return <Actions {...given} onClose={() => onClose('menu')} />
}

type ActionsProps = Omit<ChannelMenuProps, 'at' | 'onClose'> & { onClose: () => void }

function Actions({ channel, anchor, onOpen, onClose, onAsk }: ActionsProps) {
  const { t, language } = useTranslation()
  const { client } = useChat()
  const name = channelName(t, language, useChannelState(channel), client.userID)
  const muted = useMutedChannels().has(channel.cid)
  const run = useChannelAction(channel)
  const label = t('details.actions', { name })
  return (
    <MenuLayer label={label} anchor={anchor} placement="end" onClose={onClose}>
      <Menu
        className="chat-menu"
        aria-label={label}
        autoFocus="first"
        onAction={(key) => {
          if (key === OPEN) {
            // While the menu is open the focus cannot leave it.
            flushSync(onClose)
            return onOpen()
          }
          const action = key as ChannelAction
          if (asks(action)) onAsk(action)
          else void run(action)
        }}
        onClose={onClose}
      >
        <MenuItem id={OPEN} className="chat-menu-item" textValue={t('channels.open')}>
          <ChatIcon />
          <span>{t('channels.open')}</span>
        </MenuItem>
        {channelActions(channel, client.userID, muted).map((action) => (
          <MenuItem
            key={action}
            id={action}
            className="chat-menu-item"
            textValue={t(looks[action].text)}
            data-danger={asks(action) || undefined}
          >
            {looks[action].icon}
            <span>{t(looks[action].text)}</span>
          </MenuItem>
        ))}
      </Menu>
    </MenuLayer>
  )
}
