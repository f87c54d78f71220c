import type { Channel, Filter, Sort } from '@parley/client'
import { type KeyboardEvent, Suspense, type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { NowPlaying } from '../attachments/NowPlaying.tsx'
import { useChat } from '../chat/chat-context.ts'
import { FaultBoundary } from '../chat/FaultBoundary.tsx'
import { FaultNote } from '../chat/FaultNote.tsx'
import { lazyPart } from '../chat/lazy-part.tsx'
import { FailedState, PlaceState } from '../chat/PlaceState.tsx'
import { useClient } from '../chat/use-client.ts'
import { useMinute } from '../chat/use-minute.ts'
import { useOffline } from '../connection/use-connection.ts'
import { useSendAgain } from '../connection/use-send-again.ts'
import { focusBack } from '../dialog/focus-back.ts'
import type { Elements } from '../elements.ts'
import { timeAgo } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { useDoNotDisturb } from '../preferences/use-do-not-disturb.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { rove } from '../roving.ts'
import type { FoundMessage } from '../search/MessageHit.tsx'
import { SearchField } from '../search/SearchField.tsx'
import { isSearchable } from '../search/searchable.ts'
import { isComposing } from '../shortcuts/composing.ts'
import { useShortcut } from '../shortcuts/use-shortcuts.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { ArchiveIcon, ChatIcon, MoreIcon } from '../theme/icons.tsx'
import type { ChannelLayer } from './ChannelMenu.tsx'
import { ChannelRow } from './ChannelRow.tsx'
import { isArchived, isInvitation } from './channel-order.ts'
import { leadsOn } from './leads-on.ts'
import { useChannelList } from './use-channel-list.ts'
import { useGlide } from './use-glide.ts'
import { useNear } from './use-near.ts'
import { useTypeAhead } from './use-type-ahead.ts'

export interface ChannelListProps extends Omit<RootProps, 'onSelect'> {
  /** the channels to show; by default those the user is a member of */
  filters?: Filter
  sort?: Sort
  /** the open channel */
  activeCid?: string
  /** makes every row a link, so that it opens in a new tab too */
  hrefOf?: (cid: string) => string
  onSelect: (channel: Channel) => void
  /** offers "New chat" while the list is empty */
  onNewChat?: () => void
  /** rendered above the list: a heading, buttons */
  header?: Elements
  /** opens a message from the search results; without it the search finds only conversations and people */
  onMessage?: (message: FoundMessage) => void
}

const ChannelMenu = lazyPart(
  () => import('./ChannelMenu.tsx'),
  ({ at, onClose }) => onClose(at),
)
const FindDialog = lazyPart(() => import('./FindDialog.tsx'))
const Found = lazyPart(() => import('./Found.tsx'))
const Invitations = lazyPart(() => import('./Invitations.tsx'))
const DoNotDisturbNote = lazyPart(() => import('../preferences/DoNotDisturbNote.tsx'))
const ReadAllDialog = lazyPart(() => import('./ReadAllDialog.tsx'))

/** Number of rows in the skeleton: enough to fill a phone. */
const SKELETON_ROWS = 8

/**
 * The conversations, pinned ones first, then by last activity. A row that is hovered or has focus keeps its place until
 * then. Invitations are above them, with their buttons.
 *
 * Renders a `<nav>` with a list of links or buttons, one tab stop in all. Style hooks: `.chat-channels`,
 * `.chat-channel-row[data-active][data-unread]`.
 */
export function ChannelList(props: ChannelListProps) {
  const { filters, sort, activeCid, hrefOf, onSelect, onNewChat, header, onMessage, ...root } = props
  return (
    <FaultBoundary
      fallback={(_, retry) => (
        <nav {...rootProps({ className: 'chat-channels' }, root)}>
          {header}
          <FaultNote text="fault.part" onRetry={retry} />
        </nav>
      )}
    >
      <Conversations {...props} />
    </FaultBoundary>
  )
}

function Conversations({
  filters: asked,
  sort,
  activeCid,
  hrefOf,
  onSelect,
  onNewChat,
  header,
  onMessage,
  ...root
}: ChannelListProps) {
  const { client } = useChat()
  const { t } = useTranslation()
  const isDoNotDisturb = useDoNotDisturb() > 0
  const filters = asked ?? { members: { $in: [client.userID ?? ''] } }
  const { listing, store } = useChannelList({ filters, sort })
  useSendAgain()
  // The creator of a channel receives no event for it, so an open channel missing from the list is queried.
  const misses =
    activeCid !== undefined && listing.at === 'loaded' && listing.channels.every(({ cid }) => cid !== activeCid)
  useEffect(() => {
    if (misses && activeCid) void store.refresh()
  }, [misses, activeCid, store])
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const found = isSearchable(text)
  const [finding, setFinding] = useState(false)
  // If something covers the list, the search opens in a dialog.
  useShortcut('find', () => {
    if (field.current?.checkVisibility()) field.current.focus()
    else setFinding(true)
  })
  const onFieldKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape' || text === '' || isComposing(event.nativeEvent)) return leadsOn(event, 'nav')
    setText('')
    event.preventDefault()
  }
  const select = (channel: Channel) => {
    setText('')
    onSelect(channel)
  }
  return (
    <nav {...rootProps({ className: 'chat-channels', 'aria-label': t('channels.label') }, root)}>
      {header}
      {isDoNotDisturb && (
        <Suspense fallback={null}>
          <DoNotDisturbNote />
        </Suspense>
      )}
      <NowPlaying onMessage={onMessage} onChannel={select} />
      {listing.at === 'loaded' && listing.channels.length > 0 && (
        <div className="chat-channels-search">
          <SearchField
            fieldRef={field}
            label={t('channels.find')}
            text={text}
            onChange={setText}
            onKeyDown={onFieldKey}
          />
        </div>
      )}
      {found && listing.at === 'loaded' && (
        <Suspense fallback={<Skeleton kind="rows" count={SKELETON_ROWS} label={t('search.searching')} />}>
          <Found text={text} channels={listing.channels} onSelect={select} onMessage={onMessage} />
        </Suspense>
      )}
      {listing.at === 'loading' && <Skeleton kind="rows" count={SKELETON_ROWS} label={t('channels.loading')} />}
      {listing.at === 'failed' && (
        <FailedState title={t('channels.failed')} error={listing.error} onRetry={() => void store.refresh()} />
      )}
      {listing.at === 'loaded' && listing.channels.length === 0 && (
        <PlaceState icon={<ChatIcon />} title={t('channels.empty')}>
          <p className="chat-state-text">{t('channels.empty.hint')}</p>
          {onNewChat && (
            <button type="button" className="chat-button" data-kind="primary" onClick={onNewChat}>
              {t('channels.new')}
            </button>
          )}
        </PlaceState>
      )}
      {!found && listing.at === 'loaded' && listing.channels.length > 0 && (
        <Rows activeCid={activeCid} hrefOf={hrefOf} onSelect={onSelect} listing={listing} store={store} />
      )}
      {finding && listing.at === 'loaded' && (
        <Suspense fallback={null}>
          <FindDialog
            channels={listing.channels}
            activeCid={activeCid}
            onSelect={select}
            onMessage={onMessage}
            onClose={() => setFinding(false)}
          />
        </Suspense>
      )}
    </nav>
  )
}

