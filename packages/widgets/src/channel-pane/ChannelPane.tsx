import type { Channel } from '@parley/client'
import { Suspense, useEffect, useRef, useState } from 'react'
import { NowPlaying } from '../attachments/NowPlaying.tsx'
import { ChannelHeader } from '../channel-header/ChannelHeader.tsx'
import { FaultBoundary } from '../chat/FaultBoundary.tsx'
import { FaultNote } from '../chat/FaultNote.tsx'
import { lazyPart } from '../chat/lazy-part.tsx'
import { Composer } from '../composer/Composer.tsx'
import { isTouch } from '../composer/touch.ts'
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx'
import { useSendAgain } from '../connection/use-send-again.ts'
import type { Elements } from '../elements.ts'
import { useTranslate } from '../i18n/translate.ts'
import { MessageList, type MessageListHandle } from '../message-list/MessageList.tsx'
import { Details } from '../notices/Details.tsx'
import { detailsOf } from '../notices/notices.ts'
import { PinsButton } from '../pins/PinsButton.tsx'
import { PollButton } from '../polls/PollButton.tsx'
import { type RootProps, rootProps } from '../root-props.ts'
import type { FoundMessage } from '../search/MessageHit.tsx'
import { maySearch, SearchButton } from '../search/SearchButton.tsx'
import type { SearchPlace } from '../search/search-place.ts'
import { useShortcut } from '../shortcuts/use-shortcuts.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { MissingIcon, WarningIcon } from '../theme/icons.tsx'
import { OpenThread } from '../threads/thread-scope.ts'
import { TypingIndicator } from '../typing/TypingIndicator.tsx'
import { useChannel } from './use-channel.ts'
import { useChannelAnnouncements } from './use-channel-announcements.ts'
import { type Beside, type SideProps, useSide, useSince } from './use-side.ts'
import { type MessageTarget, useTarget } from './use-target.ts'

export interface ChannelPaneProps extends RootProps<HTMLDivElement>, SideProps {
  cid: string
  /** shows a back button, for screens with one region at a time */
  onBack?: () => void
  /** buttons at the end of the header */
  actions?: Elements
  /** a message to go to, also in a thread; another object goes there again */
  target?: MessageTarget
  /**
   * called when the pane goes to a message of this conversation, as the original of a reply or a pinned one, for a page
   * that stores it in its address: the page passes it back as `target`; without this callback the pane goes there by
   * itself
   *
   * @param alone  there is no room for a pane beside the conversation
   */
  onJump?: (messageId: string, alone: boolean) => void
  /** the page's entry in the browser's history: back from a jump, the former reading position is restored */
  visit?: string
  /**
   * opens a message that was found in any channel, and keeps the search open where there is one; without it the search
   * is limited to this channel
   */
  onMessage?: (message: FoundMessage, search: SearchPlace | undefined) => void
  /** opens another conversation, as the one with a member; without it the menus of members offer no conversation */
  onChannel?: (cid: string) => void
  /** shows the newest pinned message over the conversation; a press goes to it, and then shows the one pinned before */
  pinnedBanner?: boolean
}

const ThreadPane = lazyPart(() => import('../threads/ThreadPane.tsx'))
const SearchPane = lazyPart(() => import('../search/SearchPane.tsx'))
const PinnedBanner = lazyPart(() => import('../pins/PinnedBanner.tsx'), 'nothing')
const PinsPane = lazyPart(() => import('../pins/PinsPane.tsx'))
const DetailsPane = lazyPart(() => import('../channel-details/DetailsPane.tsx'))

/** Number of bubbles in the skeleton. */
const SKELETON_BUBBLES = 5

/**
 * One conversation: header, connection, messages, typing indicator, composer. Opens and watches the channel; one that
 * does not exist, or was removed, shows "Channel Missing" [TOA-41].
 *
 * Renders a `<div>` with regions stacked to the height of its parent: only the page knows which part is its main one,
 * and a floating panel is none.
 */
export function ChannelPane(props: ChannelPaneProps) {
  const { cid, onBack, actions, threadId, onThread, target, visit, search, onSearch, ...others } = props
  const { beside, onBeside, onMessage, onJump, onChannel, pinnedBanner, ...root } = others
  const fallback = (_: unknown, retry: () => void) => (
    <div {...rootProps({ className: 'chat-pane', 'data-state': 'failed' }, root)}>
      <FaultNote text="fault.part" onRetry={retry} />
    </div>
  )
  return (
    <FaultBoundary of={cid} fallback={fallback}>
      <Pane {...props} root={root} />
    </FaultBoundary>
  )
}

function Pane({ root, ...props }: ChannelPaneProps & { root: RootProps<HTMLDivElement> }) {
  const { cid, onBack } = props
  const t = useTranslate()
  const opened = useChannel(cid)
  switch (opened.at) {
    case 'loaded':
      return <LoadedPane {...props} key={cid} channel={opened.channel} root={root} />
    case 'loading':
      return (
        <div {...rootProps({ className: 'chat-pane', 'data-state': 'loading' }, root)}>
          <ConnectionBanner />
          <NowPlaying />
          <Skeleton kind="bubbles" count={SKELETON_BUBBLES} label={t('messages.loading')} />
        </div>
      )
    case 'missing':
      return (
        <PaneState root={root} icon={<MissingIcon />} title={t('channel.missing')} onBack={onBack}>
          <p className="chat-state-text">{t('channel.missing.hint')}</p>
        </PaneState>
      )
    case 'failed':
      return (
        <PaneState root={root} icon={<WarningIcon />} title={t('channel.failed')} onBack={onBack}>
          <button type="button" className="chat-button" data-kind="primary" onClick={opened.retry}>
            {t('retry')}
          </button>
          <Details text={detailsOf(opened.error)} />
        </PaneState>
      )
    default:
      return opened satisfies never
  }
}

