import type { Channel, LocalMessage } from '@parley/client'
import { useContext, useRef } from 'react'
import { useClient } from '../chat/use-client.ts'
import { factsOf } from '../i18n/format.ts'
import { truncate } from '../i18n/graphemes.ts'
import { useTranslation } from '../i18n/translate.ts'
import { NAMED_BY_CHARS } from '../limits.ts'
import { rove } from '../roving.ts'
import { IconButton } from '../theme/IconButton.tsx'
import { MoreIcon, ReplyIcon, ThreadIcon } from '../theme/icons.tsx'
import { OpenThread } from '../threads/thread-scope.ts'
import { offeredActions } from './message-actions.ts'
import { nameOf } from './message-name.ts'
import { wasNeverSent } from './message-parts.ts'
import { messageSummary } from './message-summary.ts'
import { reactionLook, recentReactions } from './reaction-kinds.ts'
import { useMessageActions } from './use-message-actions.ts'

export interface MessageToolbarProps {
  channel: Channel
  message: LocalMessage
  entered: boolean
  /** the row is hovered or has focus; until then only the menu button is rendered, for screen readers */
  attended: boolean
  menuOpen: boolean
  onMenu: (button: HTMLElement) => void
}

/**
 * The most frequent actions, beside the bubble while the row is hovered or has focus. It lies over empty space of the
 * row, so nothing moves when it appears.
 */
export function MessageToolbar({ channel, message, entered, attended, menuOpen, onMenu }: MessageToolbarProps) {
  const { t, language } = useTranslation()
  const client = useClient()
  const actions = useMessageActions(channel, message)
  const threads = useContext(OpenThread) !== undefined
  const more = useRef<HTMLButtonElement>(null)
  if (message.status === 'sending') return null
  const offered = offeredActions(client.userID, channel, message, { threads }).map(({ action }) => action)
  if (offered.length === 0) return null
  const quick =
    attended && offered.includes('react') && !wasNeverSent(message)
      ? recentReactions().map((type) => ({ type, ...reactionLook(type) }))
      : []
  const tabIndex = entered ? 0 : -1
  const own = message.user.id === client.userID
  // A screen reader should not read half a word at the end.
  const words = truncate(messageSummary(t, message), NAMED_BY_CHARS).replace(/\s\S+…$/, '…')
  return (
    <div
      className="chat-toolbar"
      role="toolbar"
      aria-label={t('actions.label')}
      data-open={menuOpen || undefined}
      onKeyDown={(event) => rove(event, 'button', 'horizontal')}
    >
      {quick.map(({ type, emoji, name }) => (
        <IconButton
          label={t('actions.react', { emoji: name ? t(name) : emoji })}
          key={type}
          tabIndex={-1}
          aria-pressed={message.own_reactions.some((reaction) => reaction.type === type)}
          onClick={() => actions.toggleReaction(type)}
        >
          <span aria-hidden="true">{emoji}</span>
        </IconButton>
      ))}
      {attended && offered.includes('reply') && (
        <IconButton label={t('actions.reply')} tabIndex={-1} onClick={() => actions.run('reply')}>
          <ReplyIcon />
        </IconButton>
      )}
      {attended && offered.includes('thread') && (
        <IconButton label={t('actions.thread')} tabIndex={-1} onClick={() => actions.run('thread')}>
          <ThreadIcon />
        </IconButton>
      )}
      <IconButton
        label={factsOf(language, [t('actions.more'), nameOf(t, message, own), words])}
        // A sighted user sees which message it belongs to.
        title={t('actions.more')}
        ref={more}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        aria-expanded={menuOpen}
        onClick={() => more.current && onMenu(more.current)}
      >
        <MoreIcon />
      </IconButton>
    </div>
  )
}
