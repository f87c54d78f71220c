import type { Channel, ChannelState, LocalMessage, MessageSet } from '@parley/client'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelPart, useMessages } from '../chat/use-channel-state.ts'
import { useConnection } from '../connection/use-connection.ts'
import { MESSAGES_PAGE } from '../limits.ts'
import { useMutedIds } from '../moderation/own-lists.ts'
import { letGoOfFar } from './let-go.ts'
import { type MessageRow, messageRows } from './message-rows.ts'
import { firstNew, type NewMessagesLine } from './new-messages-line.ts'
import { leave } from './places.ts'
import type { Opening, ScrollEngine, ScrollPosition } from './scroll-engine.ts'
import type { Direction } from './scroll-state.ts'
import { useHighlight } from './use-highlight.ts'
import { useAwake, useReading } from './use-reading.ts'
import { useScrollEngine, useScrollView } from './use-scroll-engine.ts'
import { useTravel } from './use-travel.ts'

/** The way back from a jump is offered this long. */
const BACK_OFFERED_MS = 30_000

export interface MessageListView {
  engine: ScrollEngine
  rows: readonly MessageRow[]
  /** Which sides have messages that are not loaded. */
  edges: Record<Direction, boolean>
  /** @returns whether a page came */
  load: (direction: Direction) => Promise<boolean>
  /** The side whose page could not be loaded. */
  failed: Direction | undefined
  loading: Direction | 'jump' | undefined
  line: NewMessagesLine | undefined
  /** The new-messages line is above what is on screen. */
  lineAbove: boolean
  pinned: boolean
  /** The first message below that names the reader, and was not on screen yet. */
  mention: LocalMessage | undefined
  /** What came while there was no connection could not be loaded. */
  gap: boolean
  /** Loads what is missing there. */
  fill: () => Promise<void>
  /** New messages below the viewport since the reader left the end. */
  below: number
  highlighted: string | undefined
  canGoBack: boolean
  jumpTo: (messageId: string) => void
  jumpToUnread: () => void
  jumpToLatest: () => void
  goBack: () => void
  markRead: () => void
}

/** The state of one open message list: its rows, its edges, its place in the history, and what was read. */
export function useMessageList(channel: Channel, opening: Opening, entered: string | undefined): MessageListView {
  const { client, clock, notices } = useChat()
  const announce = useAnnounce()
  const me = client.userID
  const messages = useMessages(channel)
  const set = useChannelPart(channel, currentSetOf)
  const newest = useChannelPart(channel, newestOf)
  const engine = useScrollEngine(opening)
  const { reading, view } = useReading(channel, me)
  const awake = useAwake()

  const { line } = view
  const firstNewId = line && set && firstNew(line, set, me)?.id
  const mutedUserIds = useMutedIds()
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

  const pinned = useScrollView(engine, (view) => view.pinned)
  const lineSide = useScrollView(engine, (view) => sideOf(rows, firstNewId, view.first, view.last))
  useEffect(() => {
    reading.attend({ awake, atEnd: pinned && !edges.newer, lineInView: lineSide === 'inside' })
  }, [reading, awake, pinned, edges, lineSide])

  useEffect(() => () => leave(channel, engine.position()), [channel, engine])
  const left = useLeftAt(pinned && !edges.newer, newest)
  const below = left ? channel.countUnread(left) : 0
  const mention = useMention({ channel, engine, rows, me, since: earlier(left, line?.after), mutedUserIds })

  const [loading, setLoading] = useState<Direction>()
  const [failed, setFailed] = useState<Direction>()
  const load = async (direction: Direction) => {
    setLoading(direction)
    setFailed(undefined)
    try {
      await letGoOfFar(channel, engine)
      const before = channel.snapshot().messages.length
      await (direction === 'older' ? channel.loadOlder() : channel.loadNewer())
      const count = channel.snapshot().messages.length - before
      if (direction === 'older' && count > 0) announce('older', { count })
      return true
    } catch {
      setFailed(direction)
      return false
    } finally {
      setLoading((now) => (now === direction ? undefined : now))
    }
  }
  const gap = useGap(channel)
  const fill = async () => {
    setLoading('newer')
    try {
      await channel.watch({ messages: { limit: MESSAGES_PAGE } })
    } catch (error) {
      notices.failed('messages.newerFailed', error)
    } finally {
      setLoading((now) => (now === 'newer' ? undefined : now))
    }
  }
  // What arrives makes a list longer, too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    letGoOfFar(channel, engine).catch(() => {})
  }, [channel, engine, newest])

  const [highlighted, highlight] = useHighlight()
  const [back, setBack] = useState<ScrollPosition>()
  useEffect(() => {
    if (back !== undefined) return clock.after(BACK_OFFERED_MS, () => setBack(undefined))
  }, [back, clock])

  const { travel, travelling } = useTravel(
    engine,
    useCallback(
      (target, call) => {
        setFailed(undefined)
        return channel.jumpTo(target, {}, call)
      },
      [channel],
    ),
  )
  const jumpTo = useCallback(
    async (id: string) => {
      const from = engine.position()
      if (!(await travel(id, { at: 'shown', key: id, place: 'centre' }, id))) return
      highlight(id)
      setBack(from)
    },
    [engine, travel, highlight],
  )

  const jumpToUnread = async () => {
    if (!line) return
    // The button goes while it loads.
    engine.focusInView()
    const id = firstNewId ?? line.firstId ?? line.lastReadId
    // Nobody knows which message it is.
    if (id === undefined) return notices.show('error', 'jump.failed')
    if (!(await travel(id, atFifth(id), id, 'jump.failed'))) return
    // The way there went by the last message read; the line stands below it.
    const there = currentSetOf(channel.snapshot())
    const first = there && firstNew(line, there, me)
    if (first && first.id !== id) engine.goTo(atFifth(first.id), first.id)
  }

  const toLatest = (focus?: string) => {
    setBack(undefined)
    void travel('latest', { at: 'end' }, focus, 'messages.newerFailed')
  }
  useEndOnSending(newest, me, toLatest)

  const goBack = () => {
    if (!back) return
    engine.focusInView()
    if (back.at === 'end') return toLatest(newest?.id)
    setBack(undefined)
    void travel(back.key, back, back.key)
  }

  return {
    engine,
    rows,
    edges,
    load,
    failed,
    loading: travelling ? 'jump' : loading,
    line,
    lineAbove: line !== undefined && (lineSide === 'above' || firstNewId === undefined),
    pinned: pinned && !edges.newer,
    below,
    mention,
    gap,
    fill,
    highlighted,
    canGoBack: back !== undefined,
    jumpTo,
    jumpToUnread,
    jumpToLatest: () => toLatest(newest?.id),
    goBack,
    markRead() {
      reading.finish()
      engine.focusInView()
    },
  }
}

