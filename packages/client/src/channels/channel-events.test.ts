import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { localMessage } from '../messages/local-message.ts'
import { emptySets } from '../messages/message-sets.ts'
import type { ChannelStateAnswer, Message, QuotedMessage } from '../shapes.ts'
import {
  aChannel,
  ada,
  aMember,
  aMessage,
  anEvent,
  aPoll,
  aReaction,
  aUser,
  aVote,
  bo,
  cy,
  messages,
  posted,
} from '../testing/wire.ts'
import { withAnswer } from './channel-answer.ts'
import { channelState } from './channel-events.ts'
import { type ChannelState, newChannelState, type StateContext } from './channel-state.ts'
import { withSets, withThread } from './state-changes.ts'

const adas: StateContext = { me: 'ada', reader: 'ada', mutedUserIDs: new Set(), channelIsMuted: false }

/** The channel as Ada sees it after her first query. */
function tea(answer: Partial<ChannelStateAnswer> = {}, fields: Record<string, unknown> = {}): ChannelState {
  const asked = { limit: 25, state: true, events: [] }
  return withAnswer(newChannelState(), aChannel(fields, answer), asked, adas)
}

/** The state with a thread that has these replies loaded. */
const withReplies = (state: ChannelState, parentID: string, replies: Message[]) => {
  const set = { messages: replies.map(localMessage), current: true, latest: true, hasOlder: false, hasNewer: false }
  return withThread(state, parentID, { parent: undefined, sets: [set] })
}

const after = (state: ChannelState, ...events: Parameters<typeof channelState>[1][]) =>
  events.reduce((before, event) => channelState(before, event, adas), state)

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
const find = (state: ChannelState, id: string) => state.messages.find((message) => message.id === id)

describe('typing', () => {
  it('[TYP-4] typing.start adds the user', () => {
    const event = anEvent('typing.start', { user: bo })
    assert.deepEqual(after(tea(), event).typing, { bo: event })
  })

  it('[TYP-5] typing.stop removes the user', () => {
    const state = after(tea(), anEvent('typing.start', { user: bo }), anEvent('typing.stop', { user: bo }))
    assert.deepEqual(state.typing, {})
  })

  it('[TYP-7] a message ends its author’s typing, and the user’s own typing is never shown', () => {
    const state = after(tea(), anEvent('typing.start', { user: bo }), posted(aMessage('m1')))
    assert.deepEqual(state.typing, {})
    const before = tea()
    assert.equal(after(before, anEvent('typing.start', { user: ada })), before)
  })
})

describe('a reply that is added to the channel, or removed from it, after it was sent', () => {
  const reply = (minute: number, show_in_channel: boolean) =>
    aMessage('reply', { minute, parent_id: 'm1', type: 'reply', show_in_channel })
  const said = (minute: number, isShown: boolean) => anEvent('message.updated', { message: reply(minute, isShown) })

  it('is added in its place among the loaded messages, and removed again', () => {
    const loaded = withReplies(tea({ messages: [1, 2, 5].map((n) => aMessage(`m${n}`, { minute: n })) }), 'm1', [
      reply(3, false),
    ])
    const shown = after(loaded, said(3, true))
    assert.deepEqual(ids(shown.messages), ['m1', 'm2', 'reply', 'm5'])
    assert.equal(shown.unreadCount, 0, 'it is no news')
    assert.deepEqual(ids(after(loaded, said(9, true)).messages), ['m1', 'm2', 'm5', 'reply'])
    assert.equal(after(shown, said(3, true)).messages.length, 4)
    const gone = after(shown, said(3, false))
    assert.deepEqual([ids(gone.messages), ids(gone.replies.m1 ?? [])], [['m1', 'm2', 'm5'], ['reply']])
  })

  it('is not added where messages in between may be missing', () => {
    const state = tea({ messages: messages(10, 34) })
    assert.equal(state.sets[0]?.hasOlder, true)
    assert.deepEqual(ids(after(state, said(5, true)).messages), ids(state.messages))
    assert.equal(after(state, said(20, true)).messages.length, 26)
  })

  it('is no longer unread when it is removed', () => {
    const posts = posted(reply(6, true))
    const state = after(tea(), posted(aMessage('m1')), posts)
    assert.equal(state.unreadCount, 2)
    assert.equal(after(state, said(6, false)).unreadCount, 1)
  })
})

