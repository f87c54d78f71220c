import type { MessageTarget } from '@parley/widgets'
import { type CSSProperties, type RefObject, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import '../styles/panel.css'
import { Drawing } from '../ui/Icon.tsx'
import { FILLED, useMedia } from '../ui/use-media.ts'
import { ChatParts, Conversation, Conversations } from './ChatParts.tsx'
import { channelPath } from './message-path.ts'
import { followOwn } from './own-link.ts'
import { useChat } from './use-chat.ts'
import { usePanelSize } from './use-panel-size.ts'
import { useWayBack } from './use-way-back.ts'

const drawings = {
  plus: 'M12 5v14M5 12h14',
  expand: 'M14 4.5h5.5V10M19.5 4.5 13 11M10 19.5H4.5V14M4.5 19.5 11 13',
  minimize: 'M5 12h14',
  side: 'M8 8l-4 4 4 4M16 8l4 4-4 4M4 12h16',
}

/**
 * The panel of the floating chat: the list, or one channel over it. Tab leaves it for the page, except on phones, where
 * it fills the screen and is modal. Escape closes it; on phones the back button does, one layer at a time. While closed
 * it is hidden and inert but keeps its place and drafts. The user resizes it by its free corner.
 */
export function WidgetPanel({ open, side, launcher, onClose, onMove }: WidgetPanelProps) {
  const t = useTranslate()
  const navigate = useNavigate()
  const { state, dispatch } = useChat()
  const panel = useRef<HTMLElement>(null)
  const { style, grip } = usePanelSize()
  const isModal = useMedia(FILLED)
  const cid = state.chatChannelOpen ? state.activeChannelId : null
  /** The target of a link in a message; cleared with its conversation. */
  const [led, setLed] = useState<{ cid: string; target: MessageTarget }>()
  if (led && led.cid !== cid) setLed(undefined)
  useWayBack(open && isModal ? (cid ? 2 : 1) : 0, (left) =>
    left > 0 ? dispatch({ type: 'ChatChannelCloseClicked' }) : onClose(),
  )

  useEffect(() => {
    // On phones the button is shown again once the panel has closed.
    const { current } = open ? panel : launcher
    current?.focus()
  }, [open, launcher])

  const buttons = (
    <>
      <PanelButton
        icon="expand"
        label={t('widget.fullPage')}
        onClick={() => navigate(cid ? channelPath(cid) : '/chat')}
      />
      <PanelButton icon="minimize" label={t('widget.minimize')} onClick={onClose} />
    </>
  )

  return (
    <>
      <section
        id="chat-widget"
        className="widget-panel"
        style={style as CSSProperties}
        ref={panel}
        tabIndex={-1}
        hidden={!open}
        inert={!open}
        aria-label={t('widget.label')}
        {...(isModal && { role: 'dialog', 'aria-modal': true })}
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
        {/* biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are clickable. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click, too. */}
        <div
          className="widget-body"
          onClick={(event) => {
            const own = followOwn(event)
            if (!own) return
            dispatch({ type: 'ChannelSelected', channelId: own.cid })
            dispatch({ type: 'ChatChannelOpenClicked' })
            setLed(own.message === undefined ? undefined : { cid: own.cid, target: { id: own.message } })
          }}
        >
          <ChatParts>
            <Conversations
              covered={cid !== null}
              activeCid={state.activeChannelId}
              onSelect={(channelId) => {
                dispatch({ type: 'ChannelSelected', channelId })
                dispatch({ type: 'ChatChannelOpenClicked' })
              }}
            />
            {cid && (
              <Conversation
                key={cid}
                cid={cid}
                target={led?.target}
                onChannel={(channelId) => dispatch({ type: 'ChannelSelected', channelId })}
                onBack={() => dispatch({ type: 'ChatChannelCloseClicked' })}
                actions={buttons}
              />
            )}
          </ChatParts>
        </div>
      </section>
      {open && (
        <button
          type="button"
          className="panel-grip"
          aria-label={t('widget.resize')}
          title={t('widget.resize')}
          {...grip}
          onKeyDown={(event) => (event.key === 'Escape' ? onClose() : grip.onKeyDown(event))}
        />
      )}
    </>
  )
}

interface WidgetPanelProps {
  open: boolean
  side: 'start' | 'end'
  /** Gets the focus back. */
  launcher: RefObject<HTMLButtonElement | null>
  onClose: () => void
  onMove: () => void
}

function PanelButton({ icon, label, onClick }: PanelButtonProps) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Drawing name={icon} path={drawings[icon]} />
    </button>
  )
}

interface PanelButtonProps {
  icon: keyof typeof drawings
  label: string
  onClick: () => void
}
