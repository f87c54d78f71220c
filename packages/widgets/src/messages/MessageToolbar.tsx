import type { Channel, LocalMessage } from '@parley/client'
import { useContext, useRef } from 'react'
import { useClient } from '../chat/use-client.ts'
import { useTranslate } from '../i18n/translate.ts'
import { rove } from '../roving.ts'
import { MoreIcon, ReplyIcon, ThreadIcon } from '../theme/icons.tsx'
import { OpenThread } from '../threads/thread-scope.ts'
import { offeredActions } from './message-actions.ts'
import { wasNeverSent } from './message-parts.ts'
import { reactionKinds } from './reaction-kinds.ts'
import { useMessageActions } from './use-message-actions.ts'

/** Reactions one press away; the menu has the others. */
const QUICK_REACTIONS = 3

export interface MessageToolbarProps {
  channel: Channel
  message: LocalMessage
  entered: boolean
  /** the row is pointed at or has focus; until then only the button of the menu is there, for those who browse by ear */
  attended: boolean
  menuOpen: boolean
  onMenu: (button: HTMLElement) => void
}

/**
 * What one does most, beside the bubble while the row is pointed at or has
 * focus. It lies over empty space of the row, so nothing moves when it comes.
 */
export function MessageToolbar({ channel, message, entered, attended, menuOpen, onMenu }: MessageToolbarProps) {
  const t = useTranslate()
  const client = useClient()
  const actions = useMessageActions(channel, message)
  const threads = useContext(OpenThread) !== undefined
  const more = useRef<HTMLButtonElement>(null)
  if (message.status === 'sending') return null
  const offered = offeredActions(client.userID, channel, message, { threads }).map(({ action }) => action)
  if (offered.length === 0) return null
  const quick =
    attended && offered.includes('react') && !wasNeverSent(message) ? reactionKinds.slice(0, QUICK_REACTIONS) : []
  const tabIndex = entered ? 0 : -1
  return (
    <div
      className="chat-toolbar"
      role="toolbar"
      aria-label={t('actions.label')}
      data-open={menuOpen || undefined}
      onKeyDown={(event) => rove(event, 'button', 'horizontal')}
    >
      {quick.map(({ type, emoji, name }) => (
        <button
          key={type}
          type="button"
          className="chat-icon-button"
          tabIndex={-1}
          aria-label={t('actions.react', { emoji: t(name) })}
          aria-pressed={message.own_reactions.some((reaction) => reaction.type === type)}
          onClick={() => actions.toggleReaction(type)}
        >
          <span aria-hidden="true">{emoji}</span>
        </button>
      ))}
      {attended && offered.includes('reply') && (
        <button
          type="button"
          className="chat-icon-button"
          tabIndex={-1}
          aria-label={t('actions.reply')}
          title={t('actions.reply')}
          onClick={() => actions.run('reply')}
        >
          <ReplyIcon />
        </button>
      )}
      {attended && offered.includes('thread') && (
        <button
          type="button"
          className="chat-icon-button"
          tabIndex={-1}
          aria-label={t('actions.thread')}
          title={t('actions.thread')}
          onClick={() => actions.run('thread')}
        >
          <ThreadIcon />
        </button>
      )}
      <button
        ref={more}
        type="button"
        className="chat-icon-button"
        tabIndex={tabIndex}
        aria-label={t('actions.more')}
        title={t('actions.more')}
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        onClick={() => more.current && onMenu(more.current)}
      >
        <MoreIcon />
      </button>
    </div>
  )
}
