/** The number of statements of a list or bulk change must not depend on its size, not even with cold caches. */
import assert from 'node:assert/strict'
import type { Message } from '@parley/protocol/messages'
import { beforeAll, expect, it } from 'vitest'
import { everythingIsDelivered } from './testing/everything-is-delivered.ts'
import { onEveryStorage } from './testing/fixture.ts'
import { statementsUntil } from './testing/statements.ts'
import { type AppServer, path, type TestUser } from './testing/test-user.ts'

/** Enough for every related object of a list, and a full page. */
const SOME = 12
const MANY = 25

interface Town {
  ada: TestUser
  appServer: AppServer
  others: TestUser[]
  /** Direct channels of Ada with each of the others, and their first messages. */
  pairs: string[]
  firsts: string[]
  /** The channel of all users, and a message of each there. */
  square: string
  said: Message[]
  /** A message every user has replied to, reacted to, and voted on. */
  topic: Message
  poll: string
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads responses of every shape.
type Answer = any
type Ask = (town: Town, limit: number) => Promise<Answer>

const payload = (value: object) => ({ query: { payload: JSON.stringify(value) } })

const lists: Record<string, [ask: Ask, list: (answer: Answer) => unknown[] | object]> = {
  'channels with members, messages, reads and drafts': [
    ({ ada }, limit) => {
      const filter_conditions = { members: { $in: ['ada'] }, member_count: 2 }
      return ada.does('POST', '/channels', { body: { filter_conditions, limit, state: true, message_limit: 3 } })
    },
    ({ channels }) => channels,
  ],
  'messages of a channel': [
    ({ ada, square }, limit) => ada.opensChannel(square, { messages: { limit }, members: { limit } }),
    ({ messages }) => messages,
  ],
  'members of a channel': [
    ({ ada, square }, limit) => ada.opensChannel(square, { messages: { limit: 0 }, members: { limit } }),
    ({ members }) => members,
  ],
  'messages by their ids': [
    ({ ada, square, said }, limit) => {
      const ids = said.slice(0, limit).map(({ id }) => id)
      return ada.does('GET', `${path(square)}/messages`, { query: { ids: ids.join() } })
    },
    ({ messages }) => messages,
  ],
  'replies of a message': [
    ({ ada, topic }, limit) => ada.does('GET', `/messages/${topic.id}/replies`, { query: { limit: `${limit}` } }),
    ({ messages }) => messages,
  ],
  'pinned messages': [
    ({ ada, square }, limit) => ada.does('GET', `${path(square)}/pinned_messages`, payload({ limit })),
    ({ messages }) => messages,
  ],
  'versions of messages': [
    ({ appServer }, limit) => {
      const filter = { created_at: { $gt: '2000-01-01T00:00:00Z' } }
      return appServer.does('POST', '/messages/history', { body: { filter, limit } })
    },
    ({ message_history }) => message_history,
  ],
  'found messages': [
    ({ ada }, limit) => {
      const search = { filter_conditions: { members: { $in: ['ada'] } }, query: 'hello', limit }
      return ada.does('GET', '/search', payload(search))
    },
    ({ results }) => results,
  ],
  'reactions to a message': [
    ({ ada, topic }, limit) => ada.does('GET', `/messages/${topic.id}/reactions`, { query: { limit: `${limit}` } }),
    ({ reactions }) => reactions,
  ],
  'reactions a filter matches': [
    ({ ada, topic }, limit) => {
      const body = { filter: { type: 'like' }, limit }
      return ada.does('POST', `/messages/${topic.id}/reactions`, { body })
    },
    ({ reactions }) => reactions,
  ],
  users: [
    ({ ada }, limit) => ada.does('GET', '/users', payload({ filter_conditions: {}, limit })),
    ({ users }) => users,
  ],
  'users for the server': [
    ({ appServer }, limit) => appServer.does('GET', '/users', payload({ filter_conditions: {}, limit })),
    ({ users }) => users,
  ],
  'members a filter matches': [
    ({ ada, square }, limit) => {
      const [type, id] = square.split(':')
      return ada.does('GET', '/members', payload({ type, id, filter_conditions: {}, limit }))
    },
    ({ members }) => members,
  ],
  threads: [({ ada }, limit) => ada.does('POST', '/threads', { body: { limit } }), ({ threads }) => threads],
  'replies and participants of a thread': [
    ({ ada, topic }, limit) => {
      const query = { reply_limit: `${limit}`, participant_limit: `${limit}`, member_limit: `${limit}` }
      return ada.does('GET', `/threads/${topic.id}`, { query })
    },
    ({ thread }) => thread.latest_replies,
  ],
  drafts: [({ ada }, limit) => ada.does('POST', '/drafts/query', { body: { limit } }), ({ drafts }) => drafts],
  polls: [({ appServer }, limit) => appServer.does('POST', '/polls/query', { body: { limit } }), ({ polls }) => polls],
  'votes of a poll': [
    ({ ada, poll }, limit) => ada.does('POST', `/polls/${poll}/votes`, { body: { limit } }),
    ({ votes }) => votes,
  ],
  'banned users': [
    ({ appServer }, limit) => appServer.does('GET', '/query_banned_users', payload({ filter_conditions: {}, limit })),
    ({ bans }) => bans,
  ],
  'reports of messages': [
    ({ appServer }, limit) => appServer.does('GET', '/moderation/flags/message', payload({ limit })),
    ({ flags }) => flags,
  ],
  'things to look at': [
    ({ appServer }, limit) => appServer.does('POST', '/api/v2/moderation/review_queue', { body: { limit } }),
    ({ items }) => items,
  ],
  'reports of anything': [
    ({ appServer }, limit) => appServer.does('POST', '/api/v2/moderation/flags', { body: { limit } }),
    ({ flags }) => flags,
  ],
  'what moderators did': [
    ({ appServer }, limit) => appServer.does('POST', '/api/v2/moderation/logs', { body: { limit } }),
    ({ logs }) => logs,
  ],
  'what was missed in channels': [
    ({ ada, pairs, topic }, limit) => {
      const body = { channel_cids: pairs.slice(0, limit), last_sync_at: topic.created_at }
      return ada.does('POST', '/sync', { body })
    },
    ({ events }) => Object.groupBy(events, ({ cid }: { cid: string }) => cid),
  ],
  'unread counts of users': [
    ({ appServer, others }, limit) => {
      const body = { user_ids: others.slice(0, limit).map(({ id }) => id) }
      return appServer.does('POST', '/unread_batch', { body })
    },
    ({ counts_by_user }) => counts_by_user,
  ],
}

/** Changes of as many objects as are given. */
const changes: Record<string, Ask> = {
  'users made': ({ appServer }, many) => {
    const users = Array.from({ length: many }, (_, i) => ({ id: `new-${many}-${i}` }))
    return appServer.does('POST', '/users', {
      body: { users: Object.fromEntries(users.map((user) => [user.id, user])) },
    })
  },
  'members added': async ({ ada, appServer, others }, many) => {
    const square = await appServer.opens([ada])
    return appServer.does('POST', path(square), { body: { add_members: ids(others, many) } })
  },
  'members with other roles': ({ appServer, square, others }, many) =>
    appServer.does('POST', path(square), { body: { add_moderators: ids(others.toReversed(), many) } }),
  'members removed': async ({ ada, appServer, others }, many) => {
    const square = await appServer.opens([ada, ...others])
    return appServer.does('POST', path(square), { body: { remove_members: ids(others, many) } })
  },
  'users muted': ({ ada, others }, many) =>
    ada.does('POST', '/moderation/mute', { body: { target_ids: ids(others, many) } }),
  'messages delivered': ({ ada, pairs, firsts }, many) => {
    const latest_delivered_messages = pairs.slice(-many).map((cid, i) => ({ cid, id: firsts.slice(-many)[i]! }))
    return ada.does('POST', '/channels/delivered', { body: { latest_delivered_messages } })
  },
  'channels read': ({ ada, pairs, firsts }, many) => {
    // Some completely, and some up to their newest message.
    const named = pairs.slice(0, many).map((cid, i) => [cid, i % 2 ? firsts[i] : ''])
    return ada.does('POST', '/channels/read', { body: { read_by_channel: Object.fromEntries(named) } })
  },
  'channels muted': ({ ada, pairs }, many) =>
    ada.does('POST', '/moderation/mute/channel', { body: { channel_cids: pairs.slice(0, many) } }),
}

const differenceOf = (some: readonly string[], many: readonly string[]) =>
  `only for some:\n${moreOf(some, many).join('\n')}\nonly for many:\n${moreOf(many, some).join('\n')}`

/** Statements of one run that the other lacks, as often as there are more of them. */
function moreOf(one: readonly string[], other: readonly string[]): string[] {
  const left = [...other]
  return one.filter((text) => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

const ids = (people: TestUser[], many: number) => people.slice(0, many).map(({ id }) => id)

onEveryStorage((fixture) => {
  let town: Town
  beforeAll(async () => {
    town = await built(fixture)
  }, 60_000)

  /** The server's statements during a call, with cold caches. */
  async function statements<Result>(ask: () => Promise<Result>): Promise<{ texts: string[]; answer: Result }> {
    const { users, channels } = fixture.nodes[0]!.server
    // Pending deliveries of earlier calls would be counted too.
    await everythingIsDelivered(fixture)
    users.clear()
    channels.clear()
    let answer: Result
    const texts = await statementsUntil(async () => {
      answer = await ask()
    })
    return { texts, answer: answer! }
  }

  it.each(Object.entries(lists))('%s cost as many statements for one as for many', async (_, [ask, list]) => {
    const asks = async (limit: number) => {
      const { texts, answer } = await statements(() => ask(town, limit))
      return { texts, length: Object.keys(list(answer)).length }
    }

    const one = await asks(1)
    const some = await asks(SOME)
    const many = await asks(MANY)

    assert.ok(many.length === MANY && some.length < MANY, `${some.length} and ${many.length} were listed`)
    // A single object may lack related ones, such as a quoted message.
    assert.ok(one.texts.length <= some.texts.length, one.texts.join('\n'))
    expect(many.texts.length, differenceOf(some.texts, many.texts)).toBe(some.texts.length)
  })

  it.each(Object.entries(changes))('%s cost as many statements for some as for many', async (_, ask) => {
    const isEmbedded = fixture.nodes[0]!.server.database.dialect.name === 'sqlite'
    const asks = async (many: number) => {
      const { texts } = await statements(() => ask(town, many))
      // In-process SQLite runs the same statement once per row: there is no network round trip.
      return isEmbedded ? [...new Set(texts)] : texts
    }
    const some = await asks(SOME)
    const many = await asks(MANY)
    expect(many.length, differenceOf(some, many)).toBeLessThanOrEqual(some.length)
  })

  it('deleting, restoring and erasing all messages of a user costs the same, however many there are', async () => {
    const isEmbedded = fixture.nodes[0]!.server.database.dialect.name === 'sqlite'
    const costs = async (many: number) => {
      const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
      const room = await appServer.opens([ada, bo, cy])
      const { id: parent_id } = await ada.sends(room, 'What do you say?')
      await ada.watches(room)
      for (let i = 0; i < many; i++) {
        const { id } = await bo.sends(room, 'This', { parent_id, show_in_channel: true })
        await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'like' } } })
      }
      const { texts } = await statements(async () => {
        await appServer.does('POST', '/users/bo/deactivate', { body: { mark_messages_deleted: true } })
        await ada.receives('user.messages.deleted')
        await appServer.does('POST', '/users/bo/reactivate', { body: { restore_messages: true } })
        for (let i = 0; i < many; i++) await ada.receives('message.undeleted')
        const ban = { target_user_id: 'bo', banned_by_id: 'ada', delete_messages: 'hard' }
        await appServer.does('POST', '/moderation/ban', { body: ban })
        await ada.receives('user.messages.deleted', ({ hard_delete }) => hard_delete)
      })
      return isEmbedded ? [...new Set(texts)] : texts
    }
    const some = await costs(SOME)
    const many = await costs(MANY)
    expect(many.length, differenceOf(some, many)).toBeLessThanOrEqual(some.length)
  })

