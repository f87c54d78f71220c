import type { Channel } from '@parley/client'
import { type Ref, Suspense, useCallback, useId, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { lazyPart } from '../chat/lazy-part.tsx'
import { FailedState } from '../chat/PlaceState.tsx'
import { useClient } from '../chat/use-client.ts'
import { useLatest } from '../chat/use-latest.ts'
import { focusBack } from '../dialog/focus-back.ts'
import { dateAndTime, factsOf } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { useReadable } from '../messages/marks.ts'
import { nameOf } from '../messages/message-name.ts'
import { messagePartIds } from '../messages/message-parts.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { type RootProps, rootProps } from '../root-props.ts'
import { Skeleton } from '../skeleton/Skeleton.tsx'
import { FloatingDate } from './FloatingDate.tsx'
import { ListEdge, ListStart } from './ListEdges.tsx'
import { ListPills } from './ListPills.tsx'
import { AskForDate, MessageRowView } from './MessageRowView.tsx'
import type { MessageRow } from './message-rows.ts'
import { ScrollList } from './ScrollList.tsx'
import type { Opening, ScrollPosition } from './scroll-engine.ts'
import type { Direction } from './scroll-state.ts'
import { selectedText } from './selected-rows.ts'
import type { Edge } from './use-edge-loading.ts'
import { useMessageList } from './use-message-list.ts'
import { useOpening } from './use-opening.ts'
import { useRowFocus } from './use-row-focus.ts'

const JumpToDate = lazyPart(() => import('./JumpToDate.tsx'))

/** Number of bubbles in the skeleton. */
const SKELETON_BUBBLES = 5

export interface MessageListProps extends RootProps<HTMLDivElement> {
  channel: Channel
  /** Escape was pressed on a message: the composer takes the focus. */
  onLeave?: () => void
  /** the original of a reply was requested; without this callback the list goes there by itself */
  onJump?: (messageId: string) => void
  /** control handle for code that leads to a message from elsewhere */
  listRef?: Ref<MessageListHandle>
}

export interface MessageListHandle {
  /** Goes to a message of the channel: loads it if needed, highlights it and focuses it. */
  jumpTo: (messageId: string) => void
  /** The current scroll position. */
  position: () => ScrollPosition
  /** Scrolls back to a position, as the way back from a jump does. */
  returnTo: (position: ScrollPosition) => void
}

/**
 * The messages of a channel. The reading position moves only when the reader scrolls; at the end, the list follows new
 * messages. Loads the channel if it is not loaded yet.
 *
 * Renders a `feed` of articles with one tab stop in all, and the pills that float over it. Style hooks:
 * `.chat-messages`, `.chat-scroll-row[data-highlighted]`, `.chat-day`, `.chat-new-line`, `.chat-pill`, `.chat-latest` ·
 * `--chat-messages-width`.
 */
export function MessageList({ channel, onLeave, onJump, listRef, ...root }: MessageListProps) {
  const { t } = useTranslation()
  const opening = useOpening(channel, useClient().userID)
  const readable = useReadable(opening.at === 'ready' ? wordsIn(channel) : undefined)
  if (opening.at === 'loading' || (opening.at === 'ready' && !readable))
    return (
      <div {...rootProps({ className: 'chat-messages' }, root)}>
        <Skeleton kind="bubbles" count={SKELETON_BUBBLES} label={t('messages.loading')} />
      </div>
    )
  if (opening.at === 'failed')
    return (
      <div {...rootProps({ className: 'chat-messages' }, root)}>
        <FailedState title={t('messages.failed')} error={opening.error} onRetry={opening.retry} />
      </div>
    )
  const given = { channel, onLeave, onJump, listRef, root }
  return <LoadedMessages key={channel.cid} opening={opening.opening} {...given} />
}

/** The texts of its loaded messages. */
function wordsIn(channel: Channel): string[] {
  return channel.snapshot().messages.map(({ text }) => text)
}

interface LoadedProps extends Pick<MessageListProps, 'channel' | 'onLeave' | 'onJump' | 'listRef'> {
  opening: Opening
  root: RootProps<HTMLDivElement>
}

function LoadedMessages({ channel, opening, onLeave, onJump, listRef, root }: LoadedProps) {
  const { t, language, locale } = useTranslation()
  const listId = useId()
  const [entered, setEntered] = useState<string>()
  const list = useMessageList(channel, opening, entered)
  const { engine, rows, edges, highlighted, jumpTo } = list
  const [{ authors }] = usePreferences()
  const focus = useRowFocus(list, { entered, onEnter: setEntered, onLeave })
  const latest = useLatest({ onJump, returnTo: list.returnTo })
  useImperativeHandle(
    listRef,
    () => ({
      jumpTo,
      position: () => engine.position(),
      returnTo: (position) => latest.current.returnTo(position),
    }),
    [jumpTo, engine, latest],
  )
  const toQuoted = useCallback((id: string) => (latest.current.onJump ?? jumpTo)(id), [jumpTo, latest])
  const place = useRef<HTMLDivElement>(null)
  const [day, askForDate] = useState<Date>()
  const closeDate = () => {
    askForDate(undefined)
    focusBack(() => place.current?.querySelector<HTMLElement>('.chat-scroll-row[tabindex="0"]'))
  }

  const idOf = useCallback((row: MessageRow) => `${listId}${encodeURIComponent(row.key)}`, [listId])
  const renderRow = useCallback(
    (row: MessageRow) => <MessageRowView channel={channel} row={row} rowId={idOf(row)} onJump={toQuoted} />,
    [channel, idOf, toQuoted],
  )
  const setSize = edges.older || edges.newer ? -1 : rows.length
  const rowProps = (row: MessageRow, position: number) => {
    const parts = messagePartIds(idOf(row))
    const isFolded = row.count > 1 || row.muted
    const isNamed = authors || row.group === 'only' || row.group === 'first'
    return {
      tabIndex: row.key === focus.stop ? 0 : -1,
      'aria-labelledby': isFolded || !isNamed ? parts.body : `${parts.author} ${parts.body}`,
      'aria-describedby': isFolded ? undefined : parts.facts,
      'aria-posinset': position,
      'aria-setsize': setSize,
      'data-highlighted': row.key === highlighted || undefined,
    }
  }
  // A feed without an article is not valid.
  const listProps =
    rows.length > 0
      ? { role: 'feed', 'aria-label': t('messages.label'), 'aria-busy': list.travelling || list.edge?.at === 'loading' }
      : undefined
  const copyOf = (row: MessageRow) => {
    const words = selectedText(document.getElementById(messagePartIds(idOf(row)).body))
    const facts = [nameOf(t, row.message, row.own), dateAndTime(locale, row.message.created_at)]
    return words && `${factsOf(language, facts)}: ${words}`
  }
  const isEdge = (direction: Direction, at: Edge['at']) => list.edge?.direction === direction && list.edge.at === at
  const edge = (direction: Direction) => {
    const gap = direction === 'newer' && list.gap
    const press = () => {
      // The button disappears while it loads.
      engine.focusInView()
      void (gap ? list.fill() : list.load(direction))
    }
    return (
      <ListEdge
        direction={direction}
        loading={isEdge(direction, 'loading')}
        failed={isEdge(direction, 'failed')}
        gap={gap}
        onPress={press}
      />
    )
  }
  return (
    <AskForDate value={askForDate}>
      <div {...rootProps<HTMLDivElement>({ ref: place, className: 'chat-messages', ...focus.listeners }, root)}>
        {!list.lineAbove && !list.travelling && <FloatingDate engine={engine} rows={rows} />}
        <ScrollList
          engine={engine}
          rows={rows}
          renderRow={renderRow}
          rowProps={rowProps}
          listProps={listProps}
          edges={edges}
          // A failed load is retried at the reader's request.
          load={async (direction) => !isEdge(direction, 'failed') && list.load(direction)}
          copyOf={copyOf}
          before={
            edges.older ? edge('older') : <ListStart channel={channel} empty={rows.length === 0} onBegun={onLeave} />
          }
          after={
            edges.newer || list.gap
              ? edge('newer')
              : list.byHand &&
                list.line && (
                  <div className="chat-list-edge">
                    <button type="button" className="chat-button" onClick={list.markRead}>
                      {t('messages.markRead')}
                    </button>
                  </div>
                )
          }
        />
        <ListPills list={list} />
      </div>
      {day && (
        <Suspense fallback={null}>
          <JumpToDate
            channel={channel}
            day={day}
            onClose={closeDate}
            onFound={(id) => {
              // While the dialog is open the focus cannot leave it.
              flushSync(() => askForDate(undefined))
              if (id === undefined) list.jumpToLatest()
              else jumpTo(id)
            }}
          />
        </Suspense>
      )}
    </AskForDate>
  )
}