describe('message.new', () => {
  it('[MSG-26] adds the message in its place', () => {
    const state = after(tea({ messages: messages(1, 3) }), posted(aMessage('late', { minute: 2 })))
    assert.deepEqual(ids(state.messages), ['m1', 'm2', 'late', 'm3'])
  })

  it('[MSG-4] gives it the status received and real dates', () => {
    const message = find(after(tea(), posted(aMessage('m1'))), 'm1')
    assert.equal(message?.status, 'received')
    assert.ok(message?.created_at instanceof Date && message.updated_at instanceof Date)
  })

  it('keeps the order of microseconds, and of arrival within the same one', () => {
    const at = (fraction: string) => ({ created_at: `2026-01-05T08:00:00.${fraction}Z` })
    const state = after(
      tea(),
      posted(aMessage('b', at('1234'))),
      posted(aMessage('c', at('123402'))),
      posted(aMessage('a', at('123'))),
      posted(aMessage('b2', at('1234'))),
    )
    assert.deepEqual(ids(state.messages), ['a', 'b', 'b2', 'c'])
  })

  it('replaces a known message, and counts it once', () => {
    const state = after(tea(), posted(aMessage('m1')), posted(aMessage('m1', { text: 'again' })))
    assert.deepEqual(ids(state.messages), ['m1'])
    assert.equal(find(state, 'm1')?.text, 'again')
    assert.equal(state.unreadCount, 1)
  })

  it('[READ-14] counts one more unread', () => {
    const state = after(tea(), posted(aMessage('m1')), posted(aMessage('m2', { minute: 1 })))
    assert.equal(state.unreadCount, 2)
    assert.equal(state.read.ada?.unread_messages, 2)
  })

  it('[READ-10] of the user’s own moves the own read position and counts nothing', () => {
    const mine = aMessage('mine', { user: ada, minute: 5 })
    const state = after(tea(), posted(aMessage('m1')), posted(mine))
    assert.equal(state.unreadCount, 0)
    assert.equal(state.read.ada?.last_read_message_id, 'mine')
    assert.equal(state.read.ada?.unread_messages, 0)
    assert.equal(state.read.ada?.last_read.toISOString(), '2026-01-05T08:05:00.000Z')
  })

  it('no longer counts messages before an own message that was answered sooner', () => {
    const state = after(tea(), posted(aMessage('own', { user: ada, minute: 2 })), posted(aMessage('m1', { minute: 1 })))
    assert.deepEqual([ids(state.messages), state.unreadCount], [['m1', 'own'], 0])
    assert.equal(after(state, posted(aMessage('m3', { minute: 3 }))).unreadCount, 1)
  })

  it('does not count for a user without a read position', () => {
    assert.equal(after(tea({ read: [] }), posted(aMessage('m1'))).unreadCount, 0)
  })

  it('moves the read position of its author', () => {
    assert.equal(after(tea(), posted(aMessage('m1'))).read.bo?.last_read_message_id, 'm1')
    assert.equal(after(tea(), posted(aMessage('m1', { user: cy }))).read.cy, undefined, 'who is no member has none')
  })

  it('[READ-28] moves no position of a user who hides how far they read', () => {
    const hidden = tea({ read: [{ user: ada, last_read: '2026-01-05T08:00:00Z', unread_messages: 0 }] })
    const state = after(hidden, posted(aMessage('m1')))
    assert.deepEqual([ids(state.messages), Object.keys(state.read)], [['m1'], ['ada']])
  })

  it('of a reply is added only to its thread, if that is loaded', () => {
    const reply = aMessage('r1', { parent_id: 'm1', type: 'reply' })
    const loaded = withReplies(tea({ messages: messages(1, 1) }), 'm1', [])
    assert.deepEqual(ids(after(loaded, posted(reply)).replies.m1 ?? []), ['r1'])
    assert.deepEqual(ids(after(loaded, posted(reply)).messages), ['m1'])
    assert.deepEqual(after(tea({ messages: messages(1, 1) }), posted(reply)).replies, {})
    const both = after(loaded, posted({ ...reply, show_in_channel: true, created_at: '2026-01-05T08:09:00Z' }))
    assert.deepEqual([ids(both.messages), ids(both.replies.m1 ?? [])], [['m1', 'r1'], ['r1']])
  })

  it('is added only to the newest set while an older one is shown', () => {
    const old = {
      messages: messages(1, 3).map(localMessage),
      current: true,
      latest: false,
      hasOlder: true,
      hasNewer: true,
    }
    const newest = { ...old, messages: messages(10, 12).map(localMessage), current: false, latest: true }
    const state = withSets(tea(), [old, newest])
    const next = after(state, posted(aMessage('m13', { minute: 13 })))
    assert.equal(next.messages, state.messages, 'what is shown keeps its identity')
    assert.deepEqual(ids(next.sets.find((set) => set.latest)?.messages ?? []), ['m10', 'm11', 'm12', 'm13'])
  })

  it('moves last_message_at, but not for a thread-only or an invisible one', () => {
    const at = (message: Message) => after(tea(), posted(message)).last_message_at?.toISOString()
    assert.equal(at(aMessage('m1', { minute: 7 })), '2026-01-05T08:07:00.000Z')
    assert.equal(at(aMessage('r1', { parent_id: 'm1' })), undefined)
    assert.equal(at(aMessage('s1', { shadowed: true })), undefined)
    const quiet = tea({}, { config: { skip_last_msg_update_for_system_msgs: true } })
    assert.equal(after(quiet, posted(aMessage('s2', { type: 'system' }))).last_message_at, undefined)
    assert.equal(at(aMessage('e1', { type: 'ephemeral' })), undefined)
    const later = after(tea(), posted(aMessage('m7', { minute: 7 })))
    assert.equal(after(later, posted(aMessage('m6', { minute: 6 }))).last_message_at, later.last_message_at)
  })

  it('skips a shadowed message of another user', () => {
    assert.deepEqual(after(tea(), posted(aMessage('m1', { shadowed: true }))).messages, [])
    assert.deepEqual(ids(after(tea(), posted(aMessage('m1', { shadowed: true, user: ada }))).messages), ['m1'])
  })

  it('shows a hidden channel again when the message counts', () => {
    const hidden = tea({ hidden: true })
    assert.equal(after(hidden, posted(aMessage('m1'))).data.hidden, false)
    assert.equal(after(hidden, posted(aMessage('m1', { silent: true }))).data.hidden, true)
  })

  it('adds a pinned message to the pinned ones', () => {
    const pinned = aMessage('m1', { pinned: true, pinned_at: '2026-01-05T08:10:00Z' })
    assert.deepEqual(ids(after(tea(), posted(pinned)).pinned_messages), ['m1'])
  })

  it('never throws in a channel that was not loaded, and counts nothing in it', () => {
    const state = after(newChannelState(), posted(aMessage('m1')), anEvent('typing.start', { user: bo }))
    assert.deepEqual(ids(state.messages), ['m1'])
    assert.equal(state.unreadCount, 0)
  })
})

