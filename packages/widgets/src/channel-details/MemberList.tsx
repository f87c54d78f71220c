import type { Channel, Member, User } from '@parley/client'
import { Suspense, useLayoutEffect, useRef, useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { personTag } from '../avatar/person-tag.ts'
import { lazyPart } from '../chat/lazy-part.tsx'
import { nameOfUser } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useGroup } from '../chat/use-group.ts'
import { focusBack } from '../dialog/focus-back.ts'
import { useTranslation } from '../i18n/translate.ts'
import { useMutedIds } from '../moderation/own-lists.ts'
import { rove } from '../roving.ts'
import { SearchField } from '../search/SearchField.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { MoreIcon } from '../theme/icons.tsx'
import { type MemberAction, memberActions } from './member-actions.ts'
import { PageEnd } from './PageEnd.tsx'
import { useMembers } from './use-members.ts'
import type { Reaching } from './use-reaching.ts'

const MemberMenu = lazyPart(() => import('./MemberMenu.tsx'))

/** The members of a channel, with a search; each with the actions on them [PERM-5]. */
export function MemberList({ channel, reaching }: { channel: Channel; reaching: Reaching }) {
  const { t, language } = useTranslation()
  const [sought, setSought] = useState('')
  const { members, at, hasMore, load } = useMembers(channel, sought, language)
  const actionsOf = useActions(channel, reaching)
  const rows = members.map((member) => ({ member, actions: actionsOf(member) }))
  // One tab stop: the member focused last, else the first with any action.
  const [active, setActive] = useState<string>()
  const reachable = rows.flatMap(({ member, actions }) => (actions.length > 0 ? member.user_id : []))
  const stop = reachable.find((id) => id === active) ?? reachable[0]
  const search = useRef<HTMLInputElement>(null)
  const reached = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: removing a member removes the focused row.
  useLayoutEffect(() => {
    if (!reached.current || reached.current.isConnected) return
    reached.current = null
    if (document.activeElement === document.body) search.current?.focus({ preventScroll: true })
    else focusBack(() => search.current)
  }, [members])
  return (
    <>
      <SearchField fieldRef={search} label={t('details.findMember')} text={sought} onChange={setSought} />
      <ul
        className="chat-people"
        onKeyDown={(event) => rove(event, '.chat-member-more', 'vertical')}
        onFocus={({ target, currentTarget }) => {
          if (currentTarget.contains(target)) reached.current = target
        }}
      >
        {rows.map(({ member, actions }) => (
          <MemberRow
            key={member.user_id}
            channel={channel}
            member={member}
            actions={actions}
            reaching={reaching}
            tabIndex={member.user_id === stop ? 0 : -1}
            onFocus={() => setActive(member.user_id)}
          />
        ))}
      </ul>
      <PageEnd
        at={at}
        isEmpty={members.length === 0}
        hasMore={hasMore}
        load={load}
        says={{ loading: 'details.members.loading', none: 'details.members.none', failed: 'details.members.failed' }}
      />
    </>
  )
}

/** The reader's actions on each of them. */
function useActions(channel: Channel, { mayWriteTo }: Reaching): (member: Member) => MemberAction[] {
  const me = useClient().userID
  const state = useChannelState(channel)
  const muted = useMutedIds()
  const mayManage = useGroup(channel).mayChange('remove', state)
  return (member) => {
    const { user_id = '', user } = member
    return memberActions(state, member, {
      me,
      muted: muted.has(user_id),
      mayWriteTo: user != null && mayWriteTo(user as User),
      mayManage,
    })
  }
}

interface MemberRowProps {
  channel: Channel
  member: Member
  actions: readonly MemberAction[]
  reaching: Reaching
  tabIndex: 0 | -1
  onFocus: () => void
}

function MemberRow({ channel, member, actions, reaching, tabIndex, onFocus }: MemberRowProps) {
  const { t } = useTranslation()
  const me = useClient().userID
  const state = useChannelState(channel)
  const muted = useMutedIds()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { user_id: id = '' } = member
  const user = member.user as User | undefined
  const name = nameOfUser(member)
  const tag = user && personTag(user)
  const isOwner = state.data.created_by?.id === id
  const organization = typeof user?.organization === 'string' ? user.organization : undefined
  const facts = [
    tag && t(tag),
    member.status === 'pending' && t('details.invited'),
    isOwner ? t('details.owner') : member.channel_role === 'channel_moderator' && t('details.moderator'),
    (member.banned || member.shadow_banned) && t(member.banned ? 'details.banned' : 'details.unseen'),
    muted.has(id) && t('details.muted'),
  ].filter((fact) => fact !== false && fact !== undefined)
  return (
    <li className="chat-person chat-member">
      <Avatar id={id} name={name} image={user?.image} presence={user?.online ? 'online' : 'offline'} />
      <span className="chat-member-words">
        <span className="chat-member-name">
          <bdi>{id === me ? t('details.you', { name }) : name}</bdi>
          {user?.online && <span className="chat-hidden">{t('presence.online')}</span>}
        </span>
        {(organization || facts.length > 0) && (
          <span className="chat-member-about">
            {organization && <bdi>{organization}</bdi>}
            {facts.map((fact) => (
              <span key={fact} className="chat-member-tag">
                {fact}
              </span>
            ))}
          </span>
        )}
      </span>
      {actions.length > 0 && (
        <IconButton
          label={t('details.actions', { name })}
          ref={button}
          className="chat-member-more"
          tabIndex={tabIndex}
          aria-haspopup="menu"
          aria-expanded={open}
          onFocus={onFocus}
          onClick={() => setOpen(true)}
        >
          <MoreIcon />
        </IconButton>
      )}
      {open && (
        <Suspense fallback={null}>
          <MemberMenu
            channel={channel}
            member={member}
            actions={actions}
            {...reaching}
            anchor={button}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </li>
  )
}
