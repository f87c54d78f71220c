import type { Channel } from '@parley/client'
import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { NowPlaying } from '../attachments/NowPlaying.tsx'
import { ChannelHeader } from '../channel-header/ChannelHeader.tsx'
import { useLatest } from '../chat/use-latest.ts'
import { Composer } from '../composer/Composer.tsx'
import { isTouch } from '../composer/touch.ts'
import { ConnectionBanner } from '../connection/ConnectionBanner.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { MessageList, type MessageListHandle } from '../message-list/MessageList.tsx'
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
import { useSendAgain } from './use-send-again.ts'
import { type MessageTarget, useTarget } from './use-target.ts'

export interface ChannelPaneProps extends RootProps<HTMLDivElement> {
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
  /** what is searched for beside the conversation, for a page whose address says so; else the pane keeps it */
  search?: SearchPlace
  /** something else is searched for, or nothing any more */
  onSearch?: (place: SearchPlace | undefined) => void
  /** what else stands beside the conversation, for a page whose address says so; else only the pane knows */
  beside?: Beside
  /** the details or the pinned messages are opened, or closed again */
  onBeside?: (beside: Beside | undefined) => void
  /**
   * opens a message that was found, wherever it is, and goes on showing the search where there is one; without it the
   * search stays in this channel
   */
  onMessage?: (message: FoundMessage, search: SearchPlace | undefined) => void
  /** opens another conversation, as the one with a member; without it the menus of members lead nowhere */
  onChannel?: (cid: string) => void
  /** shows the newest pinned message over the conversation; a press leads to it, and turns to the one pinned before */
  pinnedBanner?: boolean
}

const ThreadPane = lazy(() => import('../threads/ThreadPane.tsx'))
const SearchPane = lazy(() => import('../search/SearchPane.tsx'))
const PinnedBanner = lazy(() => import('../pins/PinnedBanner.tsx'))
const PinsPane = lazy(() => import('../pins/PinsPane.tsx'))
const DetailsPane = lazy(() => import('../channel-details/DetailsPane.tsx'))

/** What stands beside a conversation, unless a thread or a search does. */
export type Beside = 'pins' | 'details'

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
export function ChannelPane(props: ChannelPaneProps) {
  const { cid, onBack, actions, threadId, onThread, target, search, onSearch, onMessage, onChannel, ...others } = props
  const { beside, onBeside, pinnedBanner, ...root } = others
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
          <p className="chat-state-details">{detailsOf(opened.error)}</p>
        </PaneState>
      )
    default:
      return opened satisfies never
  }
}

type LoadedPaneProps = ChannelPaneProps & { channel: Channel; root: RootProps<HTMLDivElement> }

