import type { Channel, LocalMessage, User } from '@parley/client'
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { MessageTarget } from '../channel-pane/use-target.ts'
import { channelName } from '../chat/channel-facts.ts'
import { FailedState } from '../chat/PlaceState.tsx'
import { useChannelState } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { Composer } from '../composer/Composer.tsx'
import { isTouch } from '../composer/touch.ts'
import { useTranslation } from '../i18n/translate.ts'
import { ListEdge } from '../message-list/ListEdges.tsx'
import { LatestButton } from '../message-list/ListPills.tsx'
import { MessageRowView } from '../message-list/MessageRowView.tsx'
import { type MessageRow, messageRows, sameDay } from '../message-list/message-rows.ts'
import { firstNew } from '../message-list/new-messages-line.ts'
import { ScrollList } from '../message-list/ScrollList.tsx'
import type { Direction } from '../message-list/scroll-state.ts'
import { useEndOnSending } from '../message-list/use-end-on-sending.ts'
import { useHighlight } from '../message-list/use-highlight.ts'
import { useRowFocus } from '../message-list/use-row-focus.ts'
import { useScrollEngine, useScrollView } from '../message-list/use-scroll-engine.ts'
import { useTravel } from '../message-list/use-travel.ts'
import { nameOf } from '../messages/message-name.ts'
import { messagePartIds } from '../messages/message-parts.ts'
import { messageSummary } from '../messages/message-summary.ts'
import { useMutedIds } from '../moderation/own-lists.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { IconButton } from '../theme/IconButton.tsx'
import { ChatIcon, CloseIcon } from '../theme/icons.tsx'
import { TypingIndicator } from '../typing/TypingIndicator.tsx'
import { ThreadAvatars } from './ThreadAvatars.tsx'
import { InThread, OpenThread } from './thread-scope.ts'
import { type OpenedThread, useThread } from './use-thread.ts'

/** Number of bubbles in the skeleton. */
const SKELETON_BUBBLES = 3

export interface ThreadPaneProps {
  channel: Channel
  /** the id of the thread's parent message */
  parentId: string
  /** a reply to go to; another object goes there again */
  target?: MessageTarget
  /** shows a message in the conversation */
  onShow: (id: string) => void
  onClose: () => void
}

/**
 * The thread of one message: its parent, the replies below it, and a composer with a draft of its own [THR-29].
 *
 * Renders an `<aside>` named by its heading. Style hooks: `.chat-thread`, `.chat-thread-count`, `.chat-thread-also`.
 */
export default function ThreadPane({ channel, parentId, target, onShow, onClose }: ThreadPaneProps) {
  const { t, language } = useTranslation()
  const title = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  // On a device with an on-screen keyboard, the heading takes the focus instead of the text box.
  useEffect(() => {
    if (isTouch()) heading.current?.focus({ preventScroll: true })
  }, [])
  const thread = useThread(channel, parentId)
  const name = channelName(t, language, useChannelState(channel), useClient().userID)
  return (
    <OpenThread value={undefined}>
      <InThread value={parentId}>
        <aside className="chat-aside chat-thread" aria-labelledby={title}>
          <header className="chat-header">
            <div className="chat-header-words">
              <h2 className="chat-header-name" id={title} ref={heading} tabIndex={-1}>
                {t('thread.title')}
              </h2>
              <p className="chat-header-line">
                <bdi>{name}</bdi>
              </p>
            </div>
            <ThreadAvatars people={thread.parent?.thread_participants ?? nobody} />
            <IconButton label={t('thread.show')} onClick={() => onShow(parentId)}>
              <ChatIcon />
            </IconButton>
            <IconButton label={t('thread.close')} onClick={onClose}>
              <CloseIcon />
            </IconButton>
          </header>
          {thread.ready && thread.parent ? (
            <Replies
              channel={channel}
              thread={thread}
              parent={thread.parent}
              target={target}
              onLeave={() => box.current?.focus()}
            />
          ) : (
            <div className="chat-messages">
              <div className="chat-scroll">
                {thread.parent && <ParentAlone channel={channel} parent={thread.parent} />}
                {thread.failed === undefined ? (
                  <Skeleton kind="bubbles" count={SKELETON_BUBBLES} label={t('messages.loading')} />
                ) : (
                  <FailedState title={t('thread.failed')} error={thread.failed} onRetry={thread.retry} />
                )}
              </div>
            </div>
          )}
          <TypingIndicator channel={channel} />
          <Composer channel={channel} boxRef={box} autoFocus onEscape={onClose} />
        </aside>
      </InThread>
    </OpenThread>
  )
}