  it('connecting runs no query for data the user does not have', async () => {
    const { bo } = await fixture.createApp('bo')
    await bo.connects()
    await bo.leaves()
    const texts = await statementsUntil(() => bo.connects())
    // Read state, hidden channels, user-owned data, and presence.
    expect(texts.length, texts.join('\n')).toBeLessThanOrEqual(5)
  })
})

/** Everything that can be listed, many times, and of many users. */
async function built(fixture: Parameters<Parameters<typeof onEveryStorage>[0]>[0]): Promise<Town> {
  const { ada, appServer } = await fixture.createApp('ada')
  const ids = Array.from({ length: MANY }, (_, i) => `user-${i}`)
  await appServer.createUsers(...ids)
  await appServer.does('PUT', '/channeltypes/messaging', { body: { delivery_events: true } })
  const others = ids.map((id) => appServer.user(id))
  const square = await appServer.opens([ada, ...others])
  const opinion = { name: 'Lunch?', options: [{ text: 'Soup' }, { text: 'Salad' }] }
  const { poll } = await ada.does('POST', '/polls', { body: opinion })
  const topic = await ada.sends(square, 'hello, what do you say?', { poll_id: poll.id })

  const town: Town = { ada, appServer, others, pairs: [], firsts: [], square, said: [], topic, poll: poll.id }
  for (const [i, other] of others.entries()) {
    const pair = await appServer.opens([ada, other])
    const { id: first } = await other.sends(pair, 'hello', { mentioned_users: ['ada'] })
    await ada.sends(pair, 'hello to you', { parent_id: first, quoted_message_id: first })
    await ada.does('POST', `${path(pair)}/draft`, { body: { message: { text: 'later', quoted_message_id: first } } })
    town.pairs.push(pair)
    town.firsts.push(first)

    const said = await other.sends(square, `hello from ${other.id}`)
    await other.does('PUT', `/messages/${said.id}`, { body: { set: { text: `hello, all, from ${other.id}` } } })
    await appServer.does('PUT', `/messages/${said.id}`, { body: { set: { pinned: true }, user_id: other.id } })
    await other.sends(square, 'hello again', { parent_id: topic.id })
    for (const message of [said, topic])
      await other.does('POST', `/messages/${message.id}/reaction`, { body: { reaction: { type: 'like' } } })
    await ada.does('POST', '/moderation/flag', { body: { target_message_id: said.id } })
    const { items } = await appServer.does('POST', '/api/v2/moderation/review_queue', {
      body: { filter: { entity_id: said.id } },
    })
    await appServer.does('POST', '/api/v2/moderation/submit_action', {
      body: { action_type: 'escalate', item_id: items[0].id, user_id: 'ada' },
    })
    const vote = { option_id: poll.options[i % 2].id }
    await other.does('POST', `/messages/${topic.id}/polls/${poll.id}/vote`, { body: { vote } })
    await appServer.does('POST', '/polls', { body: { ...opinion, user_id: other.id } })
    await appServer.does('POST', '/moderation/ban', {
      body: {
        target_user_id: other.id,
        banned_by_id: 'ada',
        shadow: true,
        type: 'messaging',
        id: pair.split(':')[1],
      },
    })
    town.said.push(said)
  }
  return town
}
