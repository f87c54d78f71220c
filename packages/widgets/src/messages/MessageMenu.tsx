import type { LocalMessage } from '@parley/client'
import type { ReactNode, RefObject } from 'react'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { useChat } from '../chat/chat-context.ts'
import type { TextKey } from '../i18n/translate.ts'
import { useTranslate } from '../i18n/translate.ts'
import { MARK_UNREAD_WINDOW } from '../limits.ts'
import {
  CopyIcon,
  EditIcon,
  FlagIcon,
  PinIcon,
  ReplyIcon,
  RetryIcon,
  ThreadIcon,
  TrashIcon,
  UnreadIcon,
} from '../theme/icons.tsx'
import type { MessageAction, Offered } from './message-actions.ts'
import { reactionKinds } from './reaction-kinds.ts'

type Chosen = Exclude<MessageAction, 'react'>

const looks: Record<Chosen, { text: TextKey; icon: ReactNode }> = {
  retry: { text: 'actions.retry', icon: <RetryIcon /> },
  reply: { text: 'actions.reply', icon: <ReplyIcon /> },
  thread: { text: 'actions.thread', icon: <ThreadIcon /> },
  edit: { text: 'actions.edit', icon: <EditIcon /> },
  copy: { text: 'actions.copy', icon: <CopyIcon /> },
  pin: { text: 'actions.pin', icon: <PinIcon /> },
  unpin: { text: 'actions.unpin', icon: <PinIcon /> },
  markUnread: { text: 'actions.markUnread', icon: <UnreadIcon /> },
  flag: { text: 'actions.flag', icon: <FlagIcon /> },
  delete: { text: 'actions.delete', icon: <TrashIcon /> },
  deleteForGood: { text: 'actions.deleteForGood', icon: <TrashIcon /> },
}

export interface MessageMenuProps {
  offered: readonly Offered[]
  message: LocalMessage
  anchor: RefObject<HTMLElement | null>
  placement: 'start' | 'end'
  onClose: () => void
  onReact: (type: string) => void
  onAction: (action: Chosen) => void
}

/** All one may do with a message; reactions first. Loaded when somebody first opens it. */
export default function MessageMenu({
  offered,
  message,
  anchor,
  placement,
  onClose,
  onReact,
  onAction,
}: MessageMenuProps) {
  const t = useTranslate()
  const { root } = useChat()
  const items = offered.filter((offer): offer is Offered & { action: Chosen } => offer.action !== 'react')
  const choose = (key: string) => {
    const reaction = reactionKinds.find(({ type }) => key === `react ${type}`)
    if (reaction) onReact(reaction.type)
    else onAction(key as Chosen)
  }
  return (
    <UNSAFE_PortalProvider getContainer={root}>
      <Popover
        className="chat-popover"
        triggerRef={anchor}
        isOpen
        onOpenChange={(open) => !open && onClose()}
        placement={`bottom ${placement}`}
        aria-label={t('actions.label')}
      >
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
                  data-mine={message.own_reactions.some(({ type }) => type === kind.type) || undefined}
                >
                  {kind.emoji}
                </MenuItem>
              ))}
            </MenuSection>
          )}
          {offered.some(({ action }) => action === 'react') && <Separator className="chat-menu-line" />}
          {items.map(({ action, tooOld }) => {
            const text = t(looks[action].text)
            return (
              <MenuItem
                key={action}
                id={action}
                className="chat-menu-item"
                textValue={text}
                data-danger={isDanger(action)}
              >
                {looks[action].icon}
                <span>
                  {text}
                  {tooOld && (
                    <small className="chat-menu-reason">
                      {t('actions.markUnread.tooOld', { count: MARK_UNREAD_WINDOW })}
                    </small>
                  )}
                </span>
              </MenuItem>
            )
          })}
        </Menu>
      </Popover>
    </UNSAFE_PortalProvider>
  )
}

function isDanger(action: Chosen): true | undefined {
  return action === 'delete' || action === 'deleteForGood' || undefined
}
