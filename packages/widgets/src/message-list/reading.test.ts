import type { ChannelState, LocalMessage } from '@parley/client'
import { FakeClock } from '@parley/client/testing'
import { describe, expect, it } from 'vitest'
import { type Attention, Reading } from './reading.ts'

const LOOKING: Attention = { awake: true, atEnd: true, lineInView: false }
const SCROLLED_UP: Attention = { awake: true, atEnd: false, lineInView: false }
const AWAY: Attention = { awake: false, atEnd: true, lineInView: false }

/** A channel with three messages of Bo's for Ada, the last `unread` of them unread. */
function aVisit({ unread = 0 } = {}) {
  const clock = new FakeClock()
  const channel = new SmallChannel(clock, unread)
  const failures: unknown[] = []
  const reading = new Reading(channel, 'ada', clock, (error) => failures.push(error))
  const leave = reading.begin()
  return { clock, channel, reading, failures, leave, line: () => reading.snapshot().line }
}

describe('marking read', () => {
  it('[READ-23] the newest message counts as read after half a second on screen', () => {
    const { clock, channel, reading } = aVisit({ unread: 2 })
    reading.attend(LOOKING)
    clock.advance(499)
    expect(channel.marks).toBe(0)
    clock.advance(1)
    expect(channel.marks).toBe(1)
  })

  it('[READ-23] nothing is marked read while the page is hidden or without focus, or the newest is not on screen', () => {
    const { clock, channel, reading } = aVisit({ unread: 2 })
    reading.attend(AWAY)
    clock.advance(10_000)
    reading.attend(SCROLLED_UP)
    clock.advance(10_000)
    expect(channel.marks).toBe(0)
  })

  it('[READ-23] with manual reading the line is drawn at the first new message, until the reader marks the channel read', () => {
    const { clock, channel, reading, line } = aVisit()
    reading.attend({ ...LOOKING, byHand: true })
    channel.says('m4')
    expect(line()).toMatchObject({ count: 1, made: 'live' })
    clock.advance(10_000)
    expect(channel.marks).toBe(0)
    reading.finish()
    expect([channel.marks, line()]).toEqual([1, undefined])
  })

  it('[READ-23] looking away within the half second marks nothing', () => {
    const { clock, channel, reading } = aVisit({ unread: 2 })
    reading.attend(LOOKING)
    clock.advance(400)
    reading.attend(AWAY)
    clock.advance(10_000)
    expect(channel.marks).toBe(0)
  })

  it('[READ-23] leaving within the half second marks nothing, and nothing unread needs no mark', () => {
    const { clock, channel, reading, leave } = aVisit({ unread: 2 })
    reading.attend(LOOKING)
    clock.advance(400)
    leave()
    clock.advance(10_000)
    expect(channel.marks).toBe(0)

    const read = aVisit()
    read.reading.attend(LOOKING)
    read.clock.advance(10_000)
    expect(read.channel.marks).toBe(0)
  })

  it('[READ-23] a mark that fails after the channel was left is not retried', async () => {
    const { clock, channel, reading, leave } = aVisit({ unread: 1 })
    channel.refusing = true
    reading.attend(LOOKING)
    clock.advance(500)
    leave()
    await Promise.resolve()
    await Promise.resolve()
    clock.advance(10_000)
    expect(channel.marks).toBe(1)
  })

  it('[READ-23] after marking unread nothing is marked read until the channel is left', () => {
    const { clock, channel, reading } = aVisit()
    reading.attend(LOOKING)
    channel.marksUnread('m2')
    clock.advance(60_000)
    channel.says('m4')
    clock.advance(60_000)
    expect(channel.marks).toBe(0)

    const next = new Reading(channel, 'ada', clock, () => {})
    next.begin()
    next.attend(LOOKING)
    clock.advance(500)
    expect(channel.marks).toBe(1)
  })

  it('a stream of messages is marked at most once a second, and the last one is included', () => {
    const { clock, channel, reading } = aVisit({ unread: 1 })
    reading.attend(LOOKING)
    clock.advance(500)
    expect(channel.marks).toBe(1)
    channel.says('m4')
    clock.advance(999)
    expect(channel.marks).toBe(1)
    clock.advance(1)
    expect(channel.marks).toBe(2)
  })

  it('a failure is reported once and retried without a notice', async () => {
    const { clock, channel, reading, failures } = aVisit({ unread: 1 })
    channel.refusing = true
    reading.attend(LOOKING)
    for (let second = 0; second < 5; second++) {
      clock.advance(1_000)
      await Promise.resolve()
      await Promise.resolve()
    }
    expect(channel.marks).toBeGreaterThan(2)
    expect(failures).toHaveLength(1)
  })
})