describe('a changed message', () => {
  const loaded = () => tea({ messages: messages(1, 3) })
  const changed = (fields: Partial<Message> = {}) =>
    anEvent('message.updated', {
      message: aMessage('m2', { minute: 2, updated_at: '2026-01-05T08:40:00Z', ...fields }),
    })

  it('[MSG-27] message.updated replaces the message and leaves the others unchanged', () => {
    const before = loaded()
    const state = after(before, changed({ text: 'new words' }))
    assert.equal(find(state, 'm2')?.text, 'new words')
    assert.equal(find(state, 'm1'), find(before, 'm1'))
    assert.notEqual(state.messages, before.messages)
  })

  it('[MSG-22] has the time at which its text last changed', () => {
    const at = '2026-01-05T08:40:00Z'
    assert.equal(find(after(loaded(), changed({ message_text_updated_at: at })), 'm2')?.message_text_updated_at, at)
  })

  it('is not inserted if it is not loaded', () => {
    const before = loaded()
    assert.equal(after(before, anEvent('message.updated', { message: aMessage('m9') })), before)
  })

  it('[MSG-34] keeps the own reactions, which the event does not have', () => {
    const [first, second] = messages(1, 2) as [Message, Message]
    const mine = [aReaction('m2', ada, 'love')]
    const state = tea({ messages: [first, { ...second, own_reactions: mine }] })
    assert.deepEqual(find(after(state, changed()), 'm2')?.own_reactions, mine)
    const theirs = changed({ own_reactions: [aReaction('m2', bo, 'sad')] })
    assert.deepEqual(find(after(state, theirs), 'm2')?.own_reactions, mine)
  })

  it('that is older than the known version changes nothing', () => {
    const state = after(
      loaded(),
      changed({ text: 'newest' }),
      changed({ text: 'older', updated_at: '2026-01-05T08:39:00Z' }),
    )
    assert.equal(find(state, 'm2')?.text, 'newest')
  })

  it('[MSG-31] is updated where it is quoted', () => {
    const [first, second] = messages(1, 2) as [Message, Message]
    const quoting = { ...first, quoted_message_id: 'm2', quoted_message: second }
    const state = after(tea({ messages: [quoting, second] }), changed({ text: 'new words' }))
    assert.equal(find(state, 'm1')?.quoted_message?.text, 'new words')
    assert.equal(find(state, 'm1')?.quoted_message?.created_at, second.created_at)
  })

  it('is added to the pinned messages and removed from them', () => {
    const pinned = after(loaded(), changed({ pinned: true, pinned_at: '2026-01-05T08:40:00Z' }))
    assert.deepEqual(ids(pinned.pinned_messages), ['m2'])
    const unpinned = after(pinned, changed({ pinned: false, updated_at: '2026-01-05T08:41:00Z' }))
    assert.deepEqual(unpinned.pinned_messages, [])
  })

  it('is changed in its thread as well', () => {
    const reply = aMessage('r1', { parent_id: 'm1', minute: 4 })
    const state = withReplies(loaded(), 'm1', [reply])
    const next = after(state, anEvent('message.updated', { message: { ...reply, text: 'new words' } }))
    assert.equal(next.replies.m1?.[0]?.text, 'new words')
  })
})

describe('a deleted message', () => {
  const gone = (id: string, minute: number, hard = false) =>
    anEvent('message.deleted', {
      message: aMessage(id, { minute, type: 'deleted', text: '', deleted_at: '2026-01-05T08:50:00Z' }),
      hard_delete: hard,
    })

  it('[MSG-30] [MSG-23] stays, marked deleted', () => {
    const state = after(tea({ messages: messages(1, 2) }), gone('m1', 1))
    assert.deepEqual(ids(state.messages), ['m1', 'm2'])
    assert.equal(find(state, 'm1')?.type, 'deleted')
    assert.ok(find(state, 'm1')?.deleted_at instanceof Date)
  })

  it('[MSG-29] [MSG-24] is removed with its thread when it was deleted for good', () => {
    const state = withReplies(tea({ messages: messages(1, 2) }), 'm1', [aMessage('r1')])
    const next = after(state, gone('m1', 1, true))
    assert.deepEqual(ids(next.messages), ['m2'])
    assert.deepEqual(next.replies, {})
  })

  it('leaves the pinned messages either way', () => {
    const pinned = aMessage('m1', { minute: 1, pinned: true, pinned_at: '2026-01-05T08:10:00Z' })
    const state = tea({ messages: [pinned], pinned_messages: [pinned] })
    for (const hard of [false, true]) assert.deepEqual(after(state, gone('m1', 1, hard)).pinned_messages, [])
  })

  it('is shown as deleted where it is quoted, and not at all when it was deleted for good', () => {
    const [first, second] = messages(1, 2) as [Message, Message]
    const state = tea({ messages: [first, { ...second, quoted_message_id: 'm1', quoted_message: first }] })
    assert.equal(find(after(state, gone('m1', 1)), 'm2')?.quoted_message?.type, 'deleted')
    assert.equal(find(after(state, gone('m1', 1, true)), 'm2')?.quoted_message, null)
  })

  it('is no longer counted as unread, soft or hard; the count is never below 0', () => {
    for (const hard of [false, true]) {
      const state = after(tea(), posted(aMessage('m1', { minute: 1 })), posted(aMessage('m2', { minute: 2 })))
      const next = after(state, gone('m1', 1, hard))
      assert.equal(next.unreadCount, 1)
      assert.equal(next.read.ada?.unread_messages, 1)
      const rest = after(next, gone('m1', 1, hard), gone('m2', 2, hard), gone('m2', 2, hard))
      assert.equal(rest.unreadCount, 0)
    }
    const read = after(tea(), posted(aMessage('m1', { minute: 1 })), anEvent('message.read', { user: ada }))
    assert.equal(
      after(read, posted(aMessage('m99', { minute: 59, created_at: '2026-01-05T08:59:30Z' })), gone('m1', 1))
        .unreadCount,
      1,
    )
  })

  it('[MSG-28] [MSG-25] returns with message.undeleted, and counts again', () => {
    const state = after(tea(), posted(aMessage('m1', { minute: 1 })), gone('m1', 1))
    const back = aMessage('m1', { minute: 1, updated_at: '2026-01-05T08:55:00Z' })
    const next = after(state, anEvent('message.undeleted', { message: back }))
    assert.equal(find(next, 'm1')?.type, 'regular')
    assert.equal(next.unreadCount, 1)
  })
})

