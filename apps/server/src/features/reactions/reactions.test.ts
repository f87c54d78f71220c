import assert from 'node:assert/strict'
import { REACTION_TYPES } from '@parley/protocol/limits'
import type { Reaction } from '@parley/protocol/reactions'
import { it } from 'vitest'
import { onEveryStorage } from '../../testing/fixture.ts'
import type { TestUser } from '../../testing/test-user.ts'

const react = (testUser: TestUser, id: string, reaction: object, options: object = {}) =>
  testUser.does('POST', `/messages/${id}/reaction`, { body: { reaction, ...options } })
const types = (reactions: Reaction[]) => reactions.map(({ user_id, type }) => `${user_id} ${type}`)

onEveryStorage((fixture) => {
  it('[RXN-1] [RXN-9] [RXN-13] a reaction is counted on the message and published to all watchers', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id, updated_at } = await ada.sends(room, 'Hello')
    await ada.watches(room)

    const first = await react(bo, id, { type: 'love', score: 3, mood: 'sunny' })
    fixture.clock.advance(1_000)
    const second = await react(ada, id, { type: 'love' })

    const { reaction, message } = first
    assert.deepEqual(
      [reaction.type, reaction.score, reaction.mood, reaction.user_id, reaction.user.id, reaction.message_id],
      ['love', 3, 'sunny', 'bo', 'bo', id],
    )
    assert.notEqual(message.updated_at, updated_at)
    assert.deepEqual(types(message.own_reactions), ['bo love'])
    assert.deepEqual(second.message.reaction_counts, { love: 2 })
    assert.deepEqual(second.message.reaction_scores, { love: 4 })
    assert.deepEqual(second.message.reaction_groups, {
      love: {
        count: 2,
        sum_scores: 4,
        first_reaction_at: reaction.created_at,
        last_reaction_at: second.reaction.created_at,
      },
    })
    assert.deepEqual(types(second.message.latest_reactions), ['ada love', 'bo love'])

    const heard = await ada.receives('reaction.new')
    assert.deepEqual([heard.user.id, heard.reaction, heard.message_id], ['bo', reaction, id])
    assert.deepEqual(heard.message.own_reactions, [])
    const { messages, channel } = await ada.opensChannel(room)
    assert.deepEqual(messages, [second.message])
    assert.equal(channel.last_message_at, messages[0]!.created_at)
  })

  it('[RXN-2] [RXN-11] [RXN-13] a reaction can be removed, and a type without reactions is gone', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Hello')
    await react(bo, id, { type: 'love' })
    await react(bo, id, { type: 'wow' })
    await ada.watches(room)

    const { message, reaction } = await bo.does('DELETE', `/messages/${id}/reaction/love`)

    assert.equal(reaction.type, 'love')
    assert.deepEqual(message.reaction_counts, { wow: 1 })
    assert.deepEqual(Object.keys(message.reaction_groups), ['wow'])
    assert.deepEqual(types(message.own_reactions), ['bo wow'])
    const heard = await ada.receives('reaction.deleted')
    assert.deepEqual([heard.reaction.type, heard.user.id, heard.message.reaction_counts], ['love', 'bo', { wow: 1 }])
    await bo.isRefused(16, 'DELETE', `/messages/${id}/reaction/love`)
    await ada.isRefused(16, 'DELETE', `/messages/${id}/reaction/wow`)
    await bo.does('DELETE', `/messages/${id}/reaction/wow`)
    assert.deepEqual((await ada.opensChannel(room)).messages[0]!.reaction_groups, null)
  })

  it('[RXN-2] a user with permission to remove reactions can do so after reacting is no longer allowed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Hello')
    for (const type of ['love', 'wow', 'sad']) await react(bo, id, { type })
    const grants = (...channel_member: string[]) =>
      appServer.does('PUT', '/channeltypes/messaging', {
        body: { grants: { user: [], channel_member: ['read-channel', ...channel_member] } },
      })
    await grants()
    await bo.isRefused(17, 'DELETE', `/messages/${id}/reaction/love`)
    for (const [type, permission] of [
      ['love', 'delete-reaction-owner'],
      ['wow', 'delete-reaction'],
      ['sad', 'create-reaction'],
    ] as const) {
      await grants(permission)
      await bo.does('DELETE', `/messages/${id}/reaction/${type}`)
    }
  })

  it('[RXN-13] when the first or the last reaction of a type is removed, the type has the times of the one that stays', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { id } = await ada.sends(await appServer.opens([ada, bo]), 'Hello')
    const takesBack = async () =>
      (await ada.does('DELETE', `/messages/${id}/reaction/love`)).message.reaction_groups.love
    await react(ada, id, { type: 'love' })
    fixture.clock.advance(1_000)
    const { created_at } = (await react(bo, id, { type: 'love', score: 3 })).reaction
    const left = { count: 1, sum_scores: 3, first_reaction_at: created_at, last_reaction_at: created_at }
    assert.deepEqual(await takesBack(), left)
    fixture.clock.advance(1_000)
    await react(ada, id, { type: 'love' })
    assert.deepEqual(await takesBack(), left)
  })

  it('[RXN-14] one reaction per user and type: a repeated one replaces score and custom data', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')
    await react(ada, id, { type: 'clap', score: 2, hands: 'left' })

    const { message, reaction } = await react(ada, id, { type: 'clap', score: 5 })

    assert.deepEqual([message.reaction_counts, message.reaction_scores], [{ clap: 1 }, { clap: 5 }])
    assert.equal(reaction.hands, undefined)
  })

  it('[RXN-10] [RXN-14] a unique reaction replaces the user’s others', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Hello')
    await react(bo, id, { type: 'love' })
    await react(bo, id, { type: 'wow' })
    await react(ada, id, { type: 'love' })
    await ada.watches(room)

    const { message } = await react(bo, id, { type: 'sad' }, { enforce_unique: true })

    assert.deepEqual(message.reaction_counts, { love: 1, sad: 1 })
    assert.deepEqual(types(message.own_reactions), ['bo sad'])
    assert.equal((await ada.receives('reaction.updated')).reaction.type, 'sad')
    await react(bo, id, { type: 'sad', score: 2 }, { enforce_unique: true })
    assert.equal((await ada.receives('reaction.new')).reaction.score, 2)
  })

  it('[RXN-3] [RXN-13] reactions come newest first in pages, and the message shows the newest 10', async () => {
    const { appServer } = await fixture.createApp()
    const names = Array.from({ length: 12 }, (_, i) => `user-${i}`)
    await appServer.createUsers(...names)
    const people = names.map((name) => appServer.user(name))
    const room = await appServer.opens(people)
    const { id } = await people[0]!.sends(room, 'Hello')
    for (const testUser of people) await react(testUser, id, { type: 'love' })
    const newestFirst = names.toReversed().map((name) => `${name} love`)

    const page = async (query: Record<string, string>) =>
      types((await people[0]!.does('GET', `/messages/${id}/reactions`, { query })).reactions)

    assert.deepEqual(await page({}), newestFirst)
    assert.deepEqual(await page({ limit: '3', offset: '2' }), newestFirst.slice(2, 5))
    for (const query of [{ limit: '301' }, { limit: '0' }, { offset: '1001' }, { limit: 'all' }])
      await people[0]!.isRefused(4, 'GET', `/messages/${id}/reactions`, { query })
    const { messages } = await people[0]!.opensChannel(room)
    assert.deepEqual(types(messages[0]!.latest_reactions), newestFirst.slice(0, 10))
    assert.deepEqual(types(messages[0]!.own_reactions), ['user-0 love'])
  })

  it('[RXN-4] reactions are queried by type and user, with sort and pages', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const { id } = await ada.sends(await appServer.opens([ada, bo, cy]), 'Hello')
    for (const [testUser, type] of [
      [ada, 'love'],
      [bo, 'love'],
      [cy, 'wow'],
      [bo, 'wow'],
    ] as const)
      await react(testUser, id, { type })
    const page = (body: object) => ada.does('POST', `/messages/${id}/reactions`, { body })
    const found = async (filter: object) => types((await page({ filter })).reactions)

    assert.deepEqual(await found({}), ['bo wow', 'cy wow', 'bo love', 'ada love'])
    assert.deepEqual(await found({ type: 'love' }), ['bo love', 'ada love'])
    assert.deepEqual(await found({ user_id: { $in: ['ada', 'cy'] } }), ['cy wow', 'ada love'])

    const sort = [{ field: 'created_at', direction: 1 }]
    const first = await page({ sort, limit: 3 })
    assert.deepEqual([types(first.reactions), first.prev], [['ada love', 'bo love', 'cy wow'], undefined])
    const second = await page({ sort, limit: 3, next: first.next })
    assert.deepEqual([types(second.reactions), second.next], [['bo wow'], undefined])
    assert.deepEqual(
      await page({ sort, limit: 3, prev: second.prev }).then((back) => types(back.reactions)),
      types(first.reactions),
    )
    const refused = (body: object) => ada.isRefused(4, 'POST', `/messages/${id}/reactions`, { body })
    for (const body of [{ next: 'nonsense' }, { limit: 301 }, { filter: { type: 1 } }, { sort: [{ field: 'a b' }] }])
      await refused(body)
  })

  it('types are short words or emoji', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')
    const refused = (code: number, reaction: object) =>
      ada.isRefused(code, 'POST', `/messages/${id}/reaction`, { body: { reaction } })

    for (const type of ['+1', 'thumbs_up-2', '👍🏽', '👩‍👩‍👧', '❤️']) {
      assert.equal((await react(ada, id, { type })).reaction.type, type)
      await ada.does('DELETE', `/messages/${id}/reaction/${encodeURIComponent(type)}`)
    }
    for (const type of ['', 'a b', '<b>', 'x'.repeat(31), '__proto__.x']) await refused(4, { type })
    for (const score of [0, -1, 1.5, '2']) await refused(4, { type: 'love', score })
    await refused(22, { type: 'love', note: 'x'.repeat(1_100) })
    await refused(4, {})
    const { message } = await react(ada, id, { type: '__proto__' })
    assert.deepEqual(Object.entries(message.reaction_counts), [['__proto__', 1]])
  })

  it('a message takes a limited number of reaction types', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const { id } = await ada.sends(await appServer.opens([ada, bo]), 'Hello')
    for (let i = 0; i < REACTION_TYPES; i++) await react(bo, id, { type: `way-${i}` })

    await bo.isRefused(4, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'one-more' } } })
    const { message } = await react(ada, id, { type: 'way-0' })
    assert.equal(message.reaction_counts['way-0'], 2)
    await ada.isRefused(4, 'POST', `/messages/${id}/reaction`, {
      body: { reaction: { type: 'one-more' }, enforce_unique: true },
    })
    const { reactions } = await ada.does('GET', `/messages/${id}/reactions`, { query: { limit: '1' } })
    assert.deepEqual(types(reactions), ['ada way-0'])
    // A reaction that it replaces makes room for it.
    await bo.does('DELETE', `/messages/${id}/reaction/way-0`)
    const other = await react(ada, id, { type: 'another' }, { enforce_unique: true })
    assert.deepEqual([other.message.reaction_counts['way-0'], other.message.reaction_counts.another], [undefined, 1])
    await react(ada, id, { type: 'way-0' }, { enforce_unique: true })
    await bo.does('DELETE', `/messages/${id}/reaction/way-1`)
    await react(ada, id, { type: 'one-more' })
  })

  it('a deleted message, or one that the user cannot see, takes no reactions', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const { id } = await ada.sends(room, 'Hello')

    await bo.isRefused(16, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.isRefused(16, 'GET', `/messages/${id}/reactions`)
    await ada.does('DELETE', `/messages/${id}`)
    await ada.isRefused(4, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await ada.isRefused(16, 'POST', '/messages/nobody/reaction', { body: { reaction: { type: 'love' } } })
  })

  it('[MSG-38] the author of a shadowed message does not learn of it when a reaction is deleted with its user', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const { id, cid } = await ada.sends(await appServer.opens([ada, bo, cy]), 'Buy!')
    await react(bo, id, { type: 'love' })
    await bo.does('POST', '/api/v2/moderation/flag', {
      body: { entity_type: 'message', entity_id: id, entity_creator_id: 'ada', reason: 'spam' },
    })
    const { items } = await appServer.does('POST', '/api/v2/moderation/review_queue', { body: {} })
    await appServer.does('POST', '/api/v2/moderation/submit_action', {
      body: { item_id: items[0].id, action_type: 'shadow_block', user_id: 'cy' },
    })
    await ada.watches(cid)

    const hard = { user: 'hard', messages: 'hard', conversations: 'hard' }
    await appServer.does('POST', '/users/delete', { body: { user_ids: ['bo'], ...hard } })

    const { message, user, reaction } = await ada.receives('reaction.deleted')
    assert.deepEqual([message.text, message.shadowed, message.latest_reactions], ['Buy!', false, []])
    assert.deepEqual([user.id, reaction.type, reaction.user.id], ['bo', 'love', 'bo'])
  })

  it('a server can react for a user it names', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { id } = await ada.sends(await appServer.opens([ada]), 'Hello')

    const { reaction } = await appServer.does('POST', `/messages/${id}/reaction`, {
      body: { reaction: { type: 'love', user_id: 'ada' } },
    })
    assert.equal(reaction.user_id, 'ada')
    await appServer.does('DELETE', `/messages/${id}/reaction/love`, { query: { user_id: 'ada' } })
    await appServer.isRefused(4, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await appServer.isRefused(4, 'POST', `/messages/${id}/reaction`, {
      body: { reaction: { type: 'love', user_id: 'x' } },
    })
  })
})
