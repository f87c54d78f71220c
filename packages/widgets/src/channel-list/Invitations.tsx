import type { Channel } from '@parley/client'
import { type MouseEvent, useEffect, useId, useReducer, useRef } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { Avatar } from '../avatar/Avatar.tsx'
import { channelAvatar, channelName } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useTranslate, useTranslation } from '../i18n/translate.ts'
import { DECLINE_UNDO_MS } from '../limits.ts'
import { offerUndo, UNDONE } from '../notices/offer-undo.ts'
import { usePreferences } from '../preferences/use-preferences.ts'

/** The next focus when a card is removed: the next card, else the conversations, else the search. */
const NEXT = ['.chat-invitation:not([data-leaving]) button', '.chat-channel-row[tabindex="0"]', 'input']

/** Invitations being declined on this page; they stay hidden when the list is unmounted and mounted again. */
const declined = new WeakSet<Channel>()

export interface InvitationsProps {
  /** pending invitations */
  channels: readonly Channel[]
  /** new invitations to announce, by cid; an announced one is removed */
  unspoken: Set<string>
  /** an invitation was accepted: its channel is opened */
  onAccepted: (channel: Channel) => void
}

/**
 * The reader's invitations, each with its buttons. Declining can be undone while its notice is shown; only then is it
 * sent to the server.
 *
 * Style hooks: `.chat-invitation`.
 */
export default function Invitations({ channels, unspoken, onAccepted }: InvitationsProps) {
  const t = useTranslate()
  const { client, notices } = useChat()
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const accepting = useRef(new Set<Channel>())
  const failed = (error: unknown) => notices.failed('channels.answer.failed', error)

  const accept = async (channel: Channel) => {
    // A second press would fail: the invitation is accepted already.
    if (accepting.current.has(channel)) return
    accepting.current.add(channel)
    try {
      await channel.acceptInvite()
      onAccepted(channel)
    } catch (error) {
      failed(error)
    } finally {
      accepting.current.delete(channel)
    }
  }
  const decline = (channel: Channel, name: string) => {
    declined.add(channel)
    redraw()
    const { over } = offerUndo(notices, 'channels.declined', { name, cid: channel.cid }, DECLINE_UNDO_MS)
    over
      .then(() => channel.rejectInvite())
      .then(
        // The list receives the event itself; a new invitation shows a card again.
        () => declined.delete(channel),
        (error) => {
          declined.delete(channel)
          redraw()
          if (error !== UNDONE) failed(error)
        },
      )
  }

  const open = channels.filter((channel) => !declined.has(channel))
  if (open.length === 0) return null
  return (
    <ul className="chat-invitations" aria-label={t('channels.invitations')}>
      {open.map((channel) => (
        <Invitation
          key={channel.cid}
          channel={channel}
          unspoken={unspoken}
          me={client.userID}
          onAccept={() => void accept(channel)}
          onDecline={(name) => decline(channel, name)}
        />
      ))}
    </ul>
  )
}

interface InvitationProps {
  channel: Channel
  unspoken: Set<string>
  me: string | undefined
  onAccept: () => void
  onDecline: (name: string) => void
}

function Invitation({ channel, unspoken, me, onAccept, onDecline }: InvitationProps) {
  const { t, language } = useTranslation()
  const state = useChannelState(channel.preview)
  const words = useId()
  const group = channelName(t, language, state, me)
  // The inviting client stores the inviter; the server does not.
  const by = state.membership?.invited_by
  const inviter = typeof by === 'string' ? state.members[by]?.user : undefined
  const text = inviter
    ? t('channels.invited', { name: personName(inviter), group })
    : t('channels.invited.unsaid', { group })
  const announce = useAnnounce()
  const [{ announcements: level }] = usePreferences()
  useEffect(() => {
    if (unspoken.delete(channel.cid) && level !== 'off') announce('invited', { text })
  }, [unspoken, channel, level, announce, text])
  const decline = (event: MouseEvent<HTMLElement>) => {
    handFocusOn(event.currentTarget)
    onDecline(group)
  }
  return (
    <li className="chat-invitation">
      <Avatar {...channelAvatar(group, state, channel, me)} presence={undefined} size="large" />
      <div className="chat-invitation-inside">
        <p id={words}>{text}</p>
        <div className="chat-invitation-answers">
          <button type="button" className="chat-button" data-kind="primary" aria-describedby={words} onClick={onAccept}>
            {t('channels.accept')}
          </button>
          <button type="button" className="chat-button" aria-describedby={words} onClick={decline}>
            {t('channels.decline')}
          </button>
        </div>
      </div>
    </li>
  )
}

/** When a focused card is removed, the focus moves to the next element and nowhere else. */
function handFocusOn(button: HTMLElement) {
  const card = button.closest<HTMLElement>('.chat-invitation')
  const list = button.closest('nav')
  if (!card || !list) return
  card.dataset.leaving = ''
  const next = NEXT.map((one) => list.querySelector<HTMLElement>(one)).find((one) => one)
  next?.focus()
}
