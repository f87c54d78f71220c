import assert from 'node:assert/strict'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { aMessage, messages } from '../testing/wire.ts'
import { byAge, isEarlier, type LocalMessage, localMessage } from './local-message.ts'
import { addToLatest, withCurrent, withoutEmptySets } from './message-lists.ts'
import { currentSet, emptySets, latestSet, type MessageSet, type MessageSets } from './message-sets.ts'
import { union, withoutFar, withPage } from './pages.ts'

const local = (from: number, to: number) => messages(from, to).map(localMessage)
const unsent = (id: string, minute: number): LocalMessage => ({
  ...localMessage(aMessage(id, { minute })),
  status: 'failed',
  attempt: 'send',
})
const newest = (from: number, to: number, limit = 25) => ({ kind: 'latest', messages: local(from, to), limit }) as const

/** Each set as "first–last", marked current (c), latest (l), with older (<) and newer (>) still to load. */
const drawn = (sets: MessageSets) =>
  sets.map(({ messages: list, ...set }) => {
    const marks = (set.current ? 'c' : '') + (set.latest ? 'l' : '')
    return `${set.hasOlder ? '<' : ''}${list[0]?.id ?? ''}–${list.at(-1)?.id ?? ''}${set.hasNewer ? '>' : ''} ${marks}`
  })

const aSet = (from: number, to: number, fields: Partial<MessageSet> = {}): MessageSet => ({
  messages: local(from, to),
  current: false,
  latest: false,
  hasOlder: true,
  hasNewer: true,
  ...fields,
})

describe('the first page', () => {
  it('[LIM-1] of 25 messages may have older ones before it', () => {
    assert.deepEqual(drawn(withPage(emptySets, newest(1, 25))), ['<m1–m25 cl'])
  })

  it('that is not full has all messages', () => {
    assert.deepEqual(drawn(withPage(emptySets, newest(1, 24))), ['m1–m24 cl'])
  })
})

describe('paging', () => {
  it('[LIM-3] an older page of 25 goes before the current set', () => {
    const sets = withPage(emptySets, newest(26, 50))
    const more = withPage(sets, { kind: 'older', messages: local(1, 25), limit: 25 })
    assert.deepEqual(drawn(more), ['<m1–m50 cl'])
    assert.deepEqual(drawn(withPage(sets, { kind: 'older', messages: local(20, 25), limit: 25 })), ['m20–m50 cl'])
  })

  it('a newer page goes after it, and joins the newest set where they meet', () => {
    const sets = [aSet(1, 10, { current: true }), aSet(30, 40, { latest: true, hasNewer: false })]
    const apart = withPage(sets, { kind: 'newer', messages: local(11, 20), limit: 10 })
    assert.deepEqual(drawn(apart), ['<m1–m20> c', '<m30–m40 l'])
    const joined = withPage(apart, { kind: 'newer', messages: local(21, 30), limit: 10 })
    assert.deepEqual(drawn(joined), ['<m1–m40 cl'])
  })

  it('joined sets begin where the older one does', () => {
    const whole = [aSet(1, 10, { current: true, hasOlder: false }), aSet(20, 30)]
    const joined = withPage(whole, { kind: 'newer', messages: local(11, 20), limit: 10 })
    assert.deepEqual(drawn(joined), ['m1–m30> c'])
    const below = [aSet(1, 10, { hasOlder: false }), aSet(20, 30, { current: true })]
    assert.deepEqual(drawn(withPage(below, { kind: 'older', messages: local(10, 19), limit: 10 })), ['m1–m30> c'])
  })

  it('the last newer page makes the current set the latest', () => {
    const sets = [aSet(1, 10, { current: true })]
    assert.deepEqual(drawn(withPage(sets, { kind: 'newer', messages: local(11, 14), limit: 10 })), ['<m1–m14 cl'])
  })
})