type List = ReturnType<typeof useChannelList>

interface RowsProps extends Pick<ChannelListProps, 'activeCid' | 'hrefOf' | 'onSelect'> {
  listing: Extract<List['listing'], { at: 'loaded' }>
  store: List['store']
}

function Rows({ listing, store, activeCid, hrefOf, onSelect }: RowsProps) {
  const { t } = useTranslation()
  const offline = useOffline()
  const [archiveOpen, setArchiveOpen] = useState(false)
  const invitations = listing.channels.filter(isInvitation)
  const own = listing.channels.filter((channel) => !isInvitation(channel))
  const archived = own.filter(isArchived)
  const shown = own.filter((channel) => !isArchived(channel))
  const showsArchive = archiveOpen || archived.some(({ cid }) => cid === activeCid)
  const channels = showsArchive ? [...shown, ...archived] : shown
  // One tab stop: the row focused last, else the open one, else the first.
  const [focused, setFocused] = useState<string>()
  const has = (cid: string | undefined) => channels.some((channel) => channel.cid === cid)
  const stop = [focused, activeCid].find(has) ?? channels[0]?.cid
  const list = useRef<HTMLUListElement>(null)
  const menu = useMenu(onSelect, () => list.current?.querySelector<HTMLElement>('.chat-channel-row[tabindex="0"]'))
  useGlide(list, channels.map(({ cid }) => cid).join())
  const typed = useTypeAhead()
  useSteps(channels, activeCid, onSelect)
  const item = (channel: Channel) => (
    <li
      key={channel.cid}
      className="chat-channel"
      data-open={menu.of === channel || undefined}
      onPointerEnter={() => store.hold(channel.cid)}
      onFocus={() => {
        setFocused(channel.cid)
        store.hold(channel.cid)
      }}
      onContextMenu={(event) => menu.open(channel, event)}
      onKeyDown={(event) => event.key === 'F10' && event.shiftKey && menu.open(channel, event)}
    >
      <FaultBoundary fallback={(_, retry) => <FaultNote text="fault.channel" onRetry={retry} />}>
        <ChannelRow
          channel={channel}
          active={channel.cid === activeCid}
          href={hrefOf?.(channel.cid)}
          tabIndex={channel.cid === stop ? 0 : -1}
          onSelect={() => onSelect(channel)}
        />
      </FaultBoundary>
      <IconButton
        label={t('actions.more')}
        className="chat-channel-more"
        tabIndex={-1}
        aria-haspopup="menu"
        onClick={(event) => menu.open(channel, event)}
      >
        <MoreIcon />
      </IconButton>
    </li>
  )
  return (
    <>
      {offline && <OfflineNote />}
      {invitations.length > 0 && (
        <Suspense fallback={null}>
          <Invitations channels={invitations} unspoken={store.unspoken} onAccepted={onSelect} />
        </Suspense>
      )}
      <ul
        className="chat-channels-list"
        onKeyDown={(event) => {
          if (!rove(event, '.chat-channel-row', 'vertical')) typed(event)
        }}
        onPointerLeave={() => store.hold(undefined)}
        ref={list}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) store.hold(undefined)
        }}
      >
        {shown.map(item)}
        {archived.length > 0 && (
          <li>
            <button
              type="button"
              className="chat-channels-archive"
              aria-expanded={showsArchive}
              onClick={() => setArchiveOpen(!archiveOpen)}
            >
              <ArchiveIcon />
              <span>{t('channels.archived.count', { count: archived.length })}</span>
            </button>
          </li>
        )}
        {showsArchive && archived.map(item)}
      </ul>
      <End more={listing.more} onMore={() => void store.loadMore()} />
      {menu.layer}
      <ReadingAll />
    </>
  )
}

