import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { localMessage } from '../messages/local-message.ts'
import type { ChannelStateAnswer } from '../shapes.ts'
import { aChannel, ada, aMember, aMessage, anEvent, aReaction, aUser, bo, cy, posted } from '../testing/wire.ts'
import { withAnswer } from './channel-answer.ts'
import { channelState } from './channel-events.ts'
import { type ChannelState, newChannelState, type StateContext } from './channel-state.ts'
import { withThread } from './state-changes.ts'

const adas: StateContext = { me: 'ada', reader: 'ada', mutedUserIDs: new Set(), channelIsMuted: false }

/** The channel as Ada sees it: she and Bo have each sent a message, and Cy watches. */
function tea(answer: Partial<ChannelStateAnswer> = {}): ChannelState {
  const messages = [
    aMessage('bos', { mentioned_users: [cy], pinned: true, pinned_at: '2026-01-05T08:10:00Z' }),
    aMessage('adas', {
      user: ada,
      minute: 1,
      pinned: true,
      pinned_at: '2026-01-05T08:11:00Z',
      mentioned_users: [cy],
      own_reactions: [aReaction('adas', ada, 'love')],
    }),
  ]
  const given = { messages, pinned_messages: messages, watchers: [cy], watcher_count: 1, ...answer }
  return withAnswer(newChannelState(), aChannel({}, given), { limit: 25, state: true, events: [] }, adas)
}

const after = (state: ChannelState, ...events: Parameters<typeof channelState>[1][]) =>
  events.reduce((before, event) => channelState(before, event, adas), state)
const find = (state: ChannelState, id: string) => state.messages.find((message) => message.id === id)
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('an event about one user leaves the others unchanged', () => {
  it('[USR-16] [USR-17] when a user is deleted', () => {
    for (const hard_delete of [false, true]) {
      const before = tea()
      const state = after(before, anEvent('user.deleted', { user: bo, mark_messages_deleted: true, hard_delete }))
      assert.equal(find(state, 'bos')?.type, 'deleted')
      assert.equal(find(state, 'adas'), find(before, 'adas'))
      assert.deepEqual(ids(state.pinned_messages), ['adas'])
    }
  })

  it('[USR-18] when a user changes', () => {
    const before = tea()
    const state = after(before, anEvent('user.updated', { user: aUser('bo', { name: 'Robert' }), cid: undefined }))
    assert.deepEqual(Object.keys(state.members), ['ada', 'bo'])
    assert.equal(state.members.ada, before.members.ada)
    assert.equal(state.members.bo?.user_id, 'bo')
    assert.equal(state.membership, before.membership)
    assert.deepEqual(state.watchers, before.watchers)
    assert.equal(find(state, 'adas'), find(before, 'adas'))
    const own = after(before, anEvent('user.updated', { user: aUser('ada', { name: 'Ada L.' }), cid: undefined }))
    assert.deepEqual([own.membership?.user.name, own.membership?.user_id], ['Ada L.', 'ada'])
  })

  it('[MEM-23] when a member is removed', () => {
    const before = tea()
    const state = after(before, anEvent('member.removed', { member: aMember(bo), user: bo }))
    assert.equal(state.membership, before.membership)
    assert.equal(state.members.ada, before.members.ada)
  })

  it('[MEM-24] [MEM-25] when a user is banned and unbanned', () => {
    const before = tea()
    const banned = after(before, anEvent('user.banned', { user: bo, shadow: false }))
    assert.deepEqual(Object.keys(banned.members), ['ada', 'bo'])
    assert.deepEqual([banned.members.ada, banned.membership], [before.members.ada, before.membership])
    const back = after(banned, anEvent('user.unbanned', { user: bo, shadow: false }))
    assert.deepEqual([back.members.ada, back.membership], [before.members.ada, before.membership])
    const own = after(before, anEvent('user.banned', { user: ada, shadow: false }))
    assert.deepEqual([own.membership?.banned, own.members.ada?.banned], [true, true])
  })

  it('[CHN-46] [CHN-47] when a user starts and stops watching', () => {
    const came = after(tea(), anEvent('user.watching.start', { user: bo, watcher_count: 2 }))
    assert.deepEqual(Object.keys(came.watchers).sort(), ['bo', 'cy'])
    const left = after(came, anEvent('user.watching.stop', { user: bo, watcher_count: 1 }))
    assert.deepEqual([Object.keys(left.watchers), left.watcher_count], [['cy'], 1])
  })
})

describe('reading a thread', () => {
  it('[READ-15] [READ-16] leaves the channel’s unread count unchanged', () => {
    const state = after(tea(), posted(aMessage('m1', { minute: 5 })), posted(aMessage('m2', { minute: 6 })))
    assert.equal(state.unreadCount, 2)
    for (const event of [
      anEvent('message.read', { user: ada, thread: { parent_message_id: 'bos' } }),
      anEvent('notification.mark_unread', { user: ada, thread_id: 'bos', unread_messages: 7 }),
    ]) {
      const next = after(state, event)
      assert.deepEqual([next.unreadCount, next.read.ada], [2, state.read.ada])
    }
  })
})

describe('channel.truncated', () => {
  it('[CHN-39] without a time removes the threads and the pins, too', () => {
    const reply = localMessage(aMessage('r1', { parent_id: 'bos', minute: 2 }))
    const set = { messages: [reply], current: true, latest: true, hasOlder: false, hasNewer: false }
    const state = withThread(tea(), 'bos', { parent: undefined, sets: [set] })
    assert.deepEqual(ids(state.replies.bos ?? []), ['r1'])
    const next = after(state, anEvent('channel.truncated', { channel: aChannel().channel }))
    assert.deepEqual([next.messages, next.replies, next.pinned_messages], [[], {}, []])
  })
})