describe('evicting distant messages', () => {
  const long = [aSet(1, 900, { current: true, latest: true, hasNewer: false })]

  it('removes the older side, which can be loaded again', () => {
    const shorter = withoutFar(long, 'older', 'm251')
    assert.deepEqual(drawn(shorter), ['<m251–m900 cl'])
    assert.deepEqual(drawn(withPage(shorter, { kind: 'older', messages: local(226, 250), limit: 25 })), [
      '<m226–m900 cl',
    ])
  })

  it('removes the newer side and keeps the newest messages as a set of their own', () => {
    const shorter = withoutFar(long, 'newer', 'm650')
    assert.deepEqual(drawn(shorter), ['<m1–m650> c', '<m701–m900 l'])
    const met = withPage(shorter, { kind: 'newer', messages: local(651, 701), limit: 51 })
    assert.deepEqual(drawn(met), ['<m1–m900 cl'])
  })

  it('removes nothing where the newest messages to keep adjoin the shown ones', () => {
    assert.deepEqual(drawn(withoutFar(long, 'newer', 'm800')), drawn(long))
  })

  it('removes parts of the history that are not shown, and shortens the newest set', () => {
    const sets = [aSet(1, 25), aSet(40, 300, { current: true }), aSet(500, 900, { latest: true, hasNewer: false })]
    assert.deepEqual(drawn(withoutFar(sets, 'newer', 'm200')), ['<m40–m200> c', '<m701–m900 l'])
  })

  it('keeps unsent messages', () => {
    const failed = unsent('mine', 901)
    const [set] = long
    const sets = [{ ...set!, messages: [...set!.messages, failed] }]
    assert.deepEqual(drawn(withoutFar(sets, 'newer', 'm650')), ['<m1–m650> c', '<m702–mine l'])
    const [older] = withoutFar([{ ...set!, messages: [unsent('first', 0), ...set!.messages] }], 'older', 'm251')
    assert.deepEqual([older!.messages[0]!.id, older!.messages[1]!.id], ['first', 'm251'])
  })

  it('does nothing for a message that is not shown', () => {
    assert.equal(withoutFar(long, 'older', 'nobody'), long)
  })
})

describe('jumping', () => {
  it('opens a window beside the loaded sets, and joins none', () => {
    const sets = withPage(emptySets, newest(76, 100))
    const window = withPage(sets, { kind: 'around', id: 'm20', messages: local(8, 32), limit: 25 })
    assert.deepEqual(drawn(window), ['<m76–m100 l', '<m8–m32> c'])
    assert.deepEqual(drawn(withCurrent(window, latestSet(window)!)), ['<m76–m100 cl', '<m8–m32> '])
  })

  it('treats a side shorter than its half as complete', () => {
    const start = withPage(emptySets, { kind: 'around', id: 'm3', messages: local(1, 25), limit: 25 })
    assert.deepEqual(drawn(start), ['m1–m25> c'])
    const end = withPage(emptySets, { kind: 'around', id: 'm23', messages: local(1, 25), limit: 25 })
    assert.deepEqual(drawn(end), ['<m1–m25 cl'])
    const all = withPage(emptySets, { kind: 'around', id: 'm3', messages: local(1, 6), limit: 25 })
    assert.deepEqual(drawn(all), ['m1–m6 cl'])
  })

  it('joins the newest set if the window reaches it', () => {
    const sets = withPage(emptySets, newest(26, 50))
    const window = withPage(sets, { kind: 'around', id: 'm20', messages: local(8, 32), limit: 25 })
    assert.deepEqual(drawn(window), ['<m8–m50 cl'])
  })

  it('keeps live messages apart from a window that was loaded first', () => {
    const window = withPage(emptySets, { kind: 'around', id: 'm20', messages: local(8, 32), limit: 25 })
    const live = addToLatest(window, localMessage(aMessage('m50', { minute: 50 })))
    assert.deepEqual(drawn(live), ['<m8–m32> c', '<m50–m50 l'])
  })
})

describe('merging', () => {
  it('takes the newer version of a message', () => {
    const old = localMessage(aMessage('m1', { text: 'old' }))
    const fresh = localMessage(aMessage('m1', { text: 'new', updated_at: '2026-01-05T08:59:00Z' }))
    assert.deepEqual(union([old], [fresh])[0]?.text, 'new')
    assert.deepEqual(union([fresh], [old])[0]?.text, 'new')
  })

  it('replaces an unsent message by the server’s, but never an ephemeral one', () => {
    const [sending, mine] = [unsent('m1', 0), localMessage(aMessage('m2', { type: 'ephemeral', text: 'mine' }))]
    const server = [aMessage('m1'), aMessage('m2')].map(localMessage)
    assert.deepEqual(
      union([sending, mine], server).map(({ status, text }) => `${text}: ${status}`),
      ['m1: received', 'mine: received'],
    )
  })
})

