import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Message } from '../shapes.ts'
import { ada, aMessage, bo } from '../testing/wire.ts'
import { countsAsUnread, type UnreadContext } from './unread.ts'

const adas: UnreadContext = {
  reader: 'ada',
  mutedUserIDs: new Set(),
  channelIsMuted: false,
  capabilities: ['read-events'],
}
const counts = (message: Partial<Message>, context: Partial<UnreadContext> = {}) =>
  countsAsUnread(aMessage('m1', message), { ...adas, ...context })

describe('a message counts as unread', () => {
  it('[READ-14] if no other rule applies', () => {
    assert.equal(counts({}), true)
    assert.equal(counts({ type: 'system' }), true)
    assert.equal(counts({ user: bo, mentioned_users: [ada] }), true)
  })

  it('[READ-7] not when it is shadowed', () => assert.equal(counts({ shadowed: true }), false))
  it('[READ-8] not when it is silent', () => assert.equal(counts({ silent: true }), false))

  it('[READ-9] not as a thread reply, unless it is shown in the channel', () => {
    assert.equal(counts({ parent_id: 'p1' }), false)
    assert.equal(counts({ parent_id: 'p1', show_in_channel: true }), true)
  })

  it('[READ-10] not when the user sent it', () => assert.equal(counts({ user: ada }), false))

  it('[READ-11] not when its author is muted', () => {
    assert.equal(counts({}, { mutedUserIDs: new Set(['bo']) }), false)
    assert.equal(counts({}, { mutedUserIDs: new Set(['cy']) }), true)
  })

  it('[READ-12] not in a muted channel', () => assert.equal(counts({}, { channelIsMuted: true }), false))

  it('[READ-13] not without the read-events capability, nor before the channel is loaded', () => {
    assert.equal(counts({}, { capabilities: ['send-message'] }), false)
    assert.equal(counts({}, { capabilities: undefined }), false)
  })

  it('not as an ephemeral or an error message', () => {
    for (const type of ['ephemeral', 'error']) assert.equal(counts({ type }), false)
  })

  it('not for a client without a read state', () => assert.equal(counts({}, { reader: undefined }), false))
})