function LoadedPane(props: LoadedPaneProps) {
  const { channel, onBack, actions, threadId, onThread, target, onMessage } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const split = useRef<HTMLDivElement>(null)
  const [own, setOwn] = useState<string>()
  const thread = onThread ? threadId : own
  const turn = useLatest(onThread)
  const turnTo = useCallback(
    (id: string | undefined, messageId?: string) => (turn.current ? turn.current(id, messageId) : setOwn(id)),
    [turn],
  )
  const [list, setList] = useState<MessageListHandle | null>(null)
  const [sought, seek] = useSought(target)
  const reply = useTarget({ channel, target: sought, list, thread, openThread: turnTo })
  useFocusBack(thread, pane, box)
  const { beside, open, show, leave, close } = useBeside(props, thread, turnTo, box)
  const [ownSearch, setOwnSearch] = useState<SearchPlace>()
  const search = props.onSearch ? props.search : ownSearch
  const turnSearch = (place: SearchPlace | undefined) => {
    ;(props.onSearch ?? setOwnSearch)(place)
    if (!place) box.current?.focus({ preventScroll: true })
  }
  /** A second press leaves the key to the browser, which finds on the page; so does any where one may not search. */
  const turnToSearch = (wide: boolean) => {
    const everywhere = wide && onMessage !== undefined
    if (!everywhere && !maySearch(channel.snapshot())) return false
    if (document.activeElement?.closest('.chat-search-field')) return false
    if (thread !== undefined) turnTo(undefined)
    leave()
    turnSearch({ text: '', ...search, everywhere })
    requestAnimationFrame(() => split.current?.querySelector<HTMLElement>('.chat-search input')?.focus())
  }
  useShortcut('search', () => turnToSearch(false))
  useShortcut('searchEverywhere', () => turnToSearch(true))
  const isSearching = search !== undefined && thread === undefined && !beside
  // Where something covers the messages it has to go before one can see where it leads.
  const isCovered = () => pane.current !== null && getComputedStyle(pane.current).visibility === 'hidden'
  const uncover = () => {
    if (!isCovered()) return
    if (thread !== undefined) turnTo(undefined)
    else if (isSearching) turnSearch(undefined)
    else flushSync(() => show(undefined))
  }
  const jump = (id: string) => {
    uncover()
    seek({ id })
  }
  const showFound = (message: FoundMessage) => {
    const covered = isCovered()
    if (onMessage) return onMessage(message, covered ? undefined : search)
    if (covered) flushSync(() => setOwnSearch(undefined))
    seek({ id: message.id })
  }
  useChannelAnnouncements(channel)
  useSendAgain(channel)
  // Where the text box would bring up a keyboard, the name takes the focus.
  useEffect(() => {
    if (isTouch()) pane.current?.querySelector<HTMLElement>('.chat-header-name')?.focus({ preventScroll: true })
  }, [])
  return (
    <OpenThread value={turnTo}>
      <div {...rootProps({ className: 'chat-split', ref: split }, props.root)}>
        <div ref={pane} className="chat-pane" data-state="loaded">
          <ChannelHeader
            channel={channel}
            onBack={onBack}
            onDetails={() => (beside === 'details' ? close() : open('details'))}
            detailed={beside === 'details'}
            actions={
              <>
                <SearchButton
                  channel={channel}
                  pressed={isSearching}
                  onPress={() => {
                    if (thread !== undefined) turnTo(undefined)
                    leave()
                    turnSearch(isSearching ? undefined : (search ?? { text: '', everywhere: false }))
                  }}
                />
                <PinsButton
                  channel={channel}
                  pressed={beside === 'pins'}
                  onPress={() => (beside === 'pins' ? close() : open('pins'))}
                />
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
              onShow={jump}
              onClose={() => turnTo(undefined)}
            />
          </Suspense>
        )}
        {isSearching && (
          <Suspense fallback={null}>
            <SearchPane
              channel={channel}
              place={search}
              onPlace={turnSearch}
              current={sought?.id}
              canLeave={onMessage !== undefined}
              onSelect={showFound}
              onClose={() => turnSearch(undefined)}
            />
          </Suspense>
        )}
        {thread === undefined && beside && (
          <Suspense fallback={null}>
            {beside === 'pins' ? (
              <PinsPane channel={channel} onClose={close} onJump={jump} />
            ) : (
              <DetailsPane
                {...{ channel, box, onChannel: props.onChannel }}
                onUncover={uncover}
                onClose={close}
                onJump={jump}
                onPins={() => open('pins')}
              />
            )}
          </Suspense>
        )}
      </div>
    </OpenThread>
  )
}

/** The message to go to: the one the page asks for, or the one that something beside the conversation led to since. */
function useSought(target: MessageTarget | undefined) {
  const [sought, seek] = useState(target)
  const [asked, setAsked] = useState(target)
  if (asked !== target) {
    setAsked(target)
    seek(target)
  }
  return [sought, seek] as const
}

/** What stands beside the conversation; a thread takes its place, and the focus goes back to what opened it. */
function useBeside(
  { beside: given, onBeside }: ChannelPaneProps,
  thread: string | undefined,
  turnTo: (thread: string | undefined) => void,
  box: RefObject<HTMLElement | null>,
) {
  const [beside, setBeside] = useState(given)
  const [asked, setAsked] = useState(given)
  const [before, setBefore] = useState(thread)
  const opener = useRef<Element | null>(null)
  if (before !== thread) {
    setBefore(thread)
    if (thread !== undefined) setBeside(undefined)
  }
  if (asked !== given) {
    setAsked(given)
    setBeside(given)
  }
  const show = (what: Beside | undefined) => {
    setBeside(what)
    onBeside?.(what)
  }
  const open = (what: Beside) => {
    if (beside === undefined) opener.current = document.activeElement
    if (thread !== undefined) turnTo(undefined)
    show(what)
  }
  const leave = () => setBeside(undefined)
  const close = () => {
    show(undefined)
    // What was covered can take the focus only once it is shown again; a button may have gone for lack of room.
    requestAnimationFrame(() => {
      const from = opener.current
      const isThere = from instanceof HTMLElement && from !== document.body && from.checkVisibility()
      ;(isThere ? from : box.current)?.focus({ preventScroll: true })
    })
  }
  return { beside, open, show, leave, close }
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
    // What took the place of the thread has the focus.
    if (closed === undefined || document.activeElement?.closest('aside')) return
    const row = pane.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(closed)}"]`)
    const to = row ?? box.current
    to?.focus({ preventScroll: true })
  }, [thread, pane, box])
}

interface PaneStateProps extends Pick<ChannelPaneProps, 'onBack'> {
  root: RootProps<HTMLDivElement>
  icon: ReactNode
  title: string
  children: ReactNode
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