/** The parent message is shown while the replies are loading: it is known already [interface.md 7.10]. */
function ParentAlone({ channel, parent }: { channel: Channel; parent: LocalMessage }) {
  const { t } = useTranslation()
  const rowId = useId()
  const [row] = useThreadRows({ parent, replies: none, first: undefined, count: 0, entered: undefined })
  if (!row) return null
  return (
    <div className="chat-scroll-rows">
      <MessageRowView channel={channel} row={row} rowId={rowId} onJump={nowhere} />
      <p className="chat-thread-count">{t('thread.replies', { count: parent.reply_count ?? 0 })}</p>
    </div>
  )
}

interface RepliesProps {
  channel: Channel
  thread: OpenedThread
  parent: LocalMessage
  target: MessageTarget | undefined
  onLeave: () => void
}

/** The parent and the replies in one feed, with the same scroll engine as the channel's messages. */
function Replies({ channel, thread, parent, target, onLeave }: RepliesProps) {
  const { t } = useTranslation()
  const me = useClient().userID
  const listId = useId()
  const [entered, setEntered] = useState<string>()
  const { set, line } = thread
  // The place of the line is decided when the thread opens.
  const [first] = useState(() => line && set && firstNew(line, set, me)?.id)
  const engine = useScrollEngine(first ? { at: 'shown', key: first, place: 'fifth' } : { at: 'end' })
  const rows = useThreadRows({ parent, replies: set?.messages ?? none, first, count: line?.count ?? 0, entered })
  const edges = useMemo(() => ({ older: set?.hasOlder ?? false, newer: set?.hasNewer ?? false }), [set])
  const [failed, setFailed] = useState<Direction>()
  const load = async (direction: Direction) => {
    setFailed(undefined)
    try {
      await thread.load(direction)
      return true
    } catch {
      setFailed(direction)
      return false
    }
  }

  const { travel } = useTravel(
    engine,
    useCallback(
      (target, call) => {
        setFailed(undefined)
        const around = target === 'latest' ? {} : { id_around: target }
        return channel.getReplies(parent.id, around, undefined, call)
      },
      [channel, parent.id],
    ),
  )
  const toLatest = (focus?: string) => void travel('latest', { at: 'end' }, focus, 'messages.newerFailed')
  const jumpToLatest = () => toLatest(thread.newest?.id)
  useEndOnSending(thread.newest, me, toLatest)
  const atEnd = useScrollView(engine, (view) => view.pinned) && !edges.newer
  const below = useBelow(atEnd, set?.messages ?? none)
  const parentIsAbove = useScrollView(engine, (view) => view.first !== undefined && view.first !== parent.id)
  const focus = useRowFocus({ engine, rows, edges, jumpToLatest }, { entered, onEnter: setEntered, onLeave })
  const idOf = useCallback((row: MessageRow) => `${listId}${encodeURIComponent(row.key)}`, [listId])
  const [highlighted, highlight] = useHighlight()
  /** Goes to the parent or a reply. */
  const jump = useCallback(
    async (id: string) => {
      if (await travel(id, { at: 'shown', key: id, place: 'centre' }, id)) highlight(id)
    },
    [travel, highlight],
  )
  useEffect(() => {
    if (target) void jump(target.id)
  }, [target, jump])
  const renderRow = useCallback(
    (row: MessageRow) => (
      <>
        <MessageRowView channel={channel} row={row} rowId={idOf(row)} onJump={jump} />
        {row.key === parent.id && (
          <p className="chat-thread-count">
            {row.message.reply_count ? t('thread.replies', { count: row.message.reply_count }) : t('thread.empty')}
          </p>
        )}
      </>
    ),
    [channel, idOf, jump, parent.id, t],
  )
  const edge = (direction: Direction) => {
    const press = () => {
      // The button disappears while it loads.
      engine.focusInView()
      void load(direction)
    }
    return failed === direction && <ListEdge direction={direction} loading={false} failed onPress={press} />
  }
  const rowProps = (row: MessageRow, position: number) => {
    const parts = messagePartIds(idOf(row))
    return {
      tabIndex: row.key === focus.stop ? 0 : -1,
      'aria-labelledby': `${parts.author} ${parts.body}`,
      'aria-describedby': parts.facts,
      'aria-posinset': position,
      'aria-setsize': edges.older || edges.newer ? -1 : rows.length,
      'data-highlighted': row.key === highlighted || undefined,
    }
  }
  return (
    <div className="chat-messages" {...focus.listeners}>
      <ScrollList
        engine={engine}
        rows={rows}
        renderRow={renderRow}
        rowProps={rowProps}
        listProps={{ role: 'feed', 'aria-label': t('thread.title') }}
        edges={edges}
        // A failed load is retried at the reader's request.
        load={async (direction) => direction !== failed && load(direction)}
        before={edge('older')}
        after={edge('newer')}
      />
      {parentIsAbove && <ParentAbove parent={parent} onPress={() => jump(parent.id)} />}
      <div className="chat-list-bottom">{!atEnd && <LatestButton below={below} onPress={jumpToLatest} />}</div>
    </div>
  )
}

