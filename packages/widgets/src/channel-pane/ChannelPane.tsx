import type { Channel } from '@parley/client'
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { ChannelHeader } from '../channel-header/ChannelHeader.tsx'
import { Composer } from '../composer/Composer.tsx'
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { MessageList, type MessageListHandle } from '../message-list/MessageList.tsx'
import { detailsOf } from '../notices/use-notices.ts'
import { PollButton } from '../polls/PollButton.tsx'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { MissingIcon, WarningIcon } from '../theme/icons.tsx'
import { OpenThread } from '../threads/thread-scope.ts'
import { TypingIndicator } from '../typing/TypingIndicator.tsx'
import { useChannel } from './use-channel.ts'
import { useChannelAnnouncements } from './use-channel-announcements.ts'
import { type MessageTarget, useTarget } from './use-target.ts'

export interface ChannelPaneProps {
  cid: string
  /** shows a back button, for screens with one region at a time */
  onBack?: () => void
  /** buttons at the end of the header */
  actions?: ReactNode
  /** the open thread, by the id of its parent, for a page whose address says which; else the pane keeps it */
  threadId?: string
  /** a thread is opened, or closed again; with a message id, to show that reply */
  onThread?: (parentId: string | undefined, messageId?: string) => void
  /** a message to go to, also in a thread; another object goes there again */
  target?: MessageTarget
}

const ThreadPane = lazy(() => import('../threads/ThreadPane.tsx'))

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
export function ChannelPane({ cid, onBack, ...rest }: ChannelPaneProps) {
  const t = useTranslate()
  const opened = useChannel(cid)
  switch (opened.at) {
    case 'loaded':
      return <LoadedPane key={cid} channel={opened.channel} onBack={onBack} {...rest} />
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

type LoadedPaneProps = Omit<ChannelPaneProps, 'cid'> & { channel: Channel }

function LoadedPane({ channel, onBack, actions, threadId, onThread, target }: LoadedPaneProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const [own, setOwn] = useState<string>()
  const thread = onThread ? threadId : own
  const turn = useRef(onThread)
  useEffect(() => {
    turn.current = onThread
  })
  const turnTo = useCallback(
    (id: string | undefined, messageId?: string) => (turn.current ? turn.current(id, messageId) : setOwn(id)),
    [],
  )
  const [list, setList] = useState<MessageListHandle | null>(null)
  const reply = useTarget({ channel, target, list, thread, openThread: turnTo })
  useFocusBack(thread, pane, box)
  useChannelAnnouncements(channel)
  return (
    <OpenThread value={turnTo}>
      <div className="chat-split">
        <div ref={pane} className="chat-pane" data-state="loaded">
          <ChannelHeader channel={channel} onBack={onBack} actions={actions} />
          <ConnectionBanner />
          <MessageList channel={channel} listRef={setList} onLeave={() => box.current?.focus()} />
          <TypingIndicator channel={channel} />
          <Composer channel={channel} boxRef={box} autoFocus tools={<PollButton channel={channel} />} />
        </div>
        {thread !== undefined && (
          <Suspense fallback={null}>
            <ThreadPane
              key={thread}
              channel={channel}
              parentId={thread}
              target={reply}
              onClose={() => turnTo(undefined)}
            />
          </Suspense>
        )}
      </div>
    </OpenThread>
  )
}

/** When a thread closes, the focus goes back to the message it hangs on, however it was closed. */
function useFocusBack(
  thread: string | undefined,
  pane: RefObject<HTMLElement | null>,
  box: RefObject<HTMLElement | null>,
) {
  const before = useRef<string>(undefined)
  useEffect(() => {
    const closed = thread === undefined ? before.current : undefined
    before.current = thread
    if (closed === undefined) return
    const row = pane.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(closed)}"]`)
    const to = row ?? box.current
    to?.focus({ preventScroll: true })
  }, [thread, pane, box])
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