/**
 * The menu of one conversation at a time, or a dialog that it opens.
 *
 * @param onOpen  opens a conversation
 * @param home  where the focus goes after a dialog
 */
function useMenu(onOpen: (channel: Channel) => void, home: () => HTMLElement | null | undefined) {
  const [layer, setLayer] = useState<{ at: ChannelLayer; channel: Channel }>()
  const anchor = useRef<HTMLElement>(null)
  const close = (closed: ChannelLayer) => {
    setLayer((now) => (now?.at === closed ? undefined : now))
    if (closed !== 'menu') focusBack(home)
  }
  return {
    of: layer?.channel,
    open(channel: Channel, event: SyntheticEvent<HTMLElement>) {
      event.preventDefault()
      anchor.current = event.currentTarget
      setLayer({ at: 'menu', channel })
    },
    layer: layer && (
      <Suspense fallback={null}>
        <ChannelMenu
          {...layer}
          anchor={anchor}
          onOpen={() => onOpen(layer.channel)}
          onClose={close}
          onAsk={(at) => setLayer({ ...layer, at })}
        />
      </Suspense>
    ),
  }
}

/** Shortcuts move through the conversations, or the unread ones, but not out of a half-written message. */
function useSteps(channels: readonly Channel[], activeCid: string | undefined, onSelect: (channel: Channel) => void) {
  const step = (by: 1 | -1, { unread = false } = {}) => {
    const box = document.activeElement
    if (box instanceof HTMLTextAreaElement && box.value !== '') return false
    const at = channels.findIndex(({ cid }) => cid === activeCid)
    const ahead = by > 0 ? channels.slice(at + 1) : channels.slice(0, Math.max(at, 0)).toReversed()
    const next = ahead.find((channel) => !unread || channel.countUnread() > 0)
    if (next) onSelect(next)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useShortcut('nextUnread', () => step(1, { unread: true }))
  useShortcut('previousUnread', () => step(-1, { unread: true }))
}

/** The shortcut for the "mark all read" dialog, if anything is unread. */
function ReadingAll() {
  const client = useClient()
  const [asked, setAsked] = useState(false)
  useShortcut('readAll', () => client.unread.snapshot().total > 0 && setAsked(true))
  return (
    asked && (
      <Suspense fallback={null}>
        <ReadAllDialog onClose={() => setAsked(false)} />
      </Suspense>
    )
  )
}

/** The end of the loaded list: the next page loads when it comes near the viewport, or by a press after a failure. */
function End({ more, onMore }: { more: RowsProps['listing']['more']; onMore: () => void }) {
  const { t } = useTranslation()
  const end = useNear(onMore, more === 'some')
  if (more === 'none') return null
  if (more === 'beyond') return <p className="chat-channels-note">{t('channels.end')}</p>
  if (more === 'failed')
    return (
      <p className="chat-channels-note">
        <span>{t('channels.failed')}</span>
        <button type="button" className="chat-button" data-kind="quiet" onClick={onMore}>
          {t('retry')}
        </button>
      </p>
    )
  return (
    <p ref={end} className="chat-channels-note">
      <span className="chat-spinner" /> <span>{t('channels.more')}</span>
    </p>
  )
}

/** When the list was last up to date: the time at which the event connection was lost. */
function OfflineNote() {
  const { t, language } = useTranslation()
  const { clock } = useChat()
  const [since] = useState(() => new Date(clock.now()))
  return (
    <p className="chat-channels-note">{t('channels.offline', { time: timeAgo(t, language, since, useMinute()) })}</p>
  )
}
