import {
  Cell,
  type Channel,
  type ChannelState,
  type Clock,
  type Live,
  type LocalMessage,
  type ReadState,
} from '@parley/client'
import { MARK_READ_EVERY_MS, SEEN_AFTER_MS } from '../limits.ts'
import { latestSet } from './loaded-sets.ts'
import { lineAtOpening, type NewMessagesLine } from './new-messages-line.ts'

/** What the reader sees of the channel now. */
export interface Attention {
  /** The page is visible and its window has the focus. */
  awake: boolean
  /** The newest message is on screen. */
  atEnd: boolean
  /** The new-messages line is on screen. */
  lineInView: boolean
  /** The reader marks messages read manually. */
  byHand?: boolean
}

/** The reading state that the interface draws. Keeps its identity until it changes. */
export interface ReadingView {
  line: NewMessagesLine | undefined
  /** After marking unread nothing is marked read until the channel is left. */
  paused: boolean
}

const ELSEWHERE: Attention = { awake: false, atEnd: false, lineInView: false }

/** One visit to a channel: its new-messages line, and when the channel is marked read [READ-23]. */
export class Reading implements Live<ReadingView> {
  #channel: Pick<Channel, 'snapshot' | 'subscribe' | 'markRead'>
  #me: string
  #clock: Clock
  #failed: (error: unknown) => void
  #known: ChannelState
  #attention = ELSEWHERE
  #cell: Cell<ReadingView>
  #cancel: (() => void) | undefined
  /** The newest message the running timer is for. */
  #looksAt: string | undefined
  #markedAt = Number.NEGATIVE_INFINITY
  #reported = false

  /** @param failed  called for the first failure to mark read; later ones are retried without a notice */
  constructor(
    channel: Pick<Channel, 'snapshot' | 'subscribe' | 'markRead'>,
    me: string,
    clock: Clock,
    failed: (error: unknown) => void,
  ) {
    this.#channel = channel
    this.#me = me
    this.#clock = clock
    this.#failed = failed
    this.#known = channel.snapshot()
    this.#cell = new Cell({ line: lineAtOpening(this.#known.read[me]), paused: false })
  }

  snapshot = () => this.#cell.snapshot()
  subscribe = (listener: () => void) => this.#cell.subscribe(listener)

  attend(attention: Attention) {
    this.#attention = attention
    this.#consider()
  }

  /** Removes the line and marks the channel read, at the reader's request. */
  finish() {
    this.#show({ line: undefined, paused: false })
    if (this.#known.unreadCount > 0) this.#mark()
  }

  /** Follows the channel; returns the function that ends the visit. */
  begin() {
    const stop = this.#channel.subscribe(() => this.#changed())
    this.#changed()
    return () => {
      stop()
      this.attend(ELSEWHERE)
    }
  }

  #changed() {
    const before = this.#known
    const now = this.#channel.snapshot()
    const { line } = this.snapshot()
    this.#known = now
    const [readBefore, read] = [before.read[this.#me], now.read[this.#me]]
    if (read && readBefore && isBack(readBefore, read)) {
      this.#show({ line: lineAtOpening(read), paused: true })
    } else if (ownNewest(now, this.#me) !== ownNewest(before, this.#me)) {
      this.#show({ line: undefined })
    } else if (now.unreadCount > before.unreadCount) {
      this.#arrived(before, now)
    } else if (line) {
      const gone = before.unreadCount > now.unreadCount && sameTime(readBefore, read)
      const fewer = gone ? before.unreadCount - now.unreadCount : deletedSince(before, now, line, this.#me)
      if (fewer > 0) this.#show({ line: fewerIn(line, fewer) })
    }
    this.#consider()
  }

  /** Draws the line for messages that arrived unseen; a line in view does not move. */
  #arrived(before: ChannelState, now: ChannelState) {
    const { atEnd, awake, lineInView, byHand } = this.#attention
    const { line } = this.snapshot()
    const count = now.unreadCount - before.unreadCount
    if (line) {
      if (line.made === 'live' && !(awake && lineInView)) this.#show({ line: { ...line, count: line.count + count } })
      return
    }
    if (atEnd && awake && !byHand) return
    const known = new Set(newest(before).map(({ id }) => id))
    const messages = newest(now)
    const at = messages.findIndex(({ id, user }) => !known.has(id) && user.id !== this.#me)
    const first = messages[at]
    if (!first) return
    const after = messages[at - 1]?.created_at ?? new Date(first.created_at.getTime() - 1)
    this.#show({ line: { firstId: first.id, after, count, made: 'live' } })
  }

  /** Starts or stops the timer, depending on what is in view. */
  #consider() {
    const { awake, atEnd, byHand } = this.#attention
    const newestId = newest(this.#known).at(-1)?.id
    const isLeft = byHand || this.snapshot().paused
    const wanted = awake && atEnd && !isLeft && this.#known.unreadCount > 0 && this.#known.initialized
    if (wanted && this.#cancel && this.#looksAt === newestId) return
    this.#cancel?.()
    this.#cancel = undefined
    if (!wanted) return
    this.#looksAt = newestId
    const sinceMarked = this.#clock.now() - this.#markedAt
    this.#cancel = this.#clock.after(Math.max(SEEN_AFTER_MS, MARK_READ_EVERY_MS - sinceMarked), () => {
      this.#cancel = undefined
      this.#mark()
    })
  }

  #mark() {
    this.#markedAt = this.#clock.now()
    this.#channel.markRead().then(
      () => {
        this.#reported = false
      },
      (error) => {
        if (!this.#reported) this.#failed(error)
        this.#reported = true
        this.#consider()
      },
    )
  }

  #show(change: Partial<ReadingView>) {
    const before = this.snapshot()
    const view = { ...before, ...change }
    if (view.line !== before.line || view.paused !== before.paused) this.#cell.set(view)
  }
}

function newest(state: ChannelState): readonly LocalMessage[] {
  return latestSet(state)?.messages ?? []
}

function ownNewest(state: ChannelState, me: string): string | undefined {
  return newest(state).findLast((message) => message.user.id === me && message.type !== 'deleted')?.id
}

/** Only marking unread moves a read position back. */
function isBack(before: ReadState, now: ReadState): boolean {
  return (
    now.last_read < before.last_read ||
    (sameTime(before, now) &&
      now.first_unread_message_id !== undefined &&
      now.first_unread_message_id !== before.first_unread_message_id)
  )
}

function sameTime(before: ReadState | undefined, now: ReadState | undefined): boolean {
  return before?.last_read.getTime() === now?.last_read.getTime()
}

/** Messages below the line that were loaded before and are deleted now. */
function deletedSince(before: ChannelState, now: ChannelState, line: NewMessagesLine, me: string): number {
  if (before.sets === now.sets) return 0
  const lives = (message: LocalMessage) =>
    message.created_at > line.after && message.user.id !== me && message.type !== 'deleted' && message.type !== 'system'
  const left = new Set(now.sets.flatMap(({ messages }) => messages.filter(lives).map(({ id }) => id)))
  return newest(before).filter((message) => lives(message) && !left.has(message.id)).length
}

function fewerIn(line: NewMessagesLine, fewer: number): NewMessagesLine | undefined {
  return line.count > fewer ? { ...line, count: line.count - fewer } : undefined
}