describe('the newest page, reloaded after a reconnect', () => {
  it('continues the loaded messages where they overlap', () => {
    const sets = withPage(emptySets, newest(1, 25))
    assert.deepEqual(drawn(withPage(sets, newest(11, 35))), ['<m1–m35 cl'])
  })

  it('replaces the loaded messages when more than a page was missed', () => {
    const sets = withPage(emptySets, newest(1, 25))
    assert.deepEqual(drawn(withPage(sets, newest(50, 74))), ['<m50–m74 cl'])
  })

  it('keeps the loaded messages while a user has paged back in them', () => {
    const paged = withPage(withPage(emptySets, newest(26, 50)), { kind: 'older', messages: local(1, 25), limit: 25 })
    assert.deepEqual(drawn(withPage(paged, newest(80, 104))), ['<m1–m50> c', '<m80–m104 l'])
  })

  it('[CON-24] keeps unsent messages in their place', () => {
    const sets = addToLatest(withPage(emptySets, newest(1, 5)), unsent('mine', 3))
    for (const page of [newest(1, 5), newest(3, 27), newest(30, 54)]) {
      const after = withPage(sets, page)
      assert.ok(currentSet(after).messages.some(({ id }) => id === 'mine'))
      assert.deepEqual(currentSet(after).messages, [...currentSet(after).messages].sort(byAge))
    }
  })

  it('drops messages deleted meanwhile', () => {
    const sets = withPage(emptySets, newest(1, 5))
    const page = { ...newest(1, 5), messages: local(1, 5).filter(({ id }) => id !== 'm3') }
    assert.deepEqual(
      currentSet(withPage(sets, page)).messages.map(({ id }) => id),
      ['m1', 'm2', 'm4', 'm5'],
    )
  })

  it('keeps messages that arrived while the page was on its way', () => {
    const sets = withPage(emptySets, newest(1, 6))
    assert.deepEqual(drawn(withPage(sets, { ...newest(1, 5), came: local(6, 6) })), ['m1–m6 cl'])
  })
})

describe('an emptied set', () => {
  it('is removed, and the newest set is shown', () => {
    const sets = [{ ...aSet(1, 1), messages: [], current: true }, aSet(5, 9, { latest: true, hasNewer: false })]
    assert.deepEqual(drawn(withoutEmptySets(sets)), ['<m5–m9 cl'])
  })
})

describe('any pages and messages, in any order', () => {
  it('every message is there once, sets share none, and one set is current', () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant('latest' as const) }),
      fc.record({ kind: fc.constantFrom('older' as const, 'newer' as const) }),
      fc.record({ kind: fc.constant('around' as const), at: fc.integer({ min: 1, max: 59 }) }),
      fc.record({ kind: fc.constant('live' as const) }),
    )
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        let count = 40
        let sets = emptySets
        const limit = 5
        for (const action of actions) {
          const shown = currentSet(sets).messages
          const minute = (message: LocalMessage | undefined) => message?.created_at.getUTCMinutes() ?? 0
          if (action.kind === 'live' && count < 59) sets = addToLatest(sets, local(++count, count)[0]!)
          if (action.kind === 'latest') sets = withPage(sets, newest(Math.max(1, count - limit + 1), count, limit))
          if (action.kind === 'around') {
            const from = Math.max(1, Math.min(action.at - 2, count - limit + 1))
            const page = local(from, Math.min(count, from + limit - 1))
            const at = page[Math.min(action.at, count) - from]
            if (at) sets = withPage(sets, { kind: 'around', id: at.id, messages: page, limit })
          }
          if (action.kind === 'older' && shown[0] && currentSet(sets).hasOlder) {
            const to = minute(shown[0]) - 1
            sets = withPage(sets, { kind: 'older', messages: local(Math.max(1, to - limit + 1), to), limit })
          }
          if (action.kind === 'newer' && shown.at(-1) && currentSet(sets).hasNewer) {
            const from = minute(shown.at(-1)) + 1
            sets = withPage(sets, { kind: 'newer', messages: local(from, Math.min(count, from + limit - 1)), limit })
          }
          const all = sets.flatMap((set) => set.messages.map(({ id }) => id))
          assert.equal(new Set(all).size, all.length)
          assert.equal(sets.filter((set) => set.current).length, 1)
          assert.ok(sets.filter((set) => set.latest).length <= 1)
          for (const { messages: list } of sets) {
            const minutes = list.map(minute)
            assert.deepEqual(
              minutes,
              Array.from(minutes, (_, i) => (minutes[0] ?? 0) + i),
              'no set has a gap',
            )
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('the order of wire times', () => {
  it('compares to the last digit, whatever zeros were dropped', () => {
    const inOrder = [
      '2026-01-05T08:00:00Z',
      '2026-01-05T08:00:00.000001Z',
      '2026-01-05T08:00:00.1Z',
      '2026-01-05T08:00:00.100001Z',
    ]
    for (const [i, earlier] of inOrder.entries())
      for (const later of inOrder.slice(i + 1)) assert.ok(isEarlier(earlier, later) && !isEarlier(later, earlier))
    assert.equal(isEarlier('2026-01-05T08:00:00.10Z', '2026-01-05T08:00:00.1Z'), false)
  })
})
