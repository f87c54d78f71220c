import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useChannelPart, useMessages } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { useConnection } from '../connection/use-connection.ts'
import { useMutedIds } from '../moderation/own-lists.ts'
import { usePreferences } from '../preferences/use-preferences.ts'
import { currentSet, newestMessage } from './loaded-sets.ts'
import { type MessageRow, messageRows } from './message-rows.ts'
import { firstNew, type NewMessagesLine } from './new-messages-line.ts'
import { leave } from './places.ts'
import type { Opening, ScrollEngine, ScrollPosition } from './scroll-engine.ts'
import type { Direction } from './scroll-state.ts'
import { type Edge, useEdgeLoading } from './use-edge-loading.ts'
import { useJumps } from './use-jumps.ts'
import { useMention } from './use-mention.ts'
import { useAwake, useReading } from './use-reading.ts'
import { useScrollEngine, useScrollView } from './use-scroll-engine.ts'

export interface MessageListView {
  engine: ScrollEngine
  rows: readonly MessageRow[]
  /** Which sides have messages that are not loaded. */
  edges: Record<Direction, boolean>
  /** @returns whether a page came */
  load: (direction: Direction) => Promise<boolean>
  /** The end whose page is loading, or failed to load. */
  edge: Edge | undefined
  /** A jump is loading the messages around its target. */
  travelling: boolean
  line: NewMessagesLine | undefined
  /** The reader marks messages read manually. */
  byHand: boolean
  /** The new-messages line is above the viewport. */
  lineAbove: boolean
  pinned: boolean
  /** The first message below that mentions the reader, and was not on screen yet. */
  mention: LocalMessage | undefined
  /** The messages sent while the client was offline failed to load. */
  gap: boolean
  /** Loads the missing messages. */
  fill: () => Promise<void>
  /** New messages below the viewport since the reader left the end. */
  below: number
  highlighted: string | undefined
  canGoBack: boolean
  jumpTo: (messageId: string) => void
  jumpToUnread: () => void
  jumpToLatest: () => void
  /** Back to the position before the jump. */
  returnTo: (position: ScrollPosition) => void
  goBack: () => void
  markRead: () => void
}

/** The state of one open message list: its rows, its edges, its position in the history, and its reading. */
export function useMessageList(channel: Channel, opening: Opening, entered: string | undefined): MessageListView {
  const me = useClient().userID
  const messages = useMessages(channel)
  const set = useChannelPart(channel, currentSet)
  const newest = useChannelPart(channel, newestMessage)
  const mutedUserIds = useMutedIds()
  const engine = useScrollEngine(opening)
  useEffect(() => () => leave(channel, engine.position()), [channel, engine])

  const { reading, view } = useReading(channel, me)
  const { line } = view
  const firstNewId = line && set && firstNew(line, set, me)?.id
  const known = useRef<readonly MessageRow[]>([])
  const rows = useMemo(
    () =>
      messageRows(
        {
          messages,
          me,
          line: line && firstNewId !== undefined ? { before: firstNewId, count: line.count } : undefined,
          mutedUserIds,
          entered,
        },
        known.current,
      ),
    [messages, me, line, firstNewId, mutedUserIds, entered],
  )
  useLayoutEffect(() => {
    known.current = rows
  }, [rows])

  const edges = useMemo(() => ({ older: set?.hasOlder ?? false, newer: set?.hasNewer ?? false }), [set])
  const { edge, load, fill, forgive } = useEdgeLoading(channel, engine, newest)
  const jumps = useJumps({ channel, engine, me, line, firstNewId, newest, onTravel: forgive })

  const pinned = useScrollView(engine, (view) => view.pinned) && !edges.newer
  const lineSide = useScrollView(engine, (view) => sideOf(rows, firstNewId, view.first, view.last))
  const awake = useAwake()
  const [preferred] = usePreferences()
  const byHand = preferred.reading === 'byHand'
  useEffect(() => {
    reading.attend({ awake, atEnd: pinned, lineInView: lineSide === 'inside', byHand })
  }, [reading, awake, pinned, lineSide, byHand])
  const left = useLeftAt(pinned, newest)
  const mention = useMention({ channel, engine, rows, me, since: earlier(left, line?.after), mutedUserIds })

  return {
    ...jumps,
    engine,
    rows,
    edges,
    edge,
    load,
    gap: useGap(channel),
    fill,
    line,
    byHand,
    lineAbove: line !== undefined && (lineSide === 'above' || firstNewId === undefined),
    pinned,
    below: left ? channel.countUnread(left) : 0,
    mention,
    markRead() {
      reading.finish()
      engine.focusInView()
    },
  }
}

/** The newest message when the reader left the end; undefined at the end, and in an empty channel. */
function useLeftAt(atEnd: boolean, newest: LocalMessage | undefined): Date | undefined {
  const [leftAt] = useState<{ time: Date | undefined }>({ time: newest?.created_at })
  useLayoutEffect(() => {
    if (atEnd) leftAt.time = newest?.created_at
  })
  return atEnd ? undefined : leftAt.time
}

const earlier = (a: Date | undefined, b: Date | undefined) => (a && b && b < a ? b : a)

/** Whether the client has stopped trying to resync the channel after a loss of the connection. */
function useGap(channel: Channel): boolean {
  const isConnected = useConnection().at === 'connected'
  return useChannelPart(channel, isStale) && isConnected
}

const isStale = ({ initialized, disconnected }: ChannelState) => !initialized && !disconnected

function sideOf(
  rows: readonly MessageRow[],
  key: string | undefined,
  first: string | undefined,
  last: string | undefined,
): 'above' | 'inside' | 'below' | undefined {
  if (key === undefined || first === undefined || last === undefined) return undefined
  const place = (of: string) => rows.findIndex((row) => row.key === of)
  const at = place(key)
  if (at < 0) return undefined
  if (at < place(first)) return 'above'
  return at > place(last) ? 'below' : 'inside'
}