describe('reading', () => {
  it('[READ-15] message.read moves the reader’s entry; the user’s own clears the count', () => {
    const state = after(tea(), posted(aMessage('m1')))
    const others = after(state, anEvent('message.read', { user: bo, last_read_message_id: 'm1' }))
    assert.equal(others.read.bo?.last_read_message_id, 'm1')
    assert.equal(others.unreadCount, 1)
    const own = after(state, anEvent('message.read', { user: ada, last_read_message_id: 'm1' }))
    assert.deepEqual([own.unreadCount, own.read.ada?.unread_messages], [0, 0])
    assert.equal(own.read.ada?.lastReadIso, '2026-01-05T08:59:00.000001Z')
  })

  it('keeps the delivery state', () => {
    const state = tea()
    const delivered = { ...state, read: { ...state.read, bo: { ...state.read.bo!, last_delivered_message_id: 'm1' } } }
    const next = after(delivered, anEvent('message.read', { user: bo }))
    assert.equal(next.read.bo?.last_delivered_message_id, 'm1')
  })

  it('message.delivered moves a member’s delivery state, and ignores users who are no members', () => {
    const told = { last_delivered_at: '2026-01-05T08:40:00Z', last_delivered_message_id: 'm1' }
    const state = after(tea(), anEvent('message.delivered', { user: bo, ...told }))
    assert.equal(state.read.bo?.last_delivered_message_id, 'm1')
    assert.equal(state.read.bo?.last_delivered_at?.toISOString(), '2026-01-05T08:40:00.000Z')
    assert.equal(after(state, anEvent('message.delivered', { user: cy, ...told })), state)
  })

  it('of a thread does not change the channel', () => {
    const state = after(tea(), posted(aMessage('m1')))
    assert.equal(after(state, anEvent('message.read', { user: ada, thread: { parent_message_id: 'm1' } })), state)
  })

  it('[READ-16] notification.mark_unread sets the own entry and the count', () => {
    const event = anEvent('notification.mark_unread', {
      user: ada,
      first_unread_message_id: 'm2',
      last_read_at: '2026-01-05T08:01:00.000001Z',
      last_read_message_id: 'm1',
      unread_messages: 4,
      unread_count: 99,
      total_unread_count: 99,
    })
    const state = after(tea(), event)
    assert.equal(state.unreadCount, 4)
    assert.deepEqual(state.read.ada, {
      ...tea().read.ada,
      last_read: new Date('2026-01-05T08:01:00Z'),
      lastReadIso: '2026-01-05T08:01:00.000001Z',
      last_read_message_id: 'm1',
      first_unread_message_id: 'm2',
      unread_messages: 4,
    })
    assert.equal(after(tea(), { ...event, user: bo } as typeof event).unreadCount, 0)
  })

  it('[CHN-3] starts with the unread count of the own read entry, and never with the user’s total', () => {
    const read = [{ user: ada, last_read: '2026-01-05T08:00:00Z', unread_messages: 3 }]
    assert.equal(tea({ read } as Partial<ChannelStateAnswer>).unreadCount, 3)
    assert.equal(after(tea(), posted(aMessage('m1'), { unread_count: 50, total_unread_count: 50 })).unreadCount, 1)
  })
})

