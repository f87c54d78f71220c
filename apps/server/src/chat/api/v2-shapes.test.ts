/** The shapes of v2 lose nothing of v1, and nothing of v1 is lost on the way back. */
import assert from 'node:assert/strict'
import { Channel, ChannelRequest } from '@parley/protocol/channels'
import { FilterObject, Sort } from '@parley/protocol/filters'
import { Member } from '@parley/protocol/members'
import { EditMessageRequest, Message, SendMessageRequest } from '@parley/protocol/messages'
import { Poll } from '@parley/protocol/polls'
import { UpdateUsersPartialRequest, User } from '@parley/protocol/users'
import { CUSTOM, type CustomMark } from '@parley/protocol/wire'
import Type, { type TSchema } from 'typebox'
import { describe, it } from 'vitest'
import { pollFields } from '../../features/polls/poll-wire.ts'
import { endpoints } from '../../operations.ts'
import { channelFields } from '../channels/get-or-create.ts'
import { memberFields } from '../members/change-members.ts'
import { messageFields } from '../messages/message-fields.ts'
import { userFields } from '../users/upsert-users.ts'
import { exampleOf } from './examples.ts'
import { v2PathsOf } from './v2-paths.ts'
import { fromV2, toV2 } from './v2-shapes.ts'

/** What arrives, once it was written and read as JSON. */
const sent = (value: unknown) => JSON.parse(JSON.stringify(value))
/** As JSON.parse gives it: the last digits are lost, those of microseconds are not. */
const NANOS = Number('1795860000123456789')
const inV2 = (schema: TSchema, value: unknown) => sent(toV2(schema, value, { nanoseconds: false }))
const refused = (schema: TSchema, value: unknown) => {
  try {
    fromV2(schema, value)
    return undefined
  } catch (error) {
    return (error as { fields?: object }).fields
  }
}

describe('an answer of v2', () => {
  it('[HTTP-35] has custom fields nested, built-in ones in place, and names of channels in both', () => {
    const user = { id: 'ada', name: 'Ada', shop: 'Lyon', unread_count: 3, nested: { a: [1] } }
    assert.deepEqual(inV2(User, user), {
      ...{ id: 'ada', name: 'Ada', unread_count: 3 },
      custom: { shop: 'Lyon', nested: { a: [1] } },
    })
    assert.deepEqual(inV2(Channel, { id: 'tea', name: 'Tea', season: 'spring', created_by: user }), {
      ...{ id: 'tea', name: 'Tea', created_by: inV2(User, user) },
      custom: { name: 'Tea', season: 'spring' },
    })
    const message = {
      id: '1',
      text: 'hi',
      mood: 'calm',
      attachments: [{ type: 'tea', leaf: 'green' }],
      pinned_by: null,
    }
    assert.deepEqual(inV2(Message, message), {
      ...{ id: '1', text: 'hi', attachments: [{ type: 'tea', custom: { leaf: 'green' } }], pinned_by: null },
      custom: { mood: 'calm' },
    })
  })

  it('[HTTP-36] has times as integers with all their digits for whom reads nanoseconds, also in lists and maps', () => {
    const times = Type.Object({
      at: Member.properties.created_at,
      list: Type.Array(Member.properties.created_at),
      map: Type.Record(Type.String(), Type.Union([Member.properties.created_at, Type.Null()])),
      text: Type.String(),
    })
    const time = '2026-11-28T10:00:00.123457Z'
    const value = { at: time, list: [time, '1969-12-31T23:59:59.999999Z'], map: { a: time, b: null }, text: time }
    assert.equal(
      JSON.stringify(toV2(times, value, { nanoseconds: true })),
      '{"at":1795860000123457000,"list":[1795860000123457000,-1000],"map":{"a":1795860000123457000,"b":null},' +
        `"text":"${time}"}`,
    )
    assert.deepEqual(inV2(times, value), value)
  })

  it('[HTTP-35] loses nothing: every recorded answer and body reads as it was', () => {
    let count = 0
    for (const endpoint of endpoints) {
      const example = exampleOf(endpoint)
      if (!example || example.refused || v2PathsOf(endpoint.path).length === 0) continue
      for (const nanoseconds of [false, true]) {
        const values = [
          [endpoint.answer, example.answer],
          ...(endpoint.body && example.body ? [[endpoint.body, example.body]] : []),
        ] as [TSchema, unknown][]
        for (const [schema, value] of values) {
          assert.deepEqual(fromV2(schema, sent(toV2(schema, value, { nanoseconds }))), value, endpoint.name)
          count += 1
        }
      }
    }
    assert.ok(count > 300, `${count}`)
  })

  it('[HTTP-35] calls no built-in field custom, and no other one built in', () => {
    const builtIn: [TSchema, ReadonlySet<string>][] = [
      [User, userFields],
      [Channel, channelFields],
      [Member, memberFields],
      [Message, messageFields],
      [Poll, pollFields],
    ]
    for (const [schema, fields] of builtIn) {
      const { properties, [CUSTOM]: mark } = schema as unknown as { properties: object; [CUSTOM]: CustomMark }
      const known = new Set([...Object.keys(properties), ...mark.others])
      assert.deepEqual(
        [...fields].filter((name) => !known.has(name)),
        [],
      )
      assert.deepEqual(
        mark.others.filter((name) => !fields.has(name)),
        [],
      )
    }
  })
})

