import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { distinctNames } from '../../chat/channels/get-or-create.ts'
import type { ChannelRow, MessageRow, ReactionRow, UserRow } from '../../platform/database/tables.ts'
import {
  channelLine,
  deviceLine,
  FOR_EVER,
  type MessageChoice,
  memberLine,
  messageData,
  nameOf,
  reactionLine,
  userLine,
} from './export-lines.ts'
import type { ExportedMember } from './export-store.ts'

const read = (line: string) => {
  assert.ok(line.endsWith('}\n'))
  return JSON.parse(line)
}
/** Seconds since 1970, as rows and as lines have them. */
const at = (seconds: number) => seconds * 1_000_000
const iso = (seconds: number) => `1970-01-01T00:00:0${seconds}Z`
const room = { type: 'messaging', id: 'tea' }
const pair = { ...room, memberIds: ['ada', 'bo'] }

describe('a line of a user', () => {
  const plain = {
    ...{ id: 'ada', role: 'user', name: null, image: null, data: '{}', created_at: at(1), deleted_at: null },
    ...{
      deactivated_at: null,
      invisible: 0,
      language: '',
      teams_json: null,
      teams_role_json: null,
      privacy_json: null,
    },
  } as unknown as UserRow

  it('omits empty fields', () => {
    const data = { id: 'ada', role: 'user', created_at: iso(1) }
    assert.deepEqual(read(userLine(plain, {})), { type: 'user', data })
  })

  it('has all fields, except custom fields that would have another meaning', () => {
    const row: UserRow = {
      ...plain,
      ...{ name: 'Ada', image: 'a.png', data: '{"mood":"sunny","blocked_user_ids":["x"]}', deleted_at: at(2) },
      ...{
        deactivated_at: at(3),
        invisible: 1,
        language: 'fr',
        teams_json: '["red"]',
        teams_role_json: '{"red":"admin"}',
      },
      privacy_json: '{"read_receipts":{"enabled":false}}',
    }
    const around = { user_mutes: ['bo'], channel_mutes: ['messaging:tea'] }
    assert.deepEqual(read(userLine(row, around)).data, {
      ...{
        mood: 'sunny',
        id: 'ada',
        role: 'user',
        name: 'Ada',
        image: 'a.png',
        created_at: iso(1),
        deleted_at: iso(2),
      },
      ...{ deactivated_at: iso(3), invisible: true, language: 'fr', teams: ['red'], teams_role: { red: 'admin' } },
      ...{ privacy_settings: { read_receipts: { enabled: false } }, ...around },
    })
  })
})

it('a device without a provider name is left out', () => {
  const device = { id: 'phone', user_id: 'ada', push_provider: 'apn', push_provider_name: 'main', created_at: iso(1) }
  assert.deepEqual(read(deviceLine(device)), {
    type: 'device',
    data: {
      ...{ id: 'phone', user_id: 'ada', push_provider_type: 'apn', push_provider_name: 'main', created_at: iso(1) },
    },
  })
  assert.equal(deviceLine({ ...device, push_provider_name: null }), '')
})

describe('a line of a channel', () => {
  const plain = {
    ...{ ...room, created_by: 'ada', name: null, image: null, data: '{}', frozen: 0, disabled: 0, team: null },
    ...{ truncated_at: null, created_at: at(1), distinct_members: null },
  } as unknown as ChannelRow

  it('has its fields', () => {
    const data = { ...room, created_by: 'ada', created_at: iso(1) }
    assert.deepEqual(read(channelLine(plain, room, [])), { type: 'channel', data })
    const row: ChannelRow = {
      ...{ ...plain, name: 'Tea', image: 't.png', data: '{"season":"spring","members":["x"]}', frozen: 1, disabled: 1 },
      ...{ team: 'red', truncated_at: at(2) },
    }
    const { members: _, ...said } = read(channelLine(row, pair, ['cy'])).data
    assert.deepEqual(said, {
      ...{
        season: 'spring',
        type: 'messaging',
        member_ids: ['ada', 'bo'],
        created_by: 'ada',
        name: 'Tea',
        image: 't.png',
      },
      ...{ frozen: true, disabled: true, team: 'red', truncated_at: iso(2), banned_users: ['cy'], created_at: iso(1) },
    })
  })

  it('names it by its members if it was made from exactly these and they are still its members', () => {
    const { id } = distinctNames('messaging', ['ada', 'bo'])
    const distinct = { ...plain, id, distinct_members: 'ada,bo' } as unknown as ChannelRow
    assert.deepEqual(nameOf(distinct, ['ada', 'bo']), { type: 'messaging', id, memberIds: ['ada', 'bo'] })
    assert.deepEqual(nameOf(distinct, ['ada', 'bo', 'cy']), { type: 'messaging', id })
    assert.deepEqual(nameOf({ ...distinct, distinct_members: null }, ['ada', 'bo']), { type: 'messaging', id })
  })
})

