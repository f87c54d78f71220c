/** A name that is neither custom nor built in would be dropped without a word. */
import assert from 'node:assert/strict'
import { Channel, ChannelRequest, ChannelState } from '@parley/protocol/channels'
import { Member, MemberRequest } from '@parley/protocol/members'
import { Message, MessageRequest } from '@parley/protocol/messages'
import { Poll, PollRequest } from '@parley/protocol/polls'
import { Reaction } from '@parley/protocol/reactions'
import { OwnUser, User, UserRequest } from '@parley/protocol/users'
import type { TSchema } from 'typebox'
import { it } from 'vitest'
import { pollFields } from '../../features/polls/poll-wire.ts'
import { reactionFields } from '../../features/reactions/react.ts'
import { fieldsIn } from '../../testing/schema-fields.ts'
import { channelFields } from '../channels/get-or-create.ts'
import { memberFields } from '../members/change-members.ts'
import { messageFields } from '../messages/message-fields.ts'
import { userFields } from '../users/upsert-users.ts'

const tables: [what: string, fields: ReadonlySet<string>, shapes: TSchema[]][] = [
  ['users', userFields, [User, OwnUser, UserRequest]],
  ['channels', channelFields, [Channel, ChannelRequest, ChannelState]],
  ['members', memberFields, [Member, MemberRequest]],
  ['messages', messageFields, [Message, MessageRequest]],
  ['polls', pollFields, [Poll, PollRequest]],
  ['reactions', reactionFields, [Reaction]],
]

/** Names that no shape has, and why they are taken. */
const reserved: Record<string, string> = {
  'messages channel': 'answers that give one message add its channel; anything else in it is refused [MSG-45]',
  'polls cid': 'events of a poll add it',
  'polls user': 'the acting user',
  'polls user_id': 'the acting user',
  'reactions user_id': 'the acting user',
}

it('[MSG-45] every name that custom fields cannot have is a field of the object, or is reserved for a reason', () => {
  const taken = tables.flatMap(([what, fields, shapes]) => {
    const shown = shapes.flatMap((shape) => [...fieldsIn(what, shape)].filter(({ path }) => path.length === 1))
    const names = new Set(shown.map(({ path }) => path[0]!))
    return [...fields].filter((name) => !names.has(name)).map((name) => `${what} ${name}`)
  })
  assert.deepEqual(
    taken.filter((name) => !Object.hasOwn(reserved, name)),
    [],
  )
})
