import type { Channel } from '@parley/client'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { Avatar } from '../avatar/Avatar.tsx'
import { useChat } from '../chat/chat-context.ts'
import type { Person } from '../chat/people.ts'
import { personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { Refusal } from '../dialog/Refusal.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { MEMBERS_ADDED_MAX } from '../limits.ts'
import { detailsOf } from '../notices/notices.ts'
import { useNotices } from '../notices/use-notices.ts'
import { rove } from '../roving.ts'
import { SearchField } from '../search/SearchField.tsx'
import { isComposing } from '../shortcuts/composing.ts'
import { CloseIcon } from '../theme/icons.tsx'
import { PageEnd } from './PageEnd.tsx'
import { usePeople } from './use-people.ts'
import '../dialog/chip.css'

export interface AddMembersDialogProps {
  channel: Channel
  onClose: () => void
}

/**
 * Finds users and adds the selected ones, all at once. The selection is kept while the user searches further, and if
 * adding fails.
 *
 * Style hooks: `.chat-addable`, `.chat-chosen`.
 */
export default function AddMembersDialog({ channel, onClose }: AddMembersDialogProps) {
  const t = useTranslate()
  const notices = useNotices()
  const announce = useAnnounce()
  const { client, people: directory } = useChat()
  const { members } = useChannelState(channel)
  const [sought, setSought] = useState('')
  const { items: people, at, hasMore, load } = usePeople(sought)
  const [chosen, setChosen] = useState<readonly Person[]>([])
  const [asking, setAsking] = useState(false)
  const [adding, setAdding] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const fault = useId()
  const [active, setActive] = useState<string>()
  const isFull = chosen.length >= MEMBERS_ADDED_MAX
  const isMember = (user: Person) => members[user.id] !== undefined
  const isInvited = ({ id }: Person) => members[id]?.status === 'pending'
  const open = people.filter((user) => !isMember(user))
  const stop = open.some(({ id }) => id === active) ? active : open[0]?.id
  const isChosen = (user: Person) => chosen.some(({ id }) => id === user.id)
  const turn = (user: Person) =>
    setChosen((before) => (isChosen(user) ? before.filter(({ id }) => id !== user.id) : [...before, user]))

  const mayInvite = directory?.invite !== undefined || directory?.add === undefined
  // The server does not store the inviter; the card of the invitation shows it [interface.md 7.1].
  const invite = () =>
    directory?.invite?.(channel, chosen) ??
    channel.inviteMembers(chosen.map(({ id }) => ({ user_id: id, invited_by: client.userID })))
  const add = async () => {
    if (adding) return
    setAdding(true)
    setRefusal(undefined)
    try {
      await (asking ? invite() : (directory?.add?.(channel, chosen) ?? channel.addMembers(chosen.map(({ id }) => id))))
      notices.show('success', asking ? 'details.invite.done' : 'details.add.done', { values: { count: chosen.length } })
      onClose()
    } catch (error) {
      // If the dialog is closed meanwhile, its own error text would not be seen.
      if (!search.current) return notices.failed('details.add.refused', error)
      setRefusal(detailsOf(error))
      announce('problem', { text: t('details.add.refused') })
      setAdding(false)
    }
  }
  const toList = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    list.current?.querySelector<HTMLElement>('input:not(:disabled)')?.focus()
  }

  return (
    <ChatDialog title={t('details.add')} onClose={onClose}>
      <SearchField
        fieldRef={search}
        autoFocus
        label={t('details.add.find')}
        text={sought}
        onChange={setSought}
        onKeyDown={toList}
      />
      {chosen.length > 0 && (
        <ul className="chat-chosen" aria-label={t('details.add.chosen', { count: chosen.length })}>
          {chosen.map((user) => (
            <li key={user.id}>
              <button
                type="button"
                className="chat-chip"
                aria-label={t('details.add.remove', { name: personName(user) })}
                onClick={() => {
                  turn(user)
                  search.current?.focus()
                }}
              >
                <bdi>{personName(user)}</bdi>
                <CloseIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="chat-addable">
        <ul
          ref={list}
          className="chat-people"
          aria-label={t('search.people')}
          onKeyDown={(event) => rove(event, 'input:not(:disabled)', 'vertical')}
        >
          {at !== 'failed' &&
            people.map((user) => (
              <Addable
                key={user.id}
                user={user}
                isMember={isMember(user)}
                isInvited={isInvited(user)}
                isChosen={isChosen(user)}
                isClosed={isFull && !isChosen(user)}
                tabIndex={user.id === stop ? 0 : -1}
                onFocus={() => setActive(user.id)}
                onTurn={() => turn(user)}
              />
            ))}
        </ul>
        <PageEnd
          at={at}
          isEmpty={people.length === 0}
          hasMore={hasMore}
          load={load}
          says={{ loading: 'details.add.searching', none: 'details.add.none', failed: 'details.add.failed' }}
        />
      </div>
      {refusal !== undefined && <Refusal id={fault} text={t('details.add.refused')} details={refusal} />}
      {mayInvite && (
        <label className="chat-choice">
          <input type="checkbox" checked={asking} onChange={() => setAsking(!asking)} />
          <span>{t('details.add.ask')}</span>
        </label>
      )}
      <div className="chat-dialog-buttons">
        <button type="button" className="chat-button" onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          className="chat-button"
          data-kind="primary"
          disabled={chosen.length === 0}
          aria-describedby={refusal === undefined ? undefined : fault}
          aria-busy={adding || undefined}
          onClick={() => void add()}
        >
          {t(asking ? 'details.invite' : 'details.add.confirm')}
        </button>
      </div>
    </ChatDialog>
  )
}

interface AddableProps {
  user: Person
  isMember: boolean
  /** invited, and has not answered */
  isInvited: boolean
  isChosen: boolean
  /** one call accepts no more */
  isClosed: boolean
  tabIndex: 0 | -1
  onFocus: () => void
  onTurn: () => void
}

function Addable({ user, isMember, isInvited, isChosen, isClosed, tabIndex, onFocus, onTurn }: AddableProps) {
  const t = useTranslate()
  const name = personName(user)
  const organization = typeof user.organization === 'string' ? user.organization : undefined
  return (
    <li>
      <label className="chat-person chat-choice" data-off={isMember || isClosed || undefined}>
        <Avatar id={user.id} name={name} image={user.image} />
        <span className="chat-member-words">
          <span className="chat-member-name">
            <bdi>{name}</bdi>
          </span>
          {(organization || isMember) && (
            <span className="chat-member-about">
              {organization && <bdi>{organization}</bdi>}
              {isMember && <span>{t(isInvited ? 'details.invited' : 'details.add.member')}</span>}
            </span>
          )}
        </span>
        <input
          type="checkbox"
          checked={isChosen || isMember}
          disabled={isMember || isClosed}
          tabIndex={tabIndex}
          onFocus={onFocus}
          onChange={onTurn}
        />
      </label>
    </li>
  )
}
