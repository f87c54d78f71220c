import type { Channel, LocalMessage, Reaction } from '@parley/client'
import { useCallback, useEffect, useState } from 'react'
import { UNSAFE_PortalProvider } from 'react-aria/PortalProvider'
import { Dialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Avatar } from '../avatar/Avatar.tsx'
import { useChat } from '../chat/chat-context.ts'
import { useTranslate } from '../i18n/translate.ts'
import { CloseIcon } from '../theme/icons.tsx'
import { reactionLook } from './reaction-kinds.ts'
import { reactionSummary } from './reaction-summary.ts'

/** People asked for at a time. */
const PAGE = 100

export interface ReactionDetailsProps {
  channel: Channel
  message: LocalMessage
  onClose: () => void
  onRemove: (type: string) => void
}

type People = { at: 'loading' } | { at: 'failed' } | { at: 'loaded'; reactions: readonly Reaction[] }

/** Who reacted, and with what; one's own can be taken back here [RXN-12]. */
export default function ReactionDetails({ channel, message, onClose, onRemove }: ReactionDetailsProps) {
  const t = useTranslate()
  const { root, client } = useChat()
  const [type, setType] = useState<string>()
  const { people, load } = useReactions(channel, message)
  const summary = reactionSummary(message)
  const shown = people.at === 'loaded' ? people.reactions.filter((reaction) => !type || reaction.type === type) : []
  return (
    <UNSAFE_PortalProvider getContainer={root}>
      <ModalOverlay className="chat-scrim" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
        <Modal className="chat-modal">
          <Dialog className="chat-dialog">
            <div className="chat-dialog-head">
              <Heading slot="title" className="chat-dialog-title">
                {t('reactions.title')}
              </Heading>
              <button type="button" className="chat-icon-button" aria-label={t('reactions.close')} onClick={onClose}>
                <CloseIcon />
              </button>
            </div>
            {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; these are toggle buttons. */}
            <div className="chat-reactions" role="group" aria-label={t('reactions.label')}>
              <button type="button" className="chat-reaction" aria-pressed={!type} onClick={() => setType(undefined)}>
                {t('reactions.all')}
              </button>
              {summary.map((reaction) => (
                <button
                  key={reaction.type}
                  type="button"
                  className="chat-reaction"
                  aria-pressed={type === reaction.type}
                  onClick={() => setType(reaction.type)}
                >
                  {reactionLook(reaction.type).emoji} <span className="chat-reaction-count">{reaction.count}</span>
                </button>
              ))}
            </div>
            {people.at === 'loading' && (
              <p className="chat-dialog-text">
                <span className="chat-spinner" /> {t('reactions.loading')}
              </p>
            )}
            {people.at === 'failed' && (
              <div className="chat-dialog-text">
                <p>{t('reactions.failed')}</p>
                <button type="button" className="chat-button" onClick={load}>
                  {t('retry')}
                </button>
              </div>
            )}
            <ul className="chat-people">
              {shown.map((reaction) => (
                <li key={`${reaction.user_id} ${reaction.type}`} className="chat-person">
                  <Avatar
                    id={reaction.user_id}
                    name={reaction.user?.name ?? reaction.user_id}
                    image={reaction.user?.image}
                    size="small"
                  />
                  <bdi className="chat-person-name">{reaction.user?.name ?? reaction.user_id}</bdi>
                  {reaction.user_id === client.userID && (
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
                  <span>{reactionLook(reaction.type).emoji}</span>
                </li>
              ))}
            </ul>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </UNSAFE_PortalProvider>
  )
}

/** Everybody who reacted, page by page. A failure is shown in the place of the list [TOA-31]. */
function useReactions(channel: Channel, message: LocalMessage) {
  const [people, setPeople] = useState<People>({ at: 'loading' })
  const load = useCallback(async () => {
    setPeople({ at: 'loading' })
    try {
      const reactions: Reaction[] = []
      for (let more = true; more; ) {
        const page = await channel.getReactions(message.id, { limit: PAGE, offset: reactions.length })
        reactions.push(...page.reactions)
        more = page.reactions.length === PAGE
      }
      setPeople({ at: 'loaded', reactions })
    } catch {
      setPeople({ at: 'failed' })
    }
  }, [channel, message.id])
  useEffect(() => void load(), [load])
  return { people, load }
}
