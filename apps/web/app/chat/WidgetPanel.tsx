import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Icon, type IconName } from '../ui/Icon.tsx'
import { ChatParts, Conversation, Conversations } from './ChatParts.tsx'
import { useChat } from './use-chat.ts'

/**
 * The panel of the floating chat: the list, or one channel over it. Not modal: Tab leaves it to the page, Escape
 * closes it. While closed it is hidden and inert but keeps its place and drafts.
 */
export function WidgetPanel({ open, side, onClose, onMove }: WidgetPanelProps) {
  const t = useTranslate()
  const navigate = useNavigate()
  const { state, dispatch } = useChat()
  const panel = useRef<HTMLElement>(null)
  const cid = state.chatChannelOpen ? state.activeChannelId : null

  useEffect(() => {
    if (open) panel.current?.focus()
  }, [open])

  const buttons = (
    <>
      <PanelButton
        icon="expand"
        label={t('widget.fullPage')}
        onClick={() => navigate(cid ? `/chat/${encodeURIComponent(cid)}` : '/chat')}
      />
      <PanelButton icon="minimize" label={t('widget.minimize')} onClick={onClose} />
    </>
  )

  return (
    <section
      id="chat-widget"
      className="widget-panel"
      ref={panel}
      tabIndex={-1}
      hidden={!open}
      inert={!open}
      aria-label={t('widget.label')}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      {!cid && (
        <header className="widget-head">
          <h2>{t('chat.messages')}</h2>
          <PanelButton
            icon="plus"
            label={t('chat.new')}
            onClick={() => dispatch({ type: 'NewChatModalOpenClicked' })}
          />
          <PanelButton
            icon="side"
            label={t(side === 'end' ? 'widget.moveLeft' : 'widget.moveRight')}
            onClick={onMove}
          />
          {buttons}
        </header>
      )}
      <div className="widget-body">
        <ChatParts>
          {cid ? (
            <Conversation
              key={cid}
              cid={cid}
              onChannel={(channelId) => dispatch({ type: 'ChannelSelected', channelId })}
              onBack={() => dispatch({ type: 'ChatChannelCloseClicked' })}
              actions={buttons}
            />
          ) : (
            <Conversations
              activeCid={state.activeChannelId}
              onSelect={(channelId) => {
                dispatch({ type: 'ChannelSelected', channelId })
                dispatch({ type: 'ChatChannelOpenClicked' })
              }}
            />
          )}
        </ChatParts>
      </div>
    </section>
  )
}

interface WidgetPanelProps {
  open: boolean
  side: 'start' | 'end'
  onClose: () => void
  onMove: () => void
}

function PanelButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
