import type { Channel } from '@parley/client'
import { type ReactNode, useRef } from 'react'
import { ChannelHeader } from '../channel-header/ChannelHeader.tsx'
import { Composer } from '../composer/Composer.tsx'
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { MessageList } from '../message-list/MessageList.tsx'
import { detailsOf } from '../notices/use-notices.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { MissingIcon, WarningIcon } from '../theme/icons.tsx'
import { TypingIndicator } from '../typing/TypingIndicator.tsx'
import { useChannel } from './use-channel.ts'
import { useChannelAnnouncements } from './use-channel-announcements.ts'

export interface ChannelPaneProps {
  cid: string
  /** shows a back button, for screens with one region at a time */
  onBack?: () => void
  /** buttons at the end of the header */
  actions?: ReactNode
}

/** Bubbles of the skeleton. */
const SKELETON_BUBBLES = 5

/**
 * One conversation: header, connection, messages, who is typing, composer.
 * Opens and watches the channel; one that is not there, or was taken away,
 * shows "Channel Missing" [TOA-41].
 *
 * Renders a `<div>` with regions stacked to the height of its place: which part of a page is its main one, the page
 * knows, and a floating panel is none.
 */
export function ChannelPane({ cid, onBack, actions }: ChannelPaneProps) {
  const t = useTranslate()
  const opened = useChannel(cid)
  switch (opened.at) {
    case 'loaded':
      return <LoadedPane key={cid} channel={opened.channel} onBack={onBack} actions={actions} />
    case 'loading':
      return (
        <div className="chat-pane" data-state="loading">
          <ConnectionBanner />
          <Skeleton kind="bubbles" count={SKELETON_BUBBLES} label={t('messages.loading')} />
        </div>
      )
    case 'missing':
      return (
        <PaneState icon={<MissingIcon />} title={t('channel.missing')} onBack={onBack}>
          <p className="chat-state-text">{t('channel.missing.hint')}</p>
        </PaneState>
      )
    case 'failed':
      return (
        <PaneState icon={<WarningIcon />} title={t('channel.failed')} onBack={onBack}>
          <button type="button" className="chat-button" data-kind="primary" onClick={opened.retry}>
            {t('retry')}
          </button>
          <p className="chat-state-details">{detailsOf(opened.error)}</p>
        </PaneState>
      )
    default:
      return opened satisfies never
  }
}

function LoadedPane({ channel, onBack, actions }: Omit<ChannelPaneProps, 'cid'> & { channel: Channel }) {
  const box = useRef<HTMLTextAreaElement>(null)
  useChannelAnnouncements(channel)
  return (
    <div className="chat-pane" data-state="loaded">
      <ChannelHeader channel={channel} onBack={onBack} actions={actions} />
      <ConnectionBanner />
      <MessageList channel={channel} onLeave={() => box.current?.focus()} />
      <TypingIndicator channel={channel} />
      <Composer channel={channel} boxRef={box} autoFocus />
    </div>
  )
}

function PaneState(props: { icon: ReactNode; title: string; onBack?: () => void; children: ReactNode }) {
  const t = useTranslate()
  return (
    <div className="chat-pane" data-state="empty">
      <ConnectionBanner />
      <div className="chat-state">
        <span className="chat-state-picture">{props.icon}</span>
        <h2 className="chat-state-title">{props.title}</h2>
        {props.children}
        {props.onBack && (
          <button type="button" className="chat-button" onClick={props.onBack}>
            {t('header.back')}
          </button>
        )}
      </div>
    </div>
  )
}