describe('the new-messages line', () => {
  it("is at the reader's position when the channel was opened, and stays there", () => {
    const { clock, channel, reading, line } = aVisit({ unread: 2 })
    const opened = line()
    expect(opened).toMatchObject({ count: 2, after: channel.at('m1') })
    reading.attend(LOOKING)
    clock.advance(500)
    channel.says('m4')
    expect(line()).toBe(opened)
  })

  it('is drawn for messages that arrive while the reader is further up, and counts them', () => {
    const { channel, reading, line } = aVisit()
    reading.attend(SCROLLED_UP)
    channel.says('m4')
    channel.says('m5')
    expect(line()).toMatchObject({ firstId: 'm4', count: 2 })
  })

  it('does not count up while it is in view', () => {
    const { channel, reading, line } = aVisit()
    reading.attend(AWAY)
    channel.says('m4')
    reading.attend({ awake: true, atEnd: true, lineInView: true })
    channel.says('m5')
    expect(line()).toMatchObject({ count: 1 })
  })

  it('is not drawn for messages that are read as they arrive', () => {
    const { channel, reading, line } = aVisit()
    reading.attend(LOOKING)
    channel.says('m4')
    expect(line()).toBeUndefined()
  })

  it('is removed when the reader sends', () => {
    const { channel, line } = aVisit({ unread: 2 })
    channel.says('m4', 'ada')
    expect(line()).toBeUndefined()
  })

  it("is removed and marks the channel read at the reader's request", () => {
    const { channel, reading, line } = aVisit({ unread: 2 })
    reading.finish()
    expect(line()).toBeUndefined()
    expect(channel.marks).toBe(1)
  })

  it('counts one less when a counted message is deleted, before and after it was read', () => {
    const { clock, channel, reading, line } = aVisit({ unread: 3 })
    channel.deletes('m3')
    expect(line()).toMatchObject({ count: 2 })
    reading.attend(LOOKING)
    clock.advance(500)
    channel.deletes('m2')
    expect(line()).toMatchObject({ count: 1 })
  })

  it('moves to the message that was marked unread', () => {
    const { channel, line } = aVisit()
    channel.marksUnread('m2')
    expect(line()).toMatchObject({ firstId: 'm2', count: 2 })
  })
})

/** The parts of a channel that a visit needs: the unread count, and the author and time of each message. */
class SmallChannel {
  marks = 0
  refusing = false
  #clock: FakeClock
  #state: ChannelState
  #listeners = new Set<() => void>()
  constructor(clock: FakeClock, unread: number) {
    this.#clock = clock
    const messages = [1, 2, 3].map((n) => aMessage(`m${n}`, 'bo', new Date(clock.now() + n * 1_000)))
    clock.advance(10_000)
    const lastRead = messages[messages.length - 1 - unread]
    this.#state = {
      initialized: true,
      unreadCount: unread,
      read: {
        ada: {
          last_read: lastRead?.created_at ?? new Date(0),
          last_read_message_id: lastRead?.id,
          unread_messages: unread,
        },
      },
      sets: [{ messages, latest: true, current: true, hasOlder: false, hasNewer: false }],
    } as unknown as ChannelState
  }

  snapshot = () => this.#state
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async markRead() {
    this.marks += 1
    if (this.refusing) throw new Error('no')
    const newest = this.#messages.at(-1)!
    this.#read({ last_read: newest.created_at, last_read_message_id: newest.id, unread_messages: 0 })
    return null
  }

  at = (id: string) => this.#messages.find((message) => message.id === id)!.created_at

  says(id: string, userId = 'bo') {
    const unread = userId === 'ada' ? 0 : this.#state.unreadCount + 1
    const messages = [...this.#messages, aMessage(id, userId, new Date(this.#clock.now()))]
    this.#change({ unreadCount: unread, sets: [{ ...this.#state.sets[0]!, messages }] })
  }

  deletes(id: string) {
    const { unreadCount } = this.#state
    const messages = this.#messages.map((message) => (message.id === id ? { ...message, type: 'deleted' } : message))
    this.#change({ unreadCount: Math.max(0, unreadCount - 1), sets: [{ ...this.#state.sets[0]!, messages }] })
  }

  marksUnread(id: string) {
    const place = this.#messages.findIndex((message) => message.id === id)
    this.#read({
      last_read: this.#messages[place - 1]!.created_at,
      first_unread_message_id: id,
      unread_messages: this.#messages.length - place,
    })
  }

  get #messages() {
    return this.#state.sets[0]!.messages
  }

  #read(read: { unread_messages: number; [field: string]: unknown }) {
    this.#change({
      unreadCount: read.unread_messages,
      read: { ada: read } as unknown as ChannelState['read'],
    })
  }

  #change(fields: Partial<ChannelState>) {
    this.#state = { ...this.#state, ...fields }
    for (const listener of this.#listeners) listener()
  }
}

function aMessage(id: string, userId: string, created_at: Date): LocalMessage {
  return { id, user: { id: userId }, created_at, type: 'regular', status: 'received' } as LocalMessage
}
