/** The effect of an event on a connected user's unread count. */
import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { applyEffect } from './effects.ts'
import { OnlineUser, type UnreadState } from './online-user.ts'
import type { Countable, Effect } from './publication.ts'

const room = 'messaging:tea'
/** Bo has read up to the fourth message, and three are unread. */
const reader: UnreadState = { seq: 9, ordinal: 4, unread: 3, counts: true }
const message: Countable = { ordinal: 8, author: 'ada', postedAt: 80 }

interface Case {
  effect: Effect
  unreadState?: Partial<UnreadState>
  /** The unread count and read position afterwards; unchanged where absent. */
  unread?: number
  ordinal?: number
}

const cases: Record<string, Case> = {
  'a message is one more': { effect: { do: 'count', ...message }, unread: 4 },
  'own messages mark all as read': {
    effect: { do: 'count', ...message, author: 'bo' },
    unread: 0,
    ordinal: 8,
  },
  'nothing counts for an invitee': {
    effect: { do: 'count', ...message },
    unreadState: { counts: false, unread: 0 },
    unread: 0,
  },
  'messages from before the user joined are not unread': {
    effect: { do: 'count', ...message },
    unreadState: { joinedAt: 80 },
    unread: 0,
    ordinal: 8,
  },
  'messages after that count': { effect: { do: 'count', ...message }, unreadState: { joinedAt: 79 }, unread: 4 },
  'a message among others does not count': { effect: { do: 'count', ...message, among: ['ada', 'cy'] } },
  'a message among some counts for them': { effect: { do: 'count', ...message, among: ['ada', 'bo'] }, unread: 4 },
  'a message that is not for one does not count': { effect: { do: 'count', ...message, except: ['bo'] } },
  'a message that is not for others counts': { effect: { do: 'count', ...message, except: ['cy'] }, unread: 4 },
  'what only its author has read is not one more': { effect: { do: 'authorRead', ...message } },
  'its author has read everything': { effect: { do: 'authorRead', ...message, author: 'bo' }, unread: 0, ordinal: 8 },
  'it is not for those who joined since, either': {
    effect: { do: 'authorRead', ...message },
    unreadState: { joinedAt: 90 },
  },
  'a message that goes is one less': { effect: { do: 'uncount', ...message, ordinal: 5 }, unread: 2 },
  'a message that was read and goes changes nothing': { effect: { do: 'uncount', ...message, ordinal: 4 } },
  'one’s own message that goes changes nothing': { effect: { do: 'uncount', ...message, author: 'bo' } },
  'less than nothing is never unread': {
    effect: { do: 'uncount', ...message },
    unreadState: { unread: 0 },
    unread: 0,
  },
  'what never counted does not go': { effect: { do: 'uncount', ...message, except: ['bo'] } },
  'where nothing counts, nothing goes': { effect: { do: 'uncount', ...message }, unreadState: { counts: false } },
  'a message that comes back is one more': { effect: { do: 'recount', ...message, ordinal: 5 }, unread: 4 },
  'a message that was read comes back as read': { effect: { do: 'recount', ...message, ordinal: 4 } },
  'one’s own message comes back as read': { effect: { do: 'recount', ...message, author: 'bo' } },
  'where nothing counts, nothing comes back': { effect: { do: 'recount', ...message }, unreadState: { counts: false } },
  'reading sets the rest': { effect: { do: 'read', user: 'bo', ordinal: 6, unread: 1 }, unread: 1, ordinal: 6 },
  'that others read changes nothing': { effect: { do: 'read', user: 'ada', ordinal: 6, unread: 1 } },
  'where nothing counts, nothing is left': {
    effect: { do: 'read', user: 'bo', ordinal: 6, unread: 1 },
    unreadState: { counts: false },
    unread: 0,
    ordinal: 6,
  },
  'all members have read everything': { effect: { do: 'readAll', ordinal: 7 }, unread: 0, ordinal: 7 },
  'of what is gone nothing is unread': { effect: { do: 'forget', ordinal: 6, left: 1 }, unread: 1, ordinal: 6 },
  'no more is unread than before': { effect: { do: 'forget', ordinal: 6, left: 5 }, ordinal: 6 },
  'that what was read is gone changes nothing': { effect: { do: 'forget', ordinal: 4, left: 1 } },
  'nothing is unread in a channel that is gone': { effect: { do: 'close' }, unread: 0 },
  'coming and going is not counted': { effect: { do: 'leave', user: 'bo' } },
}