it('a line of a member has their status', () => {
  const plain = {
    ...{ user_id: 'ada', channel_role: 'channel_member', data: '{}', created_at: at(1), last_read: null, hidden: 0 },
    ...{ blocked: 0, hide_before: null, status: 'member', invite_accepted_at: null, invite_rejected_at: null },
    archived_at: null,
  } as unknown as ExportedMember
  const data = { channel_type: 'messaging', user_id: 'ada', created_at: iso(1) }
  assert.deepEqual(read(memberLine(plain, room)), { type: 'member', data: { ...data, channel_id: 'tea' } })
  const row = {
    ...{ ...plain, channel_role: 'channel_moderator', data: '{"seat":3,"invited":false}', last_read: at(2), hidden: 1 },
    ...{
      hide_before: at(3),
      status: 'rejected',
      invite_accepted_at: at(4),
      invite_rejected_at: at(5),
      archived_at: at(6),
    },
  } as unknown as ExportedMember
  const said = read(memberLine(row, pair)).data
  assert.deepEqual(said, {
    ...{ seat: 3, ...data, channel_member_ids: ['ada', 'bo'], channel_role: 'channel_moderator', last_read: iso(2) },
    ...{ hide_channel: true, hide_messages_before: iso(3), invited: true, invited_accepted_at: iso(4) },
    ...{ invited_rejected_at: iso(5), archived_at: iso(6) },
  })
  // A block also hides the channel, and is not exported as a hidden channel.
  assert.equal('hide_channel' in read(memberLine({ ...row, blocked: 1 }, room)).data, false)
  assert.equal('hide_channel' in read(memberLine({ ...plain, blocked: 1 }, room)).data, false)
})

describe('a line of a message', () => {
  const plain = {
    ...{ id: 'one', type: 'regular', user_id: 'ada', text: 'Tea?', data: '{}', created_at: at(1), deleted_at: null },
    ...{ parent_id: null, show_in_channel: 0, silent: 0, shadowed: 0, pinned_at: null, pinned_by: null },
    ...{ pin_expires: null, restricted_json: null, extras_json: null, attachments_json: null, mentions_json: null },
    quoted_message_id: null,
  } as unknown as MessageRow
  const choice: MessageChoice = { clearDeleted: false, isKnown: (id) => id !== 'gone', hasQuoted: false }
  const data = {
    ...{ id: 'one', type: 'regular', user: 'ada', text: 'Tea?', channel_type: 'messaging', channel_id: 'tea' },
    created_at: iso(1),
  }
  const full: MessageRow = {
    ...{
      ...plain,
      data: '{"mood":"sunny","silent":true}',
      parent_id: 'zero',
      show_in_channel: 1,
      silent: 1,
      shadowed: 1,
    },
    ...{ pinned_at: at(2), pinned_by: 'bo', pin_expires: at(3), restricted_json: '["bo","gone"]' },
    ...{
      extras_json: '{"html":"<p>Tea?</p>"}',
      attachments_json: '[{"type":"image"}]',
      mentions_json: '["bo","gone"]',
    },
    quoted_message_id: 'other',
  }

  it('has its fields, and names no deleted users', () => {
    assert.deepEqual(messageData(plain, room, choice), data)
    assert.deepEqual(messageData(full, room, { ...choice, hasQuoted: true }), {
      ...{ ...data, mood: 'sunny', type: 'reply', html: '<p>Tea?</p>', attachments: [{ type: 'image' }] },
      ...{ mentioned_users_ids: ['bo'], quoted_message_id: 'other', parent_id: 'zero', show_in_channel: true },
      ...{ silent: true, shadowed: true, pinned_at: iso(2), pinned_by_id: 'bo', pin_expires: iso(3) },
      restricted_visibility: ['bo'],
    })
    const nobody = messageData({ ...full, mentions_json: '["gone"]', restricted_json: '["gone"]' }, room, choice)
    assert.equal('mentioned_users_ids' in nobody || 'quoted_message_id' in nobody, false)
    assert.deepEqual(nobody.restricted_visibility, [])
  })

  it('has an endless pin where the pin has no end, and none without a pinning user', () => {
    assert.equal(messageData({ ...full, pin_expires: null }, room, choice).pin_expires, FOR_EVER)
    for (const half of [{ pinned_by: null }, { pinned_at: null }])
      assert.equal('pinned_at' in messageData({ ...full, ...half }, room, choice), false)
  })

  it('has a type that lines know', () => {
    const kind = (row: Partial<MessageRow>) => messageData({ ...plain, ...row }, room, choice).type
    assert.deepEqual(
      [kind({ type: 'system' }), kind({ type: 'error' }), kind({ type: 'system', parent_id: 'zero' })],
      ['system', 'regular', 'reply'],
    )
    assert.equal(kind({ parent_id: 'zero', deleted_at: at(2) }), 'deleted')
  })

  it('has the text of a deleted message, unless it is to be cleared', () => {
    const deleted = { ...full, deleted_at: at(4) }
    assert.deepEqual(messageData(deleted, room, choice).text, 'Tea?')
    const { text, deleted_at, mood, html, attachments } = messageData(deleted, room, {
      ...choice,
      clearDeleted: true,
    }) as Record<string, unknown>
    assert.deepEqual([text, deleted_at, mood, html, attachments], ['', iso(4), undefined, undefined, undefined])
    assert.equal(messageData(full, room, { ...choice, clearDeleted: true }).text, 'Tea?')
  })

  it('has only the wanted fields, and always those that restrict its visibility', () => {
    const only = messageData(full, pair, { ...choice, only: new Set(['text']) })
    assert.deepEqual(Object.keys(only).toSorted(), [
      ...['channel_member_ids', 'channel_type', 'id', 'parent_id', 'restricted_visibility', 'shadowed', 'text', 'type'],
      'user',
    ])
  })
})

it('a line of a reaction has a score unless it is one', () => {
  const row = {
    ...{ message_id: 'one', type: 'love', user_id: 'ada', score: 1, created_at: at(1), data: '{"why":"x","score":9}' },
  } as unknown as ReactionRow
  const data = { why: 'x', message_id: 'one', type: 'love', user_id: 'ada', created_at: iso(1) }
  assert.deepEqual(read(reactionLine(row)), { type: 'reaction', data })
  assert.deepEqual(read(reactionLine({ ...row, score: 3 })).data, { ...data, score: 3 })
})