describe('the channel', () => {
  it('[CHN-44] channel.updated replaces the data, and keeps the user’s own fields', () => {
    const state = tea({ hidden: true })
    const { own_capabilities: _, hidden: _hidden, ...channel } = state.data
    const next = after(state, anEvent('channel.updated', { channel: { ...channel, name: 'Coffee', image: 'x' } }))
    assert.equal(next.data.name, 'Coffee')
    assert.deepEqual(next.data.own_capabilities, ['read-events', 'send-message'])
    assert.equal(next.data.hidden, true)
    const { name: __, ...nameless } = channel
    assert.equal(after(next, anEvent('channel.updated', { channel: nameless })).data.name, undefined)
  })

  it('[CHN-41] channel.hidden hides it', () => {
    const state = after(tea({ messages: messages(1, 2) }), anEvent('channel.hidden', { clear_history: false }))
    assert.equal(state.data.hidden, true)
    assert.equal(state.messages.length, 2)
  })

  it('[CHN-42] [CHN-60] channel.hidden with clear_history also empties it', () => {
    const state = after(tea(), posted(aMessage('m1')), anEvent('channel.hidden', { clear_history: true }))
    assert.deepEqual([state.data.hidden, state.messages, state.unreadCount], [true, [], 0])
  })

  it('[CHN-43] channel.visible shows it', () => {
    assert.equal(after(tea({ hidden: true }), anEvent('channel.visible')).data.hidden, false)
  })

  it('[CHN-48] [CHN-49] capabilities.changed replaces the user’s capabilities', () => {
    const state = after(tea(), anEvent('capabilities.changed', { own_capabilities: ['read-channel'] }))
    assert.deepEqual(state.data.own_capabilities, ['read-channel'])
  })

  it('[CHN-38] [CHN-54] channel.truncated drops messages older than its time; one exactly as old stays', () => {
    const [m1, m2, m3] = messages(1, 3) as [Message, Message, Message]
    const loaded = tea({ messages: [m1, m2, m3], pinned_messages: [{ ...m1, pinned: true }] })
    const state = withReplies(loaded, 'm3', [m1])
    const channel = { ...state.data, truncated_at: m2.created_at }
    const next = after(state, anEvent('channel.truncated', { channel }))
    assert.deepEqual(ids(next.messages), ['m2', 'm3'])
    assert.deepEqual([next.pinned_messages, next.replies.m3], [[], []])
  })

  it('channel.truncated removes a thread with its parent message', () => {
    const parent = localMessage(aMessage('m1', { minute: 1 }))
    const state = withThread(tea(), 'm1', { parent, sets: emptySets })
    const channel = { ...state.data, truncated_at: '2026-01-05T08:02:00.000001Z' }
    assert.deepEqual(after(state, anEvent('channel.truncated', { channel })).threads, {})
  })

  it('[CHN-54] shows a message sent with the truncation, uncounted', () => {
    const state = after(tea(), posted(aMessage('m1')))
    const message = aMessage('s1', { type: 'system', minute: 30 })
    const next = after(state, anEvent('channel.truncated', { channel: state.data, message }))
    assert.deepEqual(ids(next.messages), ['s1'])
    assert.equal(next.unreadCount, 0)
  })

  it('updates the number of messages, if the channel counts them', () => {
    const counted = after(tea(), anEvent('message.deleted', { message: aMessage('gone'), channel_message_count: 4 }))
    assert.equal(counted.data.message_count, 4)
    assert.equal('message_count' in after(tea(), anEvent('message.deleted', { message: aMessage('gone') })).data, false)
  })

  it('[CHN-39] channel.truncated without a time drops everything', () => {
    const state = tea({ messages: messages(1, 3) })
    const next = after(state, anEvent('channel.truncated', { channel: state.data }))
    assert.deepEqual([next.messages, next.sets.length], [[], 1])
  })

  it('messages carry their author’s membership, as long as the author is a member', () => {
    const state = tea({ messages: messages(1, 2) })
    const { user } = state.messages[0]!
    const roleIn = (state: ChannelState) => state.messages[0]!.member?.channel_role
    const moderator = { ...aMember(user), channel_role: 'channel_moderator' }
    const promoted = after(state, anEvent('member.updated', { member: moderator, user }))
    assert.equal(roleIn(promoted), 'channel_moderator')
    assert.equal(roleIn(after(promoted, anEvent('member.removed', { member: moderator, user }))), undefined)
  })

  it('channel.truncated for one user hides the earlier messages, and keeps the read positions of others', () => {
    const state = tea({ messages: messages(1, 2) })
    const hide_messages_before = '2026-06-01T00:00:00Z'
    const channel = { ...state.data, truncated_at: '2026-06-01T00:00:00.000001Z', hide_messages_before }
    const next = after(state, anEvent('channel.truncated', { channel }))
    assert.deepEqual([next.messages, next.unreadCount, next.read[bo.id]], [[], 0, state.read[bo.id]])
    assert.deepEqual([next.data.truncated_at, next.data.hide_messages_before], [undefined, hide_messages_before])
    const renamed = after(next, anEvent('channel.updated', { channel: state.data }))
    assert.equal(renamed.data.hide_messages_before, hide_messages_before)
  })

  it('[CHN-40] channel.truncated sets the unread count to 0', () => {
    const state = after(tea(), posted(aMessage('m1')))
    const next = after(state, anEvent('channel.truncated', { channel: state.data }))
    assert.deepEqual([next.unreadCount, next.read.ada?.unread_messages], [0, 0])
  })

  it('[CHN-46] user.watching.start adds the watcher and takes the count', () => {
    const state = after(tea(), anEvent('user.watching.start', { user: cy, watcher_count: 12 }))
    assert.deepEqual([state.watchers, state.watcher_count], [{ cy }, 12])
  })

  it('[CHN-47] user.watching.stop removes the watcher and takes the count', () => {
    const state = after(
      tea({ watchers: [bo, cy], watcher_count: 2 }),
      anEvent('user.watching.stop', { user: cy, watcher_count: 1 }),
    )
    assert.deepEqual([state.watchers, state.watcher_count], [{ bo }, 1])
  })

  it('[CHN-1] [CHN-2] holds type, id, cid, members, watchers, read and the other fields of a query’s answer', () => {
    const pinned = aMessage('m1', { pinned: true })
    const fields = { frozen: true, cooldown: 7, truncated_at: '2026-01-01T00:00:00Z' }
    const state = tea({ watchers: [bo], watcher_count: 1, pinned_messages: [pinned], hidden: true }, fields)
    const { type, id, cid, frozen, cooldown, truncated_at, hidden } = state.data
    assert.deepEqual([type, id, cid], ['messaging', 'tea', 'messaging:tea'])
    assert.deepEqual([frozen, cooldown, truncated_at, hidden], [true, 7, '2026-01-01T00:00:00Z', true])
    assert.deepEqual(
      [Object.keys(state.members), Object.keys(state.read)],
      [
        ['ada', 'bo'],
        ['ada', 'bo'],
      ],
    )
    assert.deepEqual([state.watchers, ids(state.pinned_messages)], [{ bo }, ['m1']])
    assert.deepEqual(state.data.own_capabilities, ['read-events', 'send-message'])
  })
})