describe('the unread count of a connected user', () => {
  for (const [title, { effect, unreadState: differs, unread, ordinal }] of Object.entries(cases))
    it(title, () => {
      const { bo, unreadState } = inTheRoom(differs)
      const before = { ...unreadState }
      applyEffect(bo, room, unreadState, effect)
      assert.deepEqual(unreadState, { ...before, unread: unread ?? before.unread, ordinal: ordinal ?? before.ordinal })
      assert.deepEqual(bo.totals, { unread: unreadState.unread, channels: unreadState.unread > 0 ? 1 : 0 })
    })

  it('what is hidden from a member stays so, and hides nothing from others', () => {
    const { bo, unreadState } = inTheRoom()
    const hides = (user: string, to: number) => {
      applyEffect(bo, room, unreadState, { do: 'hideHistory', user, to })
      return unreadState.hiddenTo
    }
    assert.deepEqual([hides('ada', 30), hides('bo', 20), hides('bo', 10), hides('bo', 40)], [undefined, 20, 20, 40])
  })

  it('a channel that is gone for good is not muted when it is made again', () => {
    const { bo, unreadState } = inTheRoom()
    bo.setMutes({ users: [], channels: [[room, null]] }, 0)
    const isMuted = () => bo.ignores(room, 'ada', 80)
    applyEffect(bo, room, unreadState, { do: 'close' })
    assert.equal(isMuted(), true)
    applyEffect(bo, room, unreadState, { do: 'close', forever: true })
    assert.equal(isMuted(), false)
  })
})

describe('muted channels and users', () => {
  it('counts from when it was muted until it is not', () => {
    const { bo } = inTheRoom()
    bo.setMutes(
      {
        users: [
          ['ada', 50, 90],
          ['cy', 50, null],
        ],
        channels: [['messaging:tea', 70]],
      },
      71,
    )
    const ignored = (cid: string, author: string, times: number[]) => times.filter((at) => bo.ignores(cid, author, at))
    assert.deepEqual(ignored('messaging:den', 'ada', [49, 50, 89, 90]), [50, 89])
    assert.deepEqual(ignored('messaging:den', 'cy', [49, 50, 900]), [50, 900])
    assert.deepEqual(ignored('messaging:den', 'bo', [50, 89]), [])
    assert.deepEqual(ignored(room, 'dee', [69, 70, 71]), [69, 70])
  })

  it('has nothing unread from then on, unless it is over already', () => {
    for (const [until, left] of [
      [null, 0],
      [70, 0],
      [69, 3],
    ] as const) {
      const { bo } = inTheRoom()
      const before = bo.mutings
      bo.setMutes({ users: [], channels: [[room, until]] }, 70)
      assert.deepEqual([bo.totals.unread, bo.mutings - before], [left, 1], `${until}`)
    }
  })

  it('stays as it is when another channel is gone', () => {
    const { bo } = inTheRoom()
    bo.setMutes({ users: [['cy', 0, null]], channels: [[room, null]] }, 0)
    const before = bo.mutings
    bo.unmute('messaging:den')
    assert.deepEqual([bo.mutings, bo.ignores(room, 'ada', 80)], [before, true])
    bo.unmute(room)
    assert.deepEqual(
      [bo.mutings > before, bo.ignores(room, 'ada', 80), bo.ignores(room, 'cy', 80)],
      [true, false, true],
    )
  })
})

it('the totals of all channels follow each of them', () => {
  const { bo } = inTheRoom()
  bo.enter('messaging:den', { ...reader, unread: 0 })
  assert.deepEqual(bo.totals, { unread: 3, channels: 1 })
  bo.setUnread('messaging:den', 2)
  assert.deepEqual(bo.totals, { unread: 5, channels: 2 })
  bo.enter('messaging:den', { ...reader, unread: 4 })
  assert.deepEqual(bo.totals, { unread: 7, channels: 2 })
  bo.setUnread('messaging:elsewhere', 2)
  bo.leave(room)
  assert.deepEqual(bo.totals, { unread: 4, channels: 1 })
})

function inTheRoom(differs: Partial<UnreadState> = {}) {
  const bo = new OnlineUser('app', 'bo')
  const unreadState = { ...reader, ...differs }
  bo.enter(room, unreadState)
  return { bo, unreadState }
}
