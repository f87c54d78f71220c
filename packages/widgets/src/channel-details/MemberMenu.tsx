import type { Channel, Member, User } from '@parley/client'
import { type RefObject, Suspense, useState } from 'react'
import { Menu, MenuItem } from 'react-aria-components/Menu'
import { flushSync } from 'react-dom'
import { may } from '../chat/channel-facts.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { nameOfUser } from '../chat/seen-name.ts'
import { useGroup } from '../chat/use-group.ts'
import { focusBack } from '../dialog/focus-back.ts'
import { MenuLayer } from '../dialog/MenuLayer.tsx'
import type { Elements } from '../elements.ts'
import { type TextKey, useTranslate } from '../i18n/translate.ts'
import { usePersonActions } from '../moderation/use-person-actions.ts'
import { ChatIcon, EditIcon, ForbiddenIcon, MuteIcon, PersonIcon } from '../theme/icons.tsx'
import { LeaveIcon, ShieldIcon } from '../theme/more-icons.tsx'
import type { MemberAction } from './member-actions.ts'
import { useChange } from './use-change.ts'
import type { Reaching } from './use-reaching.ts'

const BanDialog = lazyPart(() => import('../moderation/BanDialog.tsx'))
const ConfirmDialog = lazyPart(() => import('../dialog/ConfirmDialog.tsx'))

const looks: Record<MemberAction, { text: TextKey; icon: Elements }> = {
  message: { text: 'details.message', icon: <ChatIcon /> },
  mention: { text: 'details.mention', icon: <EditIcon /> },
  promote: { text: 'details.promote', icon: <ShieldIcon /> },
  demote: { text: 'details.demote', icon: <ShieldIcon /> },
  mute: { text: 'actions.mute', icon: <MuteIcon /> },
  unmute: { text: 'actions.unmute', icon: <PersonIcon /> },
  ban: { text: 'actions.ban', icon: <ForbiddenIcon /> },
  unban: { text: 'actions.unban', icon: <PersonIcon /> },
  remove: { text: 'details.remove', icon: <LeaveIcon /> },
}

export interface MemberMenuProps extends Reaching {
  channel: Channel
  member: Member
  actions: readonly MemberAction[]
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
}

/** The actions on one member. */
export default function MemberMenu(props: MemberMenuProps) {
  const { channel, member, actions, anchor, onClose: close, onMention, onMessage } = props
  const t = useTranslate()
  const people = usePersonActions(channel)
  const change = useChange()
  const group = useGroup(channel)
  const [asked, setAsked] = useState<'ban' | 'remove'>()
  const { user_id: id = '' } = member
  const name = nameOfUser(member)
  const person = { id, name }
  const onClose = () => {
    close()
    focusBack(() => anchor.current)
  }
  const run = (action: MemberAction) => {
    if (action === 'ban' || action === 'remove') return setAsked(action)
    if (action === 'message' || action === 'mention') {
      // The menu holds the focus while it is open.
      flushSync(close)
      const user = member.user ?? { id, name }
      return action === 'message' ? onMessage(user as User) : onMention(user as User)
    }
    if (action === 'promote' || action === 'demote') change(group.change({ do: action, userId: id }))
    else people[action](person)
    onClose()
  }
  if (asked === 'ban')
    return (
      <Suspense fallback={null}>
        <BanDialog
          name={name}
          mayDelete={may(channel.snapshot(), 'delete-any-message')}
          onClose={onClose}
          onBan={(how) => people.ban(person, how)}
        />
      </Suspense>
    )
  if (asked === 'remove')
    return (
      <Suspense fallback={null}>
        <ConfirmDialog
          title={t('details.remove.title', { name })}
          text={t('details.remove.text')}
          confirm={t('details.remove.confirm')}
          onClose={onClose}
          onConfirm={() => change(group.change({ do: 'remove', userId: id }))}
        />
      </Suspense>
    )
  return (
    <MenuLayer
      label={t('details.actions', { name })}
      anchor={anchor}
      placement="end"
      onClose={() => asked === undefined && onClose()}
    >
      <Menu
        className="chat-menu"
        aria-label={t('details.actions', { name })}
        autoFocus="first"
        shouldCloseOnSelect={false}
        onAction={(key) => run(key as MemberAction)}
        onClose={onClose}
      >
        {actions.map((action) => {
          const text = t(looks[action].text, { name })
          return (
            <MenuItem
              key={action}
              id={action}
              className="chat-menu-item"
              textValue={text}
              data-danger={action === 'ban' || action === 'remove' || undefined}
            >
              {looks[action].icon}
              <span>{text}</span>
            </MenuItem>
          )
        })}
      </Menu>
    </MenuLayer>
  )
}