describe('members', () => {
  it('[MEM-21] member.added adds the member', () => {
    const state = after(tea(), anEvent('member.added', { member: aMember(cy), user: cy }))
    assert.deepEqual(Object.keys(state.members), ['ada', 'bo', 'cy'])
    assert.equal(state.data.member_count, 3)
    assert.deepEqual([state.read.cy?.lastReadIso, state.read.cy?.unread_messages], [aMember(cy).created_at, 0])
    const counted = after(tea(), anEvent('member.added', { member: aMember(cy), user: cy, channel_member_count: 9 }))
    assert.equal(counted.data.member_count, 9)
  })

  it('[MEM-22] member.updated replaces the member, and the own membership', () => {
    const pinned = aMember(ada, { pinned: true })
    const state = after(tea(), anEvent('member.updated', { member: pinned, user: ada }))
    assert.deepEqual([state.members.ada, state.membership], [pinned, pinned])
    const others = after(tea(), anEvent('member.updated', { member: aMember(bo, { banned: true }), user: bo }))
    assert.equal(others.membership?.user_id, 'ada')
  })

  it('[MEM-23] member.removed removes the member and keeps the read entry', () => {
    const state = after(tea(), anEvent('member.removed', { member: aMember(bo), user: bo }))
    assert.deepEqual([Object.keys(state.members), state.data.member_count], [['ada'], 1])
    assert.ok(state.read.bo)
    assert.equal(after(tea(), anEvent('member.removed', { member: aMember(ada), user: ada })).membership, undefined)
  })

  it('[MEM-24] user.banned marks the member as banned, or as shadow banned', () => {
    const banned = after(tea(), anEvent('user.banned', { user: bo, shadow: false, expiration: '2027-01-01T00:00:00Z' }))
    assert.deepEqual([banned.members.bo?.banned, banned.members.bo?.shadow_banned], [true, false])
    assert.equal(banned.members.bo?.ban_expires, '2027-01-01T00:00:00Z')
    const shadowed = after(tea(), anEvent('user.banned', { user: bo, shadow: true }))
    assert.deepEqual([shadowed.members.bo?.banned, shadowed.members.bo?.shadow_banned], [false, true])
  })

  it('[MEM-25] user.unbanned removes both marks', () => {
    for (const shadow of [true, false]) {
      const state = after(
        tea(),
        anEvent('user.banned', { user: bo, shadow }),
        anEvent('user.unbanned', { user: bo, shadow }),
      )
      assert.deepEqual([state.members.bo?.banned, state.members.bo?.shadow_banned], [false, false])
    }
  })

  it('[MEM-1] keeps the wire’s fields of a member', () => {
    const { user_id, user, banned, shadow_banned, archived, pinned } = tea().members.bo!
    assert.deepEqual([user_id, user, banned, shadow_banned, archived, pinned], ['bo', bo, false, false, false, false])
  })
})