/** The parent message in two lines, while it is out of view. For sighted users only: in the feed it comes first. */
function ParentAbove({ parent, onPress }: { parent: LocalMessage; onPress: () => void }) {
  const { t } = useTranslation()
  const author = nameOf(t, parent, parent.user.id === useClient().userID)
  return (
    <button
      type="button"
      className="chat-thread-above"
      tabIndex={-1}
      title={t('quote.jump', { author: nameOf(t, parent) })}
      onClick={onPress}
    >
      <bdi className="chat-thread-above-author">{author}</bdi>
      <span className="chat-thread-above-text" dir="auto">
        {messageSummary(t, parent)}
      </span>
    </button>
  )
}

/** Replies that arrived after the reader left the end. */
function useBelow(atEnd: boolean, replies: readonly LocalMessage[]): number {
  const newest = replies.at(-1)?.id
  const [seen, setSeen] = useState(newest)
  if (atEnd && seen !== newest) setSeen(newest)
  const at = replies.findIndex(({ id }) => id === seen)
  return atEnd || at < 0 ? 0 : replies.length - 1 - at
}

const none: readonly LocalMessage[] = []
const nobody: readonly User[] = []
const nowhere = () => {}

interface ThreadRowSources {
  parent: LocalMessage
  replies: readonly LocalMessage[]
  /** The first unread reply when the thread was opened, and the number of unread ones. */
  first: string | undefined
  count: number
  entered: string | undefined
}

/** The parent is separate from its replies: it shares no group and no date line with them. */
function useThreadRows({ parent, replies, first, count, entered }: ThreadRowSources): readonly MessageRow[] {
  const me = useClient().userID
  const mutedUserIds = useMutedIds()
  const known = useRef<readonly MessageRow[]>([])
  const rows = useMemo(() => {
    const shared = { me, mutedUserIds, entered }
    const line = first === undefined ? undefined : { before: first, count }
    const above = messageRows({ ...shared, messages: [parent], line: undefined }, known.current)
    const below = messageRows({ ...shared, messages: replies, line }, known.current)
    const isFirstOfDay = (at: number) => at === 0 && sameDay(parent.created_at, replies[0]!.created_at)
    return [...above, ...below.map((row, at) => (isFirstOfDay(at) ? { ...row, startsDay: false } : row))]
  }, [parent, replies, first, count, me, mutedUserIds, entered])
  useLayoutEffect(() => {
    known.current = rows
  }, [rows])
  return rows
}
