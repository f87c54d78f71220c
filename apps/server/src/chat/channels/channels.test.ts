import assert from 'node:assert/strict'
import type { Member } from '@parley/protocol/members'
import type { Message } from '@parley/protocol/messages'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

/** Creates or gets the channel of exactly these members. */
const meets = (testUser: Pick<TestUser, 'does'>, members: string[], data: object = {}, type = 'messaging') =>
  testUser.does('POST', `/channels/${type}/query`, { body: { data: { members, ...data } } })

const withoutDuration = (answer: object) => ({ ...answer, duration: undefined })

onEveryStorage((fixture) => {
  it('a channel is read without being made', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await ada.isRefused(16, 'GET', '/channels/messaging/none')
    await appServer.isRefused(16, 'GET', '/channels/messaging/none')
    await ada.isRefused(16, 'GET', '/channels/kitchen/none')

    const cid = await appServer.opens([ada], { season: 'spring' })
    for (const text of ['one', 'two', 'three']) await ada.sends(cid, text)
    const reads = (query: Record<string, string> = {}) => ada.does('GET', path(cid), { query })
    const opened = await ada.opensChannel(cid)
    assert.deepEqual(withoutDuration(await reads()), withoutDuration(opened))
    const few = await reads({ message_limit: '1', member_limit: '0' })
    assert.deepEqual([few.messages.map(({ text }: Message) => text), few.members], [['three'], []])
    const bare = await reads({ state: 'false' })
    assert.deepEqual([bare.messages, bare.channel.season], [[], 'spring'])

    for (const query of [
      { message_limit: '301' },
      { member_limit: '-1' },
      { message_limit: 'many' },
      { state: 'maybe' },
    ]) {
      const refusal = await ada.isRefused(4, 'GET', path(cid), { query })
      assert.deepEqual(Object.keys(refusal.exception_fields), Object.keys(query))
    }
    await bo.isRefused(17, 'GET', path(cid))
    await appServer.does('DELETE', path(cid))
    await ada.isRefused(16, 'GET', path(cid))
  })

  it('[CHN-3] a channel shows its watcher count and the time of its last message', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    assert.equal((await ada.opensChannel(room)).channel.last_message_at, undefined)
    await ada.watches(room)
    assert.equal((await bo.watches(room)).watcher_count, 2)
    const { created_at } = await bo.sends(room, 'hello')
    const { channel, watcher_count } = await ada.opensChannel(room)
    assert.deepEqual([channel.last_message_at, watcher_count], [created_at, 2])
    await bo.leaves()
    await ada.receives('user.watching.stop')
    assert.equal((await ada.opensChannel(room)).watcher_count, 1)
  })

  it('[CHN-1] [CHN-2] [CHN-12] a channel is created by the first query and found by the next', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    const body = { data: { name: 'Tea', colour: 'green', members: ['ada', 'bo'] }, state: true }
    const made = await ada.call('POST', '/channels/messaging/tea/query', { body })
    assert.equal(made.status, 201)
    const { channel, members, membership, read, messages, watcher_count } = made.body
    assert.deepEqual([channel.cid, channel.id, channel.type], ['messaging:tea', 'tea', 'messaging'])
    assert.deepEqual([channel.name, channel.colour, channel.member_count], ['Tea', 'green', 2])
    assert.deepEqual([channel.frozen, channel.disabled, channel.created_by.id], [false, false, 'ada'])
    assert.deepEqual(
      members.map((member: { user_id: string }) => member.user_id),
      ['ada', 'bo'],
    )
    assert.equal(membership.user_id, 'ada')
    assert.equal(read.length, 2)
    assert.deepEqual([messages, watcher_count, made.body.pinned_messages, made.body.threads], [[], 0, [], []])

    const found = await bo.call('POST', '/channels/messaging/tea/query', {
      body: { data: { name: 'Coffee', members: ['nobody'] }, state: true },
    })
    assert.equal(found.status, 200)
    assert.deepEqual([found.body.channel.name, found.body.channel.member_count], ['Tea', 2])
  })

  it('[CHN-12] a state has the caller’s hidden flag and the requested watchers, even when there are none', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada], {}, 'livestream')
    const asked = { body: { state: true, watchers: { limit: 10 } } }
    for (const caller of [appServer, ada, appServer.user('bo')]) {
      const { hidden, watchers } = await caller.does('POST', `${path(room)}/query`, asked)
      assert.deepEqual([hidden, watchers], [false, []])
    }
    const { channels } = await appServer.does('POST', '/channels', { body: { filter_conditions: { cid: room } } })
    assert.deepEqual([channels[0].hidden, channels[0].watchers], [false, undefined])
  })

  it.skipIf(process.env.WIRE_GENERATION === 'v2')(
    'without state only the channel and the caller’s membership are returned',
    async () => {
      const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
      const room = await appServer.opens([ada, bo])
      await ada.sends(room, 'Hello')
      for (const options of [{ state: false }, { state: undefined }]) {
        const state = await ada.opensChannel(room, options)
        assert.deepEqual([state.members, state.messages, state.read], [[], [], []])
        assert.equal(state.membership?.user_id, 'ada')
      }
    },
  )

  it('the creator of a channel is not a member unless added', async () => {
    const { ada } = await fixture.createApp('ada')
    const { members, membership, channel } = await ada.does('POST', '/channels/messaging/tea/query', {
      body: { data: { created_by_id: 'bo' }, state: true },
    })
    assert.deepEqual([members, membership, channel.member_count], [[], undefined, 0])
    assert.equal(channel.created_by.id, 'ada')
    await ada.opensChannel('messaging:tea')
  })

  it('[AUTH-12] the app’s server must name the creator of a channel', async () => {
    const { appServer } = await fixture.createApp('ada')
    const opens = (data: object) => appServer.does('POST', '/channels/messaging/tea/query', { body: { data } })
    const refused = await appServer.isRefused(4, 'POST', '/channels/messaging/tea/query', { body: {} })
    assert.match(
      refused.message,
      /either data.created_by or data.created_by_id must be provided when using server side auth/,
    )
    await appServer.isRefused(4, 'POST', '/channels/messaging/tea/query', {
      body: { data: { created_by_id: 'nobody' } },
    })
    assert.equal((await opens({ created_by: { id: 'ada' } })).channel.created_by.id, 'ada')
    assert.equal((await opens({})).channel.own_capabilities, undefined)
  })

  it('[CHN-4] a type has letters, digits, underscores and hyphens', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await appServer.does('POST', '/channeltypes', { body: { name: 'Tea_room-2' } })
    const { channel } = await ada.does('POST', '/channels/Tea_room-2/tea/query', { body: {} })
    assert.equal(channel.cid, 'Tea_room-2:tea')
    for (const name of ['tea room', 'tea!', 'tea:room', 'teä'])
      await appServer.isRefused(4, 'POST', '/channeltypes', { body: { name } })
  })

  it('[CHN-4] [CHN-6] type and id allow few characters', async () => {
    const { ada } = await fixture.createApp('ada')
    const opens = (type: string, id: string) =>
      ada.call('POST', `/channels/${encodeURIComponent(type)}/${encodeURIComponent(id)}/query`, { body: {} })
    for (const id of ['a b', 'a:b', 'ä', 'a.b', 'a/b', 'x'.repeat(65), '!members-mine', '%'])
      assert.equal((await opens('messaging', id)).body.code, 4, id)
    for (const type of ['a b', 'mess:aging', 'messäging']) assert.equal((await opens(type, 'tea')).body.code, 4, type)
    assert.equal((await opens('nothing', 'tea')).body.code, 16)
    for (const id of ['A-z_0', '!tea', 'te!a', 'x'.repeat(64), '__proto__'])
      assert.equal((await opens('messaging', id)).status, 201, id)
  })

  it('[CHN-11] [CHN-57] the same members in any order always get the same channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const first = await meets(ada, ['ada', 'bo'], { name: 'Us' })
    assert.match(first.channel.id, /^!members-[A-Za-z0-9_-]{43}$/)
    const again = await meets(bo, ['bo', 'ada', 'bo'], { name: 'Other' })
    assert.deepEqual([again.channel.cid, again.channel.name], [first.channel.cid, 'Us'])
    const byServer = await meets(appServer, ['ada', 'bo'], { created_by_id: 'ada' })
    assert.equal(byServer.channel.cid, first.channel.cid)
    assert.notEqual((await meets(ada, ['ada', 'bo', 'cleo'])).channel.cid, first.channel.cid)
    assert.notEqual((await meets(ada, ['ada', 'bo'], {}, 'team')).channel.cid, first.channel.cid)
    const alone = await meets(ada, ['ada'])
    assert.equal(alone.channel.member_count, 1)
    await ada.opensChannel(first.channel.cid)
    for (const members of [[], undefined]) {
      const refused = await ada.isRefused(4, 'POST', '/channels/messaging/query', { body: { data: { members } } })
      assert.match(refused.message, /a channel without an id needs at least one member/)
    }
  })

  it('[CHN-57] a channel created from its members is created again by its members, not by its id', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    const { cid } = (await meets(ada, ['ada', 'bo'])).channel
    await ada.does('DELETE', path(cid))
    await ada.isRefused(4, 'POST', `${path(cid)}/query`, { body: { data: { members: ['ada'] } } })
    const { channel } = await meets(ada, ['bo', 'ada'])
    assert.deepEqual([channel.cid, channel.member_count], [cid, 2])
    assert.equal((await meets(bo, ['ada', 'bo'])).channel.cid, cid)
  })

  it('two users who create the same channel concurrently get one channel', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    const both = await Promise.all([ada, bo, ada, bo].map((testUser) => meets(testUser, ['ada', 'bo'])))
    assert.equal(new Set(both.map(({ channel }) => channel.cid)).size, 1)
    assert.equal((await ada.opensChannel(both[0].channel.cid)).members.length, 2)
  })

  it('a user cannot create a channel without being in it, or with unknown users', async () => {
    const { ada } = await fixture.createApp('ada', 'bo', 'cleo')
    await ada.isRefused(17, 'POST', '/channels/messaging/query', { body: { data: { members: ['bo', 'cleo'] } } })
    const nobody = { body: { data: { members: ['ada', 'nobody'] } } }
    await ada.isRefused(4, 'POST', '/channels/messaging/query', nobody)
    const refused = await ada.isRefused(4, 'POST', '/channels/messaging/tea/query', nobody)
    assert.match(refused.message, /could not find user nobody from members/)
    await ada.isRefused(16, 'POST', '/channels/messaging/tea', { body: {} })
  })

  it('members may have a role and custom fields; a call takes a hundred', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const data = { members: ['ada', { user_id: 'bo', channel_role: 'channel_moderator', shift: 'late' }] }
    const { members } = await ada.does('POST', '/channels/messaging/tea/query', { body: { data, state: true } })
    const bo = members[1]
    assert.deepEqual(
      [bo.channel_role, bo.role, bo.is_moderator, bo.shift],
      ['channel_moderator', 'moderator', true, 'late'],
    )
    assert.deepEqual([members[0].channel_role, members[0].role], ['channel_member', 'owner'])

    const ids = Array.from({ length: 101 }, (_, i) => `u${i}`)
    await appServer.createUsers(...ids.slice(0, 60))
    await appServer.createUsers(...ids.slice(60))
    const tooMany = { data: { members: ids, created_by_id: 'ada' } }
    await appServer.isRefused(4, 'POST', '/channels/messaging/crowd/query', { body: tooMany })
    const wrong = { data: { members: [{ user_id: 'ada', channel_role: 'king' }] } }
    await ada.isRefused(4, 'POST', '/channels/messaging/throne/query', { body: wrong })
    await ada.isRefused(4, 'POST', '/channels/messaging/throne/query', { body: { data: { members: [5] } } })
  })

  it('member pages hold the newest members, oldest first', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const ids = Array.from({ length: 9 }, (_, i) => `u${i}`)
    await appServer.createUsers(...ids)
    const room = await appServer.opens([ada, ...ids.map((id) => appServer.user(id))])
    const page = async (members: object) =>
      (await ada.opensChannel(room, { members })).members.map((member) => member.user_id)
    assert.deepEqual(await page({}), ['ada', ...ids])
    assert.deepEqual(await page({ limit: 3 }), ['u6', 'u7', 'u8'])
    assert.deepEqual(await page({ limit: 3, offset: 3 }), ['u3', 'u4', 'u5'])
    assert.deepEqual(await page({ limit: 0 }), [])
    const { read, membership } = await ada.opensChannel(room, { members: { limit: 1 } })
    assert.deepEqual(read.map((entry) => entry.user.id).sort(), ['ada', 'u8'])
    assert.equal(membership?.user_id, 'ada')
    for (const members of [{ limit: 101 }, { limit: -1 }, { offset: 10_001 }])
      await ada.isRefused(4, 'POST', `${path(room)}/query`, { body: { state: true, members } })
  })

  it('a non-member has no access to a channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const refused = await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
    assert.match(
      refused.message,
      /User 'bo' with role 'user' is not allowed to perform action ReadChannel in scope 'messaging'/,
    )
    await bo.connects()
    await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: { watch: true } })
    await bo.isRefused(17, 'POST', `${path(room)}/stop-watching`, { body: {} })
    await bo.isRefused(17, 'POST', path(room), { body: { data: { name: 'Mine' } } })
    await bo.isRefused(17, 'PATCH', path(room), { body: { set: { name: 'Mine' } } })
    await bo.isRefused(17, 'POST', path(room), { body: { add_members: ['bo'] } })
    await bo.isRefused(16, 'POST', '/channels/messaging/nothing', { body: {} })
    await bo.isRefused(16, 'PATCH', '/channels/messaging/nothing', { body: {} })
  })

  it('[CHN-14] [CHN-37] an update replaces all data and ignores read-only fields', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { name: 'Tea', colour: 'green', image: 'tea.png' })
    const data = {
      name: 'Coffee',
      size: 3,
      id: 'x',
      cid: 'messaging:x',
      type: 'team',
      member_count: 99,
      created_by: { id: 'bo' },
      created_at: '2001-01-01T00:00:00Z',
      updated_at: '2001-01-01T00:00:00Z',
      config: { polls: false },
      own_capabilities: ['everything'],
      last_message_at: '2001-01-01T00:00:00Z',
    }
    const { channel, members } = await ada.does('POST', path(room), { body: { data } })
    assert.deepEqual([channel.name, channel.size, channel.colour, channel.image], ['Coffee', 3, undefined, undefined])
    assert.deepEqual([channel.cid, channel.member_count, channel.created_by.id], [room, 2, 'ada'])
    for (const time of [channel.created_at, channel.updated_at]) assert.notEqual(time.slice(0, 4), '2001')
    assert.equal(channel.config.polls, true)
    assert.equal(channel.own_capabilities.includes('everything'), false)
    assert.equal(members.length, 2)
    assert.equal('last_message_at' in channel, false)
    await bo.isRefused(17, 'POST', path(room), { body: { data: { name: 'Bo’s' } } })
    await ada.isRefused(22, 'POST', path(room), { body: { data: { story: 'x'.repeat(5_200) } } })
  })

  it('[CHN-12] [CHN-14] [CHN-17] [CHN-37] a read-only field is ignored, whatever its value', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const names = `id cid type config created_by created_by_id created_at updated_at member_count last_message_at
      own_capabilities deleted_at truncated_at truncated_by`.split(/\s+/)
    for (const value of ['bo', '', 7, true, null, [], ['bo'], {}, { name: 'Bo' }, { id: 'bo' }]) {
      const data = Object.fromEntries(names.map((name) => [name, value]))
      const { channel: made } = await meets(ada, ['ada', 'bo'], data)
      const room = path(made.cid)
      const { channel: whole } = await ada.does('POST', room, { body: { data: { ...data, size: 3 } } })
      const { channel: part } = await ada.does('PATCH', room, { body: { set: { ...data, size: 4 } } })
      assert.deepEqual(
        names.map((name) => whole[name]),
        names.map((name) => (name === 'updated_at' ? whole : made)[name]),
      )
      assert.deepEqual([whole.size, part.size, part.created_by.id, part.member_count], [3, 4, 'ada', 2])
      await appServer.does('DELETE', room, { query: { hard_delete: 'true' } })
    }
    // The app’s server names the creator of a channel.
    for (const created_by of ['bo', 7, {}, ['bo']])
      await appServer.isRefused(4, 'POST', '/channels/messaging/tea/query', { body: { data: { created_by } } })
    await appServer.isRefused(4, 'POST', '/channels/messaging/tea/query', { body: { data: { created_by_id: 7 } } })
  })

  it('[CHN-17] a partial update changes only the fields it names', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], { name: 'Tea', colour: 'green', pot: { lid: 'red', litres: 2 } })
    const patch = async (set: object, unset: string[] = []) =>
      (await ada.does('PATCH', path(room), { body: { set, unset } })).channel
    const channel = await patch({ 'pot.lid': 'blue', size: 3 }, ['colour'])
    assert.deepEqual(
      [channel.name, channel.pot, channel.size, channel.colour],
      ['Tea', { lid: 'blue', litres: 2 }, 3, undefined],
    )
    assert.equal((await patch({}, ['name'])).name, undefined)
    assert.equal((await patch({ name: 'Tea again', member_count: 7 })).member_count, 1)
    for (const body of [
      { set: { name: 5 } },
      { set: { name: 'x' }, unset: ['name'] },
      { set: { pot: 1 }, unset: ['pot.lid'] },
      { set: { 'a b': 1 } },
      { set: { frozen: 'yes' } },
      { set: { team: 'é'.repeat(51) } },
      { set: ['name'] },
      { unset: 'name' },
      { set: { 'name.first': 'x' } },
      { unset: ['filter_tags.0'] },
    ])
      await ada.isRefused(4, 'PATCH', path(room), { body })
    await ada.isRefused(22, 'PATCH', path(room), { body: { set: { story: 'x'.repeat(5_200) } } })
  })

  it('[CHN-17] [HTTP-22] a partial update can also unset built-in fields, with the right to change them', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const said = { frozen: true, cooldown: 5, team: 'red', filter_tags: ['a'], config_overrides: { replies: false } }
    await appServer.does('PATCH', path(room), { body: { set: said } })
    for (const field of ['frozen', 'cooldown', 'config_overrides'])
      await ada.isRefused(17, 'PATCH', path(room), { body: { unset: [field] } })
    const unset = Object.keys(said)
    for (const body of [{ unset }, { set: Object.fromEntries(unset.map((field) => [field, null])) }]) {
      await appServer.does('PATCH', path(room), { body: { set: said } })
      const { channel } = await appServer.does('PATCH', path(room), { body })
      assert.deepEqual(
        [channel.frozen, channel.cooldown ?? 0, channel.team, channel.filter_tags ?? [], channel.config.replies],
        [false, 0, undefined, [], true],
      )
    }
  })

  it('[HTTP-25] a path can lead into the config overrides of a channel', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada], { config_overrides: { replies: false, max_message_length: 10 } })
    const patch = async (set: object, unset: string[] = []) => {
      const { config } = (await appServer.does('PATCH', path(room), { body: { set, unset } })).channel
      return [config.replies, config.quotes, config.max_message_length]
    }
    assert.deepEqual(await patch({ 'config_overrides.quotes': false }), [false, false, 10])
    assert.deepEqual(await patch({}, ['config_overrides.max_message_length']), [false, false, 5_000])
    await appServer.isRefused(4, 'PATCH', path(room), { body: { set: { 'config_overrides.quotes': 5 } } })
    await ada.isRefused(17, 'PATCH', path(room), { body: { set: { 'config_overrides.quotes': true } } })
  })

  it('[PERM-4] [CHN-17] a moderator of a livestream can freeze it and set slow mode, and change nothing else', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada], { name: 'Live' }, 'livestream')
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    const capabilities = (await bo.opensChannel(room)).channel.own_capabilities ?? []
    const mayDo = ['freeze-channel', 'set-channel-cooldown', 'update-channel'].map((one) => capabilities.includes(one))
    assert.deepEqual(mayDo, [true, true, false])

    const patch = (change: object) => ['PATCH', path(room), { body: change }] as const
    const { channel } = await bo.does(...patch({ set: { frozen: true, cooldown: 5 } }))
    assert.deepEqual([channel.frozen, channel.cooldown, channel.name], [true, 5, 'Live'])
    await bo.does(...patch({ unset: ['frozen', 'cooldown'] }))
    for (const more of [
      { set: { frozen: true, name: 'Mine' } },
      { set: { frozen: true }, unset: ['name'] },
      { set: {} },
    ])
      await bo.isRefused(17, ...patch(more))
    for (const set of [{ frozen: false }, { cooldown: 0 }]) await cleo.isRefused(17, ...patch({ set }))
    const now = (await bo.opensChannel(room)).channel
    assert.deepEqual([now.frozen, now.cooldown ?? 0, now.name], [false, 0, 'Live'])
  })

  it('[CHN-61] a user without the right to freeze or slow a channel cannot create a frozen or slow one', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const makes = (id: string, data: object) => ({
      ...{ method: 'POST', path: `/channels/messaging/${id}/query` },
      body: { data: { members: ['ada'], ...data } },
    })
    for (const data of [{ frozen: true }, { cooldown: 10 }]) {
      const { method, path, body } = makes('slow', data)
      const { message } = await ada.isRefused(17, method, path, { body })
      assert.match(message, /UpdateChannel(Frozen|Cooldown)/)
      const made = makes(`of-the-company-${Object.keys(data)}`, { ...data, created_by_id: 'ada' })
      const { channel } = await appServer.does(method, made.path, { body: made.body })
      assert.ok(channel.frozen || channel.cooldown === 10)
    }
    const { channel } = await ada.does('POST', '/channels/messaging/quick/query', {
      body: { data: { members: ['ada'], frozen: false, disabled: false, cooldown: 0 } },
    })
    assert.equal(channel.frozen, false)
  })

  it('[CHN-16] [CHN-50] the app’s server and moderators set slow mode, up to two minutes', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada], {
      members: ['ada', { user_id: 'bo', channel_role: 'channel_moderator' }],
    })
    await ada.isRefused(17, 'POST', path(room), { body: { cooldown: 10 } })
    await ada.isRefused(17, 'PATCH', path(room), { body: { set: { cooldown: 10 } } })
    const { channel } = await bo.does('POST', path(room), { body: { cooldown: 10 } })
    assert.equal(channel.cooldown, 10)
    assert.ok(channel.own_capabilities.includes('slow-mode'))
    assert.equal((await ada.opensChannel(room)).channel.cooldown, 10)
    assert.equal((await bo.does('POST', path(room), { body: { cooldown: 120 } })).channel.cooldown, 120)
    for (const cooldown of [121, -1, 1.5, 'ten'])
      await appServer.isRefused(4, 'POST', path(room), { body: { cooldown } })
    assert.equal((await appServer.does('POST', path(room), { body: { cooldown: 0 } })).channel.cooldown, undefined)
    assert.equal((await appServer.does('PATCH', path(room), { body: { set: { cooldown: 5 } } })).channel.cooldown, 5)
  })

  it('a disabled channel is closed to all but the app’s server, and still listed', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    await appServer.does('PATCH', path(room), { body: { set: { disabled: true } } })
    await ada.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
    await ada.isRefused(17, 'POST', `${path(room)}/message`, { body: { message: { text: 'Hi' } } })
    await ada.isRefused(17, 'PATCH', path(room), { body: { set: { disabled: false } } })
    const { channels } = await ada.does('POST', '/channels', { body: { filter_conditions: { cid: room } } })
    assert.equal(channels[0].channel.disabled, true)
    assert.equal(channels[0].channel.own_capabilities.includes('send-message'), false)
    await appServer.does('PATCH', path(room), { body: { set: { disabled: false } } })
    await ada.opensChannel(room)
  })

  it('[CHN-15] an update may carry a message about the change, if its sender may make the change', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const { message } = await ada.does('POST', path(room), {
      body: { data: { name: 'Tea' }, message: { text: 'Ada named the channel' } },
    })
    const told = await bo.receives('channel.updated')
    assert.deepEqual([told.message_id, told.message, told.channel.name], [message.id, message, 'Tea'])
    assert.equal((await bo.receives('message.new')).total_unread_count, 1)
    assert.deepEqual([message.type, message.text, message.user.id], ['system', 'Ada named the channel', 'ada'])
    assert.equal((await bo.opensChannel(room)).messages[0]?.id, message.id)
    await bo.isRefused(17, 'POST', path(room), { body: { message: { text: 'I am the system' } } })
    await bo.does('POST', path(room), { body: { remove_members: ['bo'], message: { text: 'Bo left' } } })
    assert.deepEqual(
      (await ada.opensChannel(room)).messages.map(({ text }) => text),
      ['Ada named the channel', 'Bo left'],
    )
  })

  it('[PERM-1] [PERM-2] [PERM-4] capabilities depend on role, settings and state', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const capabilities = async (testUser: TestUser, cid = room) =>
      (await testUser.opensChannel(cid)).channel.own_capabilities ?? []
    const plain = await capabilities(bo)
    assert.deepEqual(plain, [...plain].sort())
    for (const one of [
      'read-events',
      'send-message',
      'send-reaction',
      'send-reply',
      'update-own-message',
      'typing-events',
    ])
      assert.ok(plain.includes(one), one)
    for (const one of ['update-channel', 'freeze-channel', 'delete-any-message', 'slow-mode', 'delivery-events'])
      assert.equal(plain.includes(one), false, one)
    const owner = await capabilities(ada)
    assert.ok(owner.includes('update-channel'))

    await appServer.does('PATCH', path(room), { body: { set: { frozen: true, cooldown: 5 } } })
    const frozen = await capabilities(bo)
    for (const one of ['send-message', 'send-reply', 'send-reaction']) assert.equal(frozen.includes(one), false, one)
    assert.ok(frozen.includes('slow-mode'))
    assert.ok(frozen.includes('update-own-message'))

    const stream = await appServer.opens([ada], {}, 'livestream')
    const watcher = await capabilities(bo, stream)
    assert.deepEqual([watcher.includes('send-message'), watcher.includes('read-events')], [true, false])
    assert.equal(
      (await appServer.does('POST', `${path(room)}/query`, { body: {} })).channel.own_capabilities,
      undefined,
    )
    const acting = await appServer.does('POST', `${path(room)}/query`, { body: { user_id: 'bo' } })
    assert.deepEqual(acting.channel.own_capabilities, frozen)
  })

  it('[PERM-3] [PERM-4] every capability depends on each of its permissions and settings', async () => {
    const needs: Record<string, { rights?: string[]; setting?: string }> = {
      'ban-channel-members': { rights: ['ban-channel-member'] },
      'cast-poll-vote': { rights: ['cast-vote'], setting: 'polls' },
      'connect-events': { setting: 'connect_events' },
      'create-attachment': { rights: ['create-attachment'] },
      'create-mention': { rights: ['create-mention'] },
      'delete-any-message': { rights: ['delete-message'] },
      'delete-channel': { rights: ['delete-channel'] },
      'delete-own-message': { rights: ['delete-message'] },
      'delivery-events': { setting: 'delivery_events' },
      'flag-message': { rights: ['flag-message'] },
      'freeze-channel': { rights: ['update-channel-frozen'] },
      'join-channel': { rights: ['add-own-channel-membership'] },
      'leave-channel': { rights: ['remove-own-channel-membership'] },
      'mute-channel': { rights: ['mute-channel'], setting: 'mutes' },
      'pin-message': { rights: ['pin-message'] },
      'query-poll-votes': { rights: ['query-votes'], setting: 'polls' },
      'quote-message': { rights: ['create-message'], setting: 'quotes' },
      'read-events': { setting: 'read_events' },
      'search-messages': { setting: 'search' },
      'send-custom-events': { rights: ['send-custom-event'], setting: 'custom_events' },
      'send-links': { rights: ['add-links'] },
      'send-message': { rights: ['create-message'] },
      'send-poll': { rights: ['send-poll'], setting: 'polls' },
      'send-reaction': { rights: ['create-reaction'], setting: 'reactions' },
      'send-reply': { rights: ['create-message'], setting: 'replies' },
      'send-restricted-visibility-message': { rights: ['create-restricted-visibility-message'] },
      'send-typing-events': { setting: 'typing_events' },
      'set-channel-cooldown': { rights: ['update-channel-cooldown'] },
      'share-location': { rights: ['create-message'], setting: 'shared_locations' },
      'skip-slow-mode': { rights: ['skip-channel-cooldown'] },
      'slow-mode': {},
      'typing-events': { setting: 'typing_events' },
      'update-any-message': { rights: ['update-message'] },
      'update-channel': { rights: ['update-channel'] },
      'update-channel-members': { rights: ['update-channel-members'] },
      'update-own-message': { rights: ['update-message'] },
      'update-thread': { rights: ['update-thread', 'update-message'], setting: 'replies' },
      'upload-file': { rights: ['upload-attachment'], setting: 'uploads' },
    }
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'admin' } } } })
    const room = await appServer.opens([ada], { cooldown: 5 })
    const puts = (body: object) => appServer.does('PUT', '/channeltypes/messaging', { body })
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    const admin: string[] = [...grants.admin, 'add-own-channel-membership']
    const settings = ['connect_events', 'custom_events', 'delivery_events', 'shared_locations']
    await puts({ grants: { admin }, ...Object.fromEntries(settings.map((setting) => [setting, true])) })
    const held = async () => (await bo.opensChannel(room)).channel.own_capabilities!
    assert.deepEqual(await held(), Object.keys(needs))

    for (const [capability, { rights, setting }] of Object.entries(needs)) {
      if (rights) {
        await puts({ grants: { admin: admin.filter((right) => !rights.includes(right)) } })
        assert.equal((await held()).includes(capability), false, `${capability} without ${rights}`)
        await puts({ grants: { admin } })
      }
      if (setting) {
        await puts({ [setting]: false })
        assert.equal((await held()).includes(capability), false, `${capability} without ${setting}`)
        await puts({ [setting]: true })
      }
    }
  })

  it('[PERM-5] a missing capability is refused: with 17 without the permission, with 19 without the setting', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'admin' } } } })
    const room = await appServer.opens([ada])
    const puts = (body: object) => appServer.does('PUT', '/channeltypes/messaging', { body })
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    const admin: string[] = [...grants.admin, 'add-own-channel-membership']
    await puts({ grants: { admin, channel_member: [] }, shared_locations: true })
    const [hers, his] = [await ada.sends(room, 'Hers'), await bo.sends(room, 'His')]
    await ada.sends(room, 'A reply', { parent_id: hers.id })
    const asks = async () =>
      (await bo.does('POST', '/polls', { body: { name: 'Tea?', options: [{ text: 'Yes' }] } })).poll
    const [poll, unsent] = [await asks(), await asks()]
    const asked = await bo.sends(room, '', { poll_id: poll.id })

    type Act = [method: string, at: string, body?: object]
    const sends = (message: object): Act => [
      'POST',
      `${path(room)}/message`,
      { message: { text: 'Hello', ...message } },
    ]
    const changes = (set: object): Act => ['PATCH', path(room), { set }]
    const vote = { option_id: poll.options[0].id }
    const shared_location = { latitude: 48.1, longitude: 11.6, created_by_device_id: 'phone' }
    const acts: Record<string, { act: Act; rights?: string; setting?: string }> = {
      'send-message': { act: sends({}), rights: 'create-message' },
      'send-reply': { act: sends({ parent_id: hers.id }), rights: 'create-message', setting: 'replies' },
      'quote-message': { act: sends({ quoted_message_id: hers.id }), rights: 'create-message', setting: 'quotes' },
      'create-attachment': { act: sends({ attachments: [{ type: 'file' }] }), rights: 'create-attachment' },
      'create-mention': { act: sends({ mentioned_users: ['ada'] }), rights: 'create-mention' },
      'send-links': { act: sends({ text: 'https://example.com' }), rights: 'add-links' },
      'send-restricted-visibility-message': {
        act: sends({ restricted_visibility: ['ada'] }),
        rights: 'create-restricted-visibility-message',
      },
      'share-location': { act: sends({ shared_location }), rights: 'create-message', setting: 'shared_locations' },
      'send-poll': { act: sends({ poll_id: unsent.id }), rights: 'send-poll', setting: 'polls' },
      'cast-poll-vote': {
        act: ['POST', `/messages/${asked.id}/polls/${poll.id}/vote`, { vote }],
        ...{ rights: 'cast-vote', setting: 'polls' },
      },
      'query-poll-votes': { act: ['POST', `/polls/${poll.id}/votes`, {}], rights: 'query-votes', setting: 'polls' },
      'send-reaction': {
        act: ['POST', `/messages/${hers.id}/reaction`, { reaction: { type: 'love' } }],
        ...{ rights: 'create-reaction', setting: 'reactions' },
      },
      'send-custom-events': {
        act: ['POST', `${path(room)}/event`, { event: { type: 'wave' } }],
        ...{ rights: 'send-custom-event', setting: 'custom_events' },
      },
      'update-thread': {
        act: ['PATCH', `/threads/${hers.id}`, { set: { title: 'Tea' } }],
        ...{ rights: 'update-thread update-message', setting: 'replies' },
      },
      'mute-channel': {
        act: ['POST', '/moderation/mute/channel', { channel_cid: room }],
        ...{ rights: 'mute-channel', setting: 'mutes' },
      },
      'flag-message': {
        act: ['POST', '/moderation/flag', { target_message_id: hers.id }],
        rights: 'flag-message',
      },
      'pin-message': { act: ['PUT', `/messages/${hers.id}`, { set: { pinned: true } }], rights: 'pin-message' },
      'update-any-message': { act: ['PUT', `/messages/${hers.id}`, { set: { text: 'X' } }], rights: 'update-message' },
      'update-own-message': { act: ['PUT', `/messages/${his.id}`, { set: { text: 'X' } }], rights: 'update-message' },
      'delete-any-message': { act: ['DELETE', `/messages/${hers.id}`], rights: 'delete-message' },
      'delete-own-message': { act: ['DELETE', `/messages/${his.id}`], rights: 'delete-message' },
      'update-channel': { act: changes({ name: 'Tea' }), rights: 'update-channel' },
      'set-channel-cooldown': { act: changes({ cooldown: 5 }), rights: 'update-channel-cooldown' },
      'freeze-channel': { act: changes({ frozen: true }), rights: 'update-channel-frozen' },
      'update-channel-members': {
        act: ['POST', path(room), { add_members: ['cy'] }],
        rights: 'update-channel-members',
      },
      'ban-channel-members': {
        act: ['POST', '/moderation/ban', { target_user_id: 'cy', channel_cid: room }],
        rights: 'ban-channel-member ban-user',
      },
      'join-channel': {
        act: ['POST', path(room), { add_members: ['bo'] }],
        rights: 'add-own-channel-membership update-channel-members',
      },
      'leave-channel': {
        act: ['POST', path(room), { remove_members: ['bo'] }],
        rights: 'remove-own-channel-membership update-channel-members',
      },
      'delete-channel': { act: ['DELETE', path(room)], rights: 'delete-channel' },
    }
    for (const { act, rights, setting } of Object.values(acts)) {
      const [method, at, body] = act
      if (rights) {
        await puts({ grants: { admin: admin.filter((right) => !rights.split(' ').includes(right)) } })
        await bo.isRefused(17, method, at, body && { body })
        await puts({ grants: { admin } })
      }
      if (setting) {
        await puts({ [setting]: false })
        await bo.isRefused(19, method, at, body && { body })
        await puts({ [setting]: true })
      }
      await bo.does(method, at, body && { body })
    }
  })

  it('[PERM-4] [CHN-53] a user with the right to use a frozen channel writes and reacts there, and has the capabilities', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Before')
    await appServer.does('PATCH', path(room), { body: { set: { frozen: true } } })
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { grants: { channel_member: [...grants.channel_member, 'use-frozen-channel'] } },
    })
    const { own_capabilities } = (await bo.opensChannel(room)).channel
    for (const one of ['send-message', 'send-reply', 'send-reaction']) assert.ok(own_capabilities?.includes(one), one)
    assert.equal((await bo.sends(room, 'Thawed')).type, 'regular')
    await bo.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.does('DELETE', `/messages/${id}/reaction/love`)
  })

  it('[PERM-5] [PERM-18] an app moderator has more rights than a user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/users', { body: { users: { bo: { id: 'bo', role: 'moderator' } } } })
    const room = await appServer.opens([ada])
    await ada.isRefused(17, 'PATCH', path(room), { body: { set: { frozen: true } } })
    const { channel } = await bo.does('PATCH', path(room), { body: { set: { frozen: true } } })
    assert.equal(channel.frozen, true)
    assert.ok(channel.own_capabilities.includes('freeze-channel'))
  })

  it('[PERM-19] the five built-in types differ in their features', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const config = async (type: string) =>
      (await ada.opensChannel(await appServer.opens([ada], {}, type))).channel.config
    const [messaging, team, livestream, gaming, commerce] = await Promise.all(
      ['messaging', 'team', 'livestream', 'gaming', 'commerce'].map(config),
    )
    assert.deepEqual([messaging?.name, messaging?.polls, messaging?.max_message_length], ['messaging', true, 5000])
    assert.deepEqual([team?.count_messages, livestream?.read_events, livestream?.url_enrichment], [true, false, false])
    assert.deepEqual(
      [gaming?.replies, gaming?.search, commerce?.typing_events, commerce?.polls],
      [false, false, true, false],
    )
    assert.deepEqual(
      messaging?.commands.map(({ name }) => name),
      ['giphy', 'ban', 'unban', 'mute', 'unmute'],
    )
  })

  it('[CHN-12] the app’s server creates creator and members from user objects', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const dee = { user: { id: 'dee', name: 'Dee' }, shift: 'late' }
    const data = { members: ['ada', dee], created_by: { id: 'eve', name: 'Eve', mood: 'calm' } }
    const made = await appServer.does('POST', '/channels/messaging/tea/query', { body: { data, state: true } })
    assert.deepEqual([made.channel.created_by?.name, made.channel.created_by?.mood], ['Eve', 'calm'])
    const place = made.members.find((member: Member) => member.user_id === 'dee')
    assert.deepEqual([place.user.name, place.shift], ['Dee', 'late'])

    const joining = [{ user: { id: 'fay' } }, { user_id: '', user: { id: 'dee', name: 'Dora' } }]
    const { channel, members } = await appServer.does('POST', path('messaging:tea'), { body: { add_members: joining } })
    assert.deepEqual([channel.member_count, members.some((member: Member) => member.user.name === 'Dora')], [3, true])
    const met = await meets(appServer, [], { members: [{ user: { id: 'dee' } }, 'ada'], created_by: { id: 'ada' } })
    assert.equal((await meets(ada, ['ada', 'dee'])).channel.cid, met.channel.cid)

    // A client sends ids; user objects of other users are ignored.
    const said = [{ user: { id: 'ada' } }, { user: { id: 'fay', name: 'Fanny' } }]
    const own = await meets(ada, [], { members: said })
    const listed = (await ada.opensChannel(own.channel.cid)).members
    assert.deepEqual(
      listed.map(({ user }) => user.name),
      ['Ada', undefined],
    )
    await ada.isRefused(4, 'POST', path(own.channel.cid), { body: { add_members: [{ user: { id: 'gus' } }] } })
    await appServer.isRefused(4, 'POST', path('messaging:tea'), {
      body: { add_members: [{ user: { id: 'no such' } }] },
    })
  })
})

onEveryTransport((fixture) => {
  it('[CHN-44] watchers receive an update without any user’s capabilities', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)
    await ada.does('PATCH', path(room), { body: { set: { name: 'Tea', colour: 'green' } } })
    for (const testUser of [ada, bo]) {
      const { channel, user, cid } = await testUser.receives('channel.updated')
      assert.deepEqual([cid, channel.name, channel.colour, user.id], [room, 'Tea', 'green', 'ada'])
      assert.equal('own_capabilities' in channel, false)
      assert.deepEqual((await testUser.opensChannel(room)).channel.name, 'Tea')
    }
    await appServer.does('POST', path(room), { body: { data: { name: 'Tea', frozen: true } } })
    const event = await bo.receives('channel.updated')
    assert.deepEqual([event.channel.frozen, event.user], [true, undefined])
    assert.equal((await bo.opensChannel(room)).channel.own_capabilities?.includes('send-message'), false)
  })
})