describe('users', () => {
  const everywhere = () =>
    tea(
      {
        messages: [
          aMessage('m1', { mentioned_users: [bo, cy] }),
          aMessage('m2', { minute: 2, user: cy, latest_reactions: [aReaction('m2', bo, 'love')] }),
        ],
        pinned_messages: [aMessage('m1', { pinned: true })],
        watchers: [bo],
      },
      { created_by: bo },
    )

  it('[USR-18] a changed user is changed everywhere in the channel', () => {
    const bob = aUser('bo', { name: 'Robert', online: false })
    for (const type of ['user.updated', 'user.presence.changed']) {
      const state = after(everywhere(), anEvent(type, { user: bob, cid: undefined }))
      const names = [
        state.members.bo?.user.name,
        state.watchers.bo?.name,
        state.read.bo?.user.name,
        state.messages[0]?.user.name,
        state.messages[0]?.mentioned_users[0]?.name,
        state.pinned_messages[0]?.user.name,
        state.messages[1]?.latest_reactions[0]?.user?.name,
        state.data.created_by?.name,
      ]
      assert.deepEqual(new Set(names), new Set(['Robert']))
      assert.equal(state.members.bo?.user.online, false)
      assert.equal(state.messages[0]?.user, state.members.bo?.user, 'made once')
    }
  })

  it('[USR-18] also in quotes, thread participants, pins and votes', () => {
    const poll = aPoll('p1', {
      latest_votes_by_option: { pho: [aVote('v1', bo)] },
      latest_answers: [aVote('v2', bo, { is_answer: true })],
    })
    const quoted_message = { ...aMessage('m1'), poll } as QuotedMessage
    const before = tea({
      messages: [aMessage('m2', { user: cy, pinned_by: bo, thread_participants: [bo], quoted_message })],
    })
    const state = after(before, anEvent('user.updated', { user: aUser('bo', { name: 'Robert' }), cid: undefined }))
    assert.ok(!JSON.stringify(state).includes('"Bo"'))
    const { latest_answers } = state.messages[0]?.quoted_message?.poll ?? {}
    assert.deepEqual([latest_answers?.length, latest_answers?.[0]?.user?.name], [1, 'Robert'])
  })

  it('[USR-18] nothing else that has the user’s id, or a field of that name', () => {
    const before = tea(
      { messages: [aMessage('bo', { online: true })] },
      { id: 'bo', cid: 'messaging:bo', online: true, created_by: bo },
    )
    const state = after(before, anEvent('user.updated', { user: aUser('bo', { name: 'Robert' }), cid: undefined }))
    assert.deepEqual([state.data.cid, state.data.created_by?.name], ['messaging:bo', 'Robert'])
    assert.deepEqual([state.messages[0]?.text, state.messages[0]?.user.name], ['bo', 'Robert'])
  })

  it('[USR-18] fields that a user no longer has are removed everywhere', () => {
    const before = after(
      everywhere(),
      anEvent('user.updated', { user: aUser('bo', { image: '/bo.png', team: 'Tea' }) }),
    )
    const state = after(before, anEvent('user.deleted', { user: aUser('bo', { name: undefined }) }))
    for (const user of [state.members.bo?.user, state.watchers.bo, state.messages[0]?.user, state.read.bo?.user])
      assert.deepEqual([user?.name, user?.image, user?.team], [undefined, undefined, undefined])
  })

  it('leaves a channel without the user unchanged', () => {
    const state = everywhere()
    assert.equal(after(state, anEvent('user.updated', { user: aUser('dee') })), state)
  })

  it('[USR-16] the messages of a deleted user become type deleted', () => {
    const deleted = { user: bo, mark_messages_deleted: true, hard_delete: false }
    const state = after(everywhere(), anEvent('user.deleted', deleted))
    assert.equal(state.messages[0]?.type, 'deleted')
    assert.equal(state.messages[0]?.text, '', 'as the server shows it')
    const kept = after(everywhere(), anEvent('user.deleted', { ...deleted, mark_messages_deleted: false }))
    assert.equal(kept.messages[0]?.type, 'regular')
  })

  it('user.messages.deleted for good removes them from every loaded part, and from the unread count', () => {
    const state = tea({
      messages: messages(10, 12),
      read: [{ user: ada, last_read: '2026-01-05T08:10:30Z', unread_messages: 2 }] as ChannelStateAnswer['read'],
    })
    const old = messages(1, 2).map(localMessage)
    const elsewhere = withReplies(
      withSets(state, [
        ...state.sets.map((set) => ({ ...set, current: false })),
        { messages: old, current: true, latest: false, hasOlder: true, hasNewer: true },
      ]),
      'p1',
      [aMessage('r1', { minute: 11, parent_id: 'p1' })],
    )
    const next = after(elsewhere, anEvent('user.messages.deleted', { user: bo, hard_delete: true }))
    assert.deepEqual([next.sets.flatMap((set) => ids(set.messages)), next.replies.p1], [[], []])
    assert.equal(next.unreadCount, 0)
  })

  it('[USR-17] when a user is hard deleted, the messages also lose reactions and mentions', () => {
    const message = aMessage('m1', {
      mentioned_users: [cy],
      own_reactions: [aReaction('m1', ada, 'love')],
      latest_reactions: [aReaction('m1', ada, 'love')],
      reaction_groups: { love: { count: 1, sum_scores: 1, first_reaction_at: '', last_reaction_at: '' } },
    })
    for (const mark_messages_deleted of [true, false]) {
      const event = anEvent('user.deleted', { user: bo, mark_messages_deleted, hard_delete: true })
      const [left] = after(tea({ messages: [message] }), event).messages
      assert.deepEqual([left?.mentioned_users, left?.own_reactions, left?.latest_reactions], [[], [], []])
      assert.deepEqual([left?.type, left?.reaction_groups, left?.text, left?.attachments], ['deleted', null, '', []])
    }
  })

  it('names like constructor are ordinary names', () => {
    const odd = aUser('constructor')
    const state = after(
      tea(),
      anEvent('user.watching.stop', { user: odd, watcher_count: 0 }),
      anEvent('user.updated', { user: odd }),
      posted(aMessage('m1', { user: odd, parent_id: 'constructor' })),
      anEvent('member.added', { member: aMember(odd), user: odd }),
    )
    assert.equal(state.data.member_count, 3)
  })
})

describe('reactions', () => {
  const group = { count: 1, sum_scores: 1, first_reaction_at: '', last_reaction_at: '' }
  const loaded = (own: string[] = []) =>
    tea({ messages: [aMessage('m1', { own_reactions: own.map((type) => aReaction('m1', ada, type)) })] })
  const event = (type: string, reaction: ReturnType<typeof aReaction>) =>
    anEvent(type, {
      reaction,
      message: aMessage('m1', {
        reaction_groups: { [reaction.type]: group },
        latest_reactions: [reaction],
        own_reactions: [],
      }),
    })
  const owns = (state: ChannelState) => state.messages[0]?.own_reactions.map(({ type }) => type)

  it('[RXN-9] reaction.new adds the reaction, the user’s own to the own reactions, too', () => {
    const state = after(loaded(['wow']), event('reaction.new', aReaction('m1', ada, 'love')))
    assert.deepEqual(state.messages[0]?.reaction_groups, { love: group })
    assert.deepEqual(owns(state), ['love', 'wow'], 'newest first')
    assert.deepEqual(owns(after(loaded(['wow']), event('reaction.new', aReaction('m1', bo, 'love')))), ['wow'])
  })

  it('[RXN-10] reaction.updated replaces the user’s reactions by this one', () => {
    assert.deepEqual(owns(after(loaded(['wow', 'sad']), event('reaction.updated', aReaction('m1', ada, 'love')))), [
      'love',
    ])
    assert.deepEqual(owns(after(loaded(['wow']), event('reaction.updated', aReaction('m1', bo, 'love')))), ['wow'])
  })

  it('[RXN-11] reaction.deleted removes the user’s reaction of that type', () => {
    assert.deepEqual(owns(after(loaded(['wow', 'love']), event('reaction.deleted', aReaction('m1', ada, 'love')))), [
      'wow',
    ])
    assert.deepEqual(owns(after(loaded(['love']), event('reaction.deleted', aReaction('m1', bo, 'love')))), ['love'])
  })

  it('[MSG-34] own reactions inside an event are ignored', () => {
    const message = aMessage('m1', { own_reactions: [aReaction('m1', bo, 'love')] })
    const state = after(loaded(['wow']), anEvent('reaction.new', { reaction: aReaction('m1', bo, 'love'), message }))
    assert.deepEqual(owns(state), ['wow'])
  })

  it('are derived from the counts where an older answer has no groups', () => {
    const message = aMessage('m1', {
      reaction_counts: { love: 2 },
      reaction_scores: { love: 5 },
      reaction_groups: null,
    })
    const groups = tea({ messages: [message] }).messages[0]?.reaction_groups
    assert.deepEqual([groups?.love?.count, groups?.love?.sum_scores], [2, 5])
  })
})