type LoadedPaneProps = ChannelPaneProps & { channel: Channel; root: RootProps<HTMLDivElement> }

function LoadedPane(props: LoadedPaneProps) {
  const { channel, onBack, actions, target, visit, onMessage, onJump } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const split = useRef<HTMLDivElement>(null)
  const side = useSide(props, pane, box)
  const { shown, thread, search, close } = side
  const [list, setList] = useState<MessageListHandle | null>(null)
  const [sought, seek] = useSince(target)
  const reply = useTarget({ channel, target: sought, visit, list, thread, openThread: side.turnTo })
  const jump = (id: string) => {
    if (onJump) return onJump(id, side.isCovered())
    side.uncover()
    seek({ id })
  }
  const showFound = (message: FoundMessage) =>
    onMessage ? onMessage(message, side.isCovered() ? undefined : search) : jump(message.id)
  const toggle = (what: Beside) => (shown === what ? close() : side.open(what))
  /** A second press is left to the browser, for its own search; so is any without the capability to search. */
  const turnToSearch = (wide: boolean) => {
    const everywhere = wide && onMessage !== undefined
    if (!everywhere && !maySearch(channel.snapshot())) return false
    if (document.activeElement?.closest('.chat-search')) return false
    side.openSearch({ text: '', ...search, everywhere })
    requestAnimationFrame(() => split.current?.querySelector<HTMLElement>('.chat-search input')?.focus())
  }
  useShortcut('search', () => turnToSearch(false))
  useShortcut('searchEverywhere', () => turnToSearch(true))
  useChannelAnnouncements(channel)
  useSendAgain()
  // On a device with an on-screen keyboard, the title takes the focus instead of the text box.
  useEffect(() => {
    if (isTouch()) pane.current?.querySelector<HTMLElement>('.chat-header-name')?.focus({ preventScroll: true })
  }, [])
  return (
    <OpenThread value={side.turnTo}>
      <div {...rootProps({ className: 'chat-split', ref: split }, props.root)}>
        <div ref={pane} className="chat-pane" data-state="loaded">
          <ChannelHeader
            channel={channel}
            onBack={onBack}
            onDetails={() => toggle('details')}
            detailed={shown === 'details'}
            actions={
              <>
                <SearchButton
                  channel={channel}
                  pressed={shown === 'search'}
                  onPress={() =>
                    shown === 'search' ? close() : side.openSearch(search ?? { text: '', everywhere: false })
                  }
                />
                <PinsButton channel={channel} pressed={shown === 'pins'} onPress={() => toggle('pins')} />
                {actions}
              </>
            }
          />
          <ConnectionBanner />
          <NowPlaying
            cid={channel.cid}
            onShow={jump}
            onMessage={onMessage && ((message) => onMessage(message, undefined))}
            onChannel={props.onChannel && (({ cid }) => props.onChannel?.(cid))}
          />
          {props.pinnedBanner && (
            <Suspense fallback={null}>
              <PinnedBanner channel={channel} onJump={jump} onGone={() => box.current?.focus()} />
            </Suspense>
          )}
          <MessageList
            channel={channel}
            listRef={setList}
            onJump={onJump && jump}
            onLeave={() => box.current?.focus()}
          />
          <TypingIndicator channel={channel} />
          <Composer channel={channel} boxRef={box} autoFocus tools={<PollButton channel={channel} />} />
        </div>
        {thread !== undefined && (
          <Suspense fallback={null}>
            <ThreadPane key={thread} channel={channel} parentId={thread} target={reply} onShow={jump} onClose={close} />
          </Suspense>
        )}
        {search && shown === 'search' && (
          <Suspense fallback={null}>
            <SearchPane
              channel={channel}
              place={search}
              onPlace={side.turnSearch}
              current={sought?.id}
              canLeave={onMessage !== undefined}
              onSelect={showFound}
              onClose={close}
            />
          </Suspense>
        )}
        {shown === 'pins' && (
          <Suspense fallback={null}>
            <PinsPane channel={channel} onClose={close} onJump={jump} />
          </Suspense>
        )}
        {shown === 'details' && (
          <Suspense fallback={null}>
            <DetailsPane
              {...{ channel, box, onChannel: props.onChannel }}
              onUncover={side.uncover}
              onClose={close}
              onJump={jump}
              onPins={() => side.open('pins')}
            />
          </Suspense>
        )}
      </div>
    </OpenThread>
  )
}

interface PaneStateProps extends Pick<ChannelPaneProps, 'onBack'> {
  root: RootProps<HTMLDivElement>
  icon: Elements
  title: string
  children: Elements
}

function PaneState(props: PaneStateProps) {
  const t = useTranslate()
  return (
    <div {...rootProps({ className: 'chat-pane', 'data-state': 'empty' }, props.root)}>
      <ConnectionBanner />
      <NowPlaying />
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