describe('a request of v2', () => {
  it('[HTTP-35] may nest custom fields or not', () => {
    const message = { text: 'hi', custom: { mood: 'calm', __proto__: 1 }, attachments: [{ custom: { leaf: 'green' } }] }
    assert.deepEqual(fromV2(SendMessageRequest, { message, skip_push: true }), {
      message: { text: 'hi', mood: 'calm', attachments: [{ leaf: 'green' }] },
      skip_push: true,
    })
    assert.deepEqual(fromV2(SendMessageRequest, { message: { mood: 'calm' } }), { message: { mood: 'calm' } })
    const members = ['ada', { user_id: 'bo', custom: { seat: 4 } }]
    assert.deepEqual(fromV2(ChannelRequest, { members, custom: { name: 'Tea' } }), {
      members: ['ada', { user_id: 'bo', seat: 4 }],
      name: 'Tea',
    })
    assert.deepEqual(fromV2(ChannelRequest, { created_by: { id: 'ada', custom: { shop: 'Lyon' } } }), {
      created_by: { id: 'ada', shop: 'Lyon' },
    })
  })

  it('[HTTP-35] refuses a field with two values by its name, and takes one that is there twice', () => {
    assert.deepEqual(
      Object.keys(refused(SendMessageRequest, { message: { text: 'a', custom: { text: 'b' } } }) ?? {}),
      ['message.text'],
    )
    assert.deepEqual(fromV2(ChannelRequest, { name: 'Tea', custom: { name: 'Tea' } }), { name: 'Tea' })
  })

  it('[HTTP-35] leaves for the schema to refuse what is no object', () => {
    for (const custom of ['calm', 4, [1], true]) assert.deepEqual(fromV2(ChannelRequest, { custom }), { custom })
    for (const value of [null, 'text', 4, [], [[]]]) assert.deepEqual(fromV2(ChannelRequest, value), value)
    assert.deepEqual(fromV2(ChannelRequest, { custom: null }), {})
  })

  it('[HTTP-35] patches custom fields by either name, also inside what may be sent as a whole', () => {
    const patch = {
      set: { custom: { shop: 'Lyon' }, 'custom.seat.row': 4, name: 'Ada' },
      unset: ['custom.old', 'image'],
    }
    assert.deepEqual(fromV2(UpdateUsersPartialRequest, { users: [{ id: 'ada', ...patch }] }), {
      users: [{ id: 'ada', set: { shop: 'Lyon', 'seat.row': 4, name: 'Ada' }, unset: ['old', 'image'] }],
    })
    const set = { attachments: [{ custom: { leaf: 'green' } }], pin_expires: NANOS }
    assert.deepEqual(fromV2(EditMessageRequest, { set }), {
      set: { attachments: [{ leaf: 'green' }], pin_expires: '2026-11-28T10:00:00.123457Z' },
    })
    assert.deepEqual(Object.keys(refused(EditMessageRequest, { unset: ['custom'] }) ?? {}), ['unset'])
  })

  it('[HTTP-35] [HTTP-36] filters and sorts by either name, and compares times of either form', () => {
    const filter = {
      $or: [{ 'custom.shop': { $in: ['Lyon'] } }, { created_at: { $gt: NANOS }, count: 1_795_860_000 }],
    }
    assert.deepEqual(fromV2(FilterObject, filter), {
      $or: [{ shop: { $in: ['Lyon'] } }, { created_at: { $gt: '2026-11-28T10:00:00.123457Z' }, count: 1_795_860_000 }],
    })
    assert.deepEqual(fromV2(Sort, [{ field: 'custom.shop', direction: 1 }, { 'custom.seat': -1 }]), [
      { field: 'shop', direction: 1 },
      { seat: -1 },
    ])
  })

  it('[HTTP-36] has times as integers or as texts; what means no time stays, to be refused', () => {
    const { pin_expires } = SendMessageRequest.properties.message.properties
    const schema = Type.Object({ pin_expires })
    const iso = '2026-11-28T10:00:00.123457Z'
    for (const time of [NANOS, '1795860000123456789', iso])
      assert.deepEqual(fromV2(schema, { pin_expires: time }), { pin_expires: iso })
    assert.deepEqual(fromV2(schema, { pin_expires: 0 }), { pin_expires: '0001-01-01T00:00:00Z' })
    for (const time of [-5, 1_795_860_000, 1_795_860_000_123, 1e300, Number.NaN, 'soon', true, null])
      assert.deepEqual(fromV2(schema, { pin_expires: time }), { pin_expires: time })
  })
})