const currentSetOf = (state: ChannelState): MessageSet | undefined => state.sets.find((set) => set.current)
const latestOf = (state: ChannelState): MessageSet | undefined => state.sets.find((set) => set.latest)
const newestOf = (state: ChannelState): LocalMessage | undefined => latestOf(state)?.messages.at(-1)

const atFifth = (key: string): Opening => ({ at: 'shown', key, place: 'fifth' })

/** Sending ends at the sent message, wherever the reader was. */
export function useEndOnSending(newest: LocalMessage | undefined, me: string | undefined, toEnd: () => void) {
  const sent = useRef<string>(undefined)
  const sending =
    newest?.status === 'sending' && newest.attempt !== 'edit' && newest.user.id === me ? newest.id : undefined
  useLayoutEffect(() => {
    if (sending === undefined || sending === sent.current) return
    sent.current = sending
    toEnd()
  })
}

/** What was the newest when the reader left the end; undefined at the end, and where there was nothing. */
function useLeftAt(atEnd: boolean, newest: LocalMessage | undefined): Date | undefined {
  const [leftAt] = useState<{ time: Date | undefined }>({ time: newest?.created_at })
  useLayoutEffect(() => {
    if (atEnd) leftAt.time = newest?.created_at
  })
  return atEnd ? undefined : leftAt.time
}

const earlier = (a: Date | undefined, b: Date | undefined) => (a && b && b < a ? b : a)

interface MentionScene {
  channel: Channel
  engine: ScrollEngine
  rows: readonly MessageRow[]
  me: string | undefined
  /** What is older was read before; undefined at the end, where there is nothing below. */
  since: Date | undefined
  mutedUserIds: ReadonlySet<string>
}

/** Of the newest messages the first that names the reader and lies beyond everything seen so far. */
function useMention({ channel, engine, rows, me, since, mutedUserIds }: MentionScene): LocalMessage | undefined {
  const latest = useChannelPart(channel, latestOf)
  const [seen] = useState({ to: 0 })
  const names = useMemo(
    () =>
      latest?.messages.filter(
        ({ user, type, shadowed, mentioned_users }) =>
          user.id !== me &&
          type !== 'deleted' &&
          !shadowed &&
          !mutedUserIds.has(user.id) &&
          mentioned_users.some(({ id }) => id === me),
      ) ?? [],
    [latest, me, mutedUserIds],
  )
  const id = useScrollView(engine, ({ last }) => {
    const shown = rows.find(({ key }) => key === last)?.message.created_at.getTime() ?? 0
    seen.to = Math.max(seen.to, shown)
    return names.find(({ created_at: at }) => since && at > since && at.getTime() > seen.to)?.id
  })
  return names.find((message) => message.id === id)
}

/** Whether the client has given up for now to bring the channel up to date after a loss of the connection. */
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
