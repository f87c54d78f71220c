import type { Channel, LocalMessage } from '@parley/client'
import { useState } from 'react'
import { Avatar } from '../avatar/Avatar.tsx'
import { useClient } from '../chat/use-client.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { rove } from '../roving.ts'
import { More } from '../side-pane/More.tsx'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { avatarUser, nameOf } from './message-name.ts'
import { isSameReaction, reactionLook } from './reaction-kinds.ts'
import { reactionSummary } from './reaction-summary.ts'
import { useReactions } from './use-reactions.ts'

/** Number of rows in the skeleton. */
const SKELETON_ROWS = 3

export interface ReactionDetailsProps {
  channel: Channel
  message: LocalMessage
  onClose: () => void
  onRemove: (type: string) => void
}

/** The users who reacted, and with what, page by page; one's own reaction can be removed here [RXN-12]. */
export default function ReactionDetails({ channel, message, onClose, onRemove }: ReactionDetailsProps) {
  const t = useTranslate()
  const me = useClient().userID
  const [chosen, choose] = useState<string>()
  const summary = reactionSummary(t, message)
  // The last reaction of a kind may be removed while its list is open.
  const shown = summary.find((reaction) => chosen !== undefined && isSameReaction(reaction.type, chosen))
  const type = shown?.type
  const { at, reactions, hasMore, load } = useReactions(channel, message.id, shown?.types ?? [])
  const kinds = [undefined, ...summary.map((reaction) => reaction.type)]
  return (
    <ChatDialog title={t('reactions.title')} onClose={onClose}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are toggle buttons. */}
      <div
        className="chat-reactions"
        role="group"
        aria-label={t('reactions.label')}
        onKeyDown={(event) => rove(event, 'button', 'horizontal')}
      >
        {kinds.map((kind) => {
          const count = summary.find((reaction) => reaction.type === kind)?.count ?? 0
          const { emoji, name } = kind === undefined ? { emoji: '', name: undefined } : reactionLook(kind)
          return (
            <button
              key={kind ?? ''}
              type="button"
              className="chat-reaction"
              aria-pressed={type === kind}
              aria-label={
                kind === undefined ? undefined : t('reactions.chip', { emoji: name ? t(name) : emoji, count })
              }
              tabIndex={type === kind ? 0 : -1}
              onClick={() => choose(kind)}
            >
              {kind === undefined ? (
                t('reactions.all')
              ) : (
                <>
                  <span aria-hidden="true">{emoji}</span>
                  <span className="chat-reaction-count">{count}</span>
                </>
              )}
            </button>
          )
        })}
      </div>
      <ul className="chat-people">
        {reactions.map((reaction) => (
          <li key={`${reaction.user_id} ${reaction.type}`} className="chat-person">
            <Avatar {...avatarUser(reaction)} size="small" />
            <bdi className="chat-person-name">{nameOf(t, reaction)}</bdi>
            {reaction.user_id === me && (
              <button
                type="button"
                className="chat-button"
                data-kind="quiet"
                onClick={() => {
                  onRemove(reaction.type)
                  onClose()
                }}
              >
                {t('reactions.remove')}
              </button>
            )}
            <span className="chat-person-emoji" aria-hidden="true">
              {reactionLook(reaction.type).emoji}
            </span>
          </li>
        ))}
      </ul>
      {at === 'loading' && !hasMore && <Skeleton kind="rows" count={SKELETON_ROWS} label={t('reactions.loading')} />}
      {at === 'failed' && (
        <div className="chat-dialog-text">
          <p>{t('reactions.failed')}</p>
          <button type="button" className="chat-button" onClick={load}>
            {t('retry')}
          </button>
        </div>
      )}
      {at !== 'failed' && hasMore && <More loading={at === 'loading'} onMore={load} />}
    </ChatDialog>
  )
}