describe('wire fields that are kept', () => {
  const parent = '2026-01-05T08:00:00.123456Z'
  const whole: Partial<Message> = {
    parent_id: 'p1',
    show_in_channel: true,
    created_at: parent,
    updated_at: '2026-01-05T08:01:00Z',
    deleted_at: '2026-01-05T08:02:00Z',
    type: 'deleted',
    pinned: true,
    pinned_at: '2026-01-05T08:03:00Z',
    pin_expires: '2027-01-05T08:03:00Z',
    quoted_message_id: 'q1',
    mentioned_users: [cy],
    own_reactions: [aReaction('m1', ada, 'love')],
    latest_reactions: [aReaction('m1', ada, 'love')],
    reaction_groups: { love: { count: 1, sum_scores: 1, first_reaction_at: parent, last_reaction_at: parent } },
    silent: true,
    shadowed: false,
    poll: aPoll('poll-1'),
    reply_count: 3,
    mood: 'good',
  }
  const message = tea({ messages: [aMessage('m1', whole)] }).messages[0]!

  it('[MSG-1] id, parent and times of a message', () => {
    const { id, parent_id, show_in_channel, created_at, createdAtIso, updated_at, deleted_at } = message
    assert.deepEqual([id, parent_id, show_in_channel, createdAtIso], ['m1', 'p1', true, parent])
    const times = [created_at, updated_at, deleted_at].map((time) => time?.toISOString())
    assert.deepEqual(times, ['2026-01-05T08:00:00.123Z', '2026-01-05T08:01:00.000Z', '2026-01-05T08:02:00.000Z'])
  })

  it('[MSG-2] its pin and its quote', () => {
    const { pinned, pinned_at, pin_expires, quoted_message_id } = message
    assert.deepEqual([pinned, pinned_at?.toISOString()], [true, '2026-01-05T08:03:00.000Z'])
    assert.deepEqual([pin_expires, quoted_message_id], ['2027-01-05T08:03:00Z', 'q1'])
  })

  it('[MSG-3] its reactions and mentions', () => {
    const { own_reactions, latest_reactions, reaction_groups, mentioned_users } = message
    assert.deepEqual(
      { own_reactions, latest_reactions, reaction_groups, mentioned_users },
      {
        own_reactions: whole.own_reactions,
        latest_reactions: whole.latest_reactions,
        reaction_groups: whole.reaction_groups,
        mentioned_users: [cy],
      },
    )
  })

  it('[MSG-6] its type, error and deleted among them', () => {
    const types = ['regular', 'error', 'deleted', 'system']
    const listed = tea({ messages: types.map((type, minute) => aMessage(type, { type, minute })) }).messages
    assert.deepEqual(
      listed.map(({ type }) => type),
      types,
    )
  })

  it('[MSG-7] its author, its poll, its replies and how it counts', () => {
    const { user, silent, shadowed, poll, reply_count, mood } = message
    assert.deepEqual([user, silent, shadowed, reply_count, mood], [bo, true, false, 3, 'good'])
    assert.deepEqual(poll, aPoll('poll-1'))
  })

  it('[READ-1] read positions', () => {
    const entry = { user: bo, last_read: parent, last_read_message_id: 'm1', unread_messages: 4 }
    assert.deepEqual(tea({ read: [entry] as never }).read.bo, {
      user: bo,
      last_read: new Date(parent),
      lastReadIso: parent,
      last_read_message_id: 'm1',
      first_unread_message_id: undefined,
      unread_messages: 4,
      last_delivered_at: undefined,
      last_delivered_message_id: undefined,
    })
  })

  it('[USR-1] all fields of a user', () => {
    const user = aUser('bo', {
      name: 'Bo',
      image: 'bo.png',
      last_active: parent,
      online: false,
      deleted_at: parent,
      revoke_tokens_issued_before: parent,
    })
    const state = tea({ members: [aMember(user)], messages: [aMessage('m1', { user })] })
    assert.deepEqual([state.members.bo?.user, state.messages[0]?.user], [user, user])
  })
})

describe('an event that does not concern the channel', () => {
  it('leaves the state as it is, by identity', () => {
    const state = tea({ messages: messages(1, 2) })
    for (const type of [
      'application.event',
      'health.check',
      'notification.message_new',
      'channel.deleted',
      'reminder.created',
    ])
      assert.equal(after(state, anEvent(type)), state)
    assert.equal(after(state, anEvent('typing.stop', { user: cy })), state)
    assert.equal(after(state, anEvent('channel.visible')), state)
    assert.equal(after(state, anEvent('user.banned', { user: cy })), state)
  })
})
