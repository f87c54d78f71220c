import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'

const rules = (appServer: AppServer, settings: object) => appServer.does('PATCH', '/app', { body: settings })
const upserts = (caller: TestUser | AppServer, ...users: { id: string; [field: string]: unknown }[]) =>
  caller.does('POST', '/users', { body: { users: Object.fromEntries(users.map((user) => [user.id, user])) } })

async function finds(caller: TestUser | AppServer, filter: object): Promise<string[]> {
  const payload = JSON.stringify({ filter_conditions: filter, sort: [{ field: 'id' }] })
  const { users } = await caller.does('GET', '/users', { query: { payload } })
  return users.map((user: { id: string }) => user.id)
}

onEveryStorage((fixture) => {
  it('with multi-tenancy users find only users who share a team with them', async () => {
    const { ada, bo, cy, dan, appServer } = await fixture.createApp('ada', 'bo', 'cy', 'dan')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(
      appServer,
      { id: 'ada', teams: ['red', 'blue'] },
      { id: 'bo', teams: ['blue'] },
      { id: 'cy', teams: ['green'] },
      { id: 'dan' },
    )
    assert.deepEqual(await finds(ada, {}), ['ada', 'bo'])
    assert.deepEqual(await finds(cy, {}), ['cy'])
    assert.deepEqual(await finds(dan, {}), ['dan'])
    assert.deepEqual(await finds(bo, { teams: {} }), ['ada', 'bo'])
    assert.deepEqual(await finds(bo, { teams: { $in: ['green'] } }), [])
    assert.deepEqual(await finds(appServer, {}), ['ada', 'bo', 'cy', 'dan'])
  })

  it('with multi-tenancy users find the channels of their teams, and unread counts are per team', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] }, { id: 'bo', teams: ['red', 'blue'] })
    const red = await appServer.opens([ada, bo], { team: 'red' })
    const blue = await appServer.opens([ada, bo], { team: 'blue' })
    const none = await appServer.opens([ada, bo])
    const found = async (filter: object = {}) => {
      const filter_conditions = { members: { $in: ['ada'] }, ...filter }
      const { channels } = await ada.does('POST', '/channels', { body: { filter_conditions } })
      return channels.map(({ channel }: { channel: { cid: string } }) => channel.cid).sort()
    }
    assert.deepEqual(await found(), [red, blue].sort())
    assert.deepEqual(await found({ team: 'red' }), [red])
    await ada.isRefused(17, 'POST', '/channels/messaging/mine/query', { body: { data: { members: ['ada'] } } })
    for (const room of [red, blue])
      await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Hi', user_id: 'bo' } } })
    const { total_unread_count_by_team } = await ada.does('GET', '/unread')
    assert.deepEqual(total_unread_count_by_team, { red: 1, blue: 1 })
    await ada.connects()
    assert.deepEqual(ada.me.total_unread_count_by_team, { red: 1, blue: 1 })
    const moved = await appServer.does('PATCH', path(none), { body: { set: { team: 'red' } } })
    assert.equal(moved.channel.team, 'red')
    assert.deepEqual(await found({ team: 'red' }), [red, none].sort())
  })

  it('with multi-tenancy a user cannot move a channel to a team where they could not create one', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] }, { id: 'bo', teams: ['green'] })
    const room = await appServer.opens([ada], { team: 'red' })
    for (const body of [{ set: { team: 'green' } }, { set: { team: null } }, { unset: ['team'] }])
      await ada.isRefused(17, 'PATCH', path(room), { body })
    await ada.isRefused(17, 'POST', path(room), { body: { data: { team: 'green' } } })
    const { channel } = await ada.does('PATCH', path(room), { body: { set: { team: 'blue' } } })
    assert.equal(channel.team, 'blue')
    await appServer.does('PATCH', path(room), { body: { set: { team: 'green' } } })
    await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
  })

  it('names are unique where the app enables it, in the app or in a team', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await rules(appServer, { enforce_unique_usernames: 'app' })
    await upserts(appServer, { id: 'ada', name: 'Ada Lovelace' })
    const refused = (...users: { id: string; [field: string]: unknown }[]) =>
      appServer.isRefused(6, 'POST', '/users', {
        body: { users: Object.fromEntries(users.map((user) => [user.id, user])) },
      })
    await refused({ id: 'bo', name: 'ada-lovelace!' })
    await refused({ id: 'bo', name: 'Bo' }, { id: 'cy', name: 'B.O.' })
    await appServer.isRefused(6, 'POST', '/users', {
      body: { users: { ada: { id: 'ada', name: 'Bo' }, bo: { id: 'bo', name: 'bo' } } },
    })
    await upserts(appServer, { id: 'ada', name: 'Ada Lovelace' }, { id: 'bo', name: 'Bo' })
    await ada.isRefused(6, 'PATCH', '/users', { body: { users: [{ id: 'ada', set: { name: 'bo' } }] } })
    assert.equal((await ada.connects({ details: { name: 'B o' } })).error.code, 6)
    await upserts(appServer, { id: 'cy' }, { id: 'dan', name: '!!!' }, { id: 'eve', name: '???' })

    await rules(appServer, { enforce_unique_usernames: 'team' })
    await upserts(appServer, { id: 'bo', name: 'Bo', teams: ['red'] }, { id: 'fay', name: 'Bo', teams: ['blue'] })
    await refused({ id: 'gil', name: 'Bo', teams: ['blue', 'green'] })
    await rules(appServer, { enforce_unique_usernames: 'no' })
    await upserts(appServer, { id: 'gil', name: 'Bo', teams: ['blue', 'green'] })
  })

  it('a user of another team cannot be muted, blocked or reported, unless both share a channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(
      appServer,
      { id: 'ada', teams: ['red'] },
      { id: 'bo', teams: ['blue'] },
      { id: 'cleo', teams: ['red'] },
    )
    const calls = (id: string) =>
      [
        ['/moderation/mute', { target_id: id }],
        ['/moderation/flag', { target_user_id: id }],
        ['/api/v2/moderation/flag', { entity_type: 'user', entity_id: id }],
        ['/users/block', { blocked_user_id: id }],
      ] as const
    for (const [at, body] of calls('bo')) await ada.isRefused(16, 'POST', at, { body })
    for (const at of ['/moderation/mute', '/api/v2/moderation/mute'])
      for (const target_ids of [['bo'], ['bo', 'cleo']])
        assert.deepEqual((await ada.does('POST', at, { body: { target_ids } })).non_existing_users, ['bo'])
    for (const [at, body] of calls('cleo')) await ada.does('POST', at, { body })
    const room = await appServer.opens([ada], { team: 'red' })
    const told = await ada.sends(room, '/mute @bo')
    assert.deepEqual([told.type, /Bo/.test(told.text ?? '')], ['error', false])

    await appServer.opens([ada, bo], { team: 'red' })
    for (const [at, body] of calls('bo')) await ada.does('POST', at, { body })
    const muted = await ada.does('POST', '/api/v2/moderation/mute', { body: { target_ids: ['bo'] } })
    assert.deepEqual([muted.mutes.length, muted.non_existing_users], [1, undefined])
  })

  it('a user of another team cannot be added, invited or mentioned, unless both share a channel', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(
      appServer,
      { id: 'ada', teams: ['red'] },
      { id: 'bo', teams: ['blue'] },
      { id: 'cleo', teams: ['red'] },
    )
    const room = await appServer.opens([ada], { team: 'red' })
    const making = (id: string) => ({ body: { data: { team: 'red', members: ['ada', id] } } })
    const mentioned = async (...mentioned_users: string[]) => {
      const said = await ada.sends(room, 'Hello', { mentioned_users })
      const { message } = await ada.does('PUT', `/messages/${said.id}`, { body: { set: { mentioned_users } } })
      const { draft } = await ada.does('POST', `${path(room)}/draft`, {
        body: { message: { text: '', mentioned_users } },
      })
      return [said, message, draft.message].map((one) => one.mentioned_users.map(({ id }: { id: string }) => id))
    }
    for (const body of [{ add_members: ['bo'] }, { invites: ['bo'] }, { add_moderators: ['bo'] }])
      await ada.isRefused(4, 'POST', path(room), { body })
    await ada.isRefused(4, 'POST', '/channels/messaging/query', making('bo'))
    assert.deepEqual(await mentioned('bo', 'cleo'), [['cleo'], ['cleo'], ['cleo']])
    await ada.does('POST', path(room), { body: { add_members: ['cleo'] } })
    await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'Hello', user_id: 'ada', mentioned_users: ['bo'] } },
    })
    const { messages } = await cleo.opensChannel(room)
    assert.deepEqual(
      messages.at(-1)!.mentioned_users.map(({ id }) => id),
      ['bo'],
    )

    await appServer.opens([ada, bo], { team: 'red' })
    assert.deepEqual(await mentioned('bo'), [['bo'], ['bo'], ['bo']])
    await ada.does('POST', '/channels/messaging/query', making('bo'))
    await ada.does('POST', path(room), { body: { add_members: ['bo'] } })
  })

  it('roles without the right to search users are refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await rules(appServer, { user_search_disallowed_roles: ['user'] })
    await ada.isRefused(17, 'GET', '/users', { query: { payload: '{}' } })
    assert.deepEqual(await finds(appServer, {}), ['ada'])
    await upserts(appServer, { id: 'ada', role: 'moderator' })
    assert.deepEqual(await finds(ada, {}), ['ada'])
  })

  it('a user with the permission changes other users, their roles and teams', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const patches = (set: object) => ({ body: { users: [{ id: 'bo', set }] } })
    await ada.isRefused(17, 'PATCH', '/users', patches({ name: 'B' }))
    await rules(appServer, { grants: { user: ['update-user', 'search-user', 'update-user-role'] } })
    const { users } = await ada.does('PATCH', '/users', patches({ name: 'B', role: 'moderator' }))
    assert.deepEqual([users.bo.name, users.bo.role], ['B', 'moderator'])
    await ada.isRefused(17, 'PATCH', '/users', patches({ teams: ['red'] }))
    await bo.isRefused(17, 'PATCH', '/users', { body: { users: [{ id: 'ada', set: { name: 'A' } }] } })
  })

  it('a user without the right to update themselves does not change, not even on connecting', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    await upserts(appServer, { id: 'ada', name: 'Ada', mood: 'calm' })
    const own = (set: object) => ({ body: { users: [{ id: 'ada', set }] } })
    await ada.does('PATCH', '/users', own({ mood: 'glad' }))
    await rules(appServer, { grants: { user: ['search-user'] } })
    await ada.isRefused(17, 'PATCH', '/users', own({ mood: 'sad' }))
    await ada.isRefused(17, 'POST', '/users', { body: { users: { ada: { id: 'ada', name: 'Queen' } } } })
    const { me } = await ada.device().connects({ details: { name: 'Queen', mood: 'sad' } })
    assert.deepEqual([me.name, me.mood, me.online], ['Ada', 'glad', true])
    const { me: cy } = await appServer.user('cy').connects({ details: { name: 'Cy' } })
    assert.equal(cy.name, 'Cy')

    await rules(appServer, { grants: { user: ['update-user-owner', 'update-user-role-owner'] } })
    await ada.does('PATCH', '/users', own({ mood: 'sad', role: 'moderator' }))
  })

  it('privacy settings can be changed by the user even where the name cannot', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { grants: { user: ['search-user'] } })
    const off = { enabled: false }
    const patch = (...users: object[]) => ({ body: { users } })
    await ada.does('PATCH', '/users', patch({ id: 'ada', set: { privacy_settings: { read_receipts: off } } }))
    const more = { set: { 'privacy_settings.typing_indicators': off }, unset: ['privacy_settings.read_receipts'] }
    const { users } = await ada.does('PATCH', '/users', patch({ id: 'ada', ...more }))
    assert.deepEqual(users.ada.privacy_settings, { typing_indicators: off })

    const privacy_settings = { read_receipts: off }
    for (const refused of [
      { id: 'ada', set: { privacy_settings, name: 'Queen' } },
      { id: 'ada', set: { privacy_settings }, unset: ['name'] },
      { id: 'ada', set: {} },
      { id: bo.id, set: { privacy_settings } },
    ])
      await ada.isRefused(17, 'PATCH', '/users', patch(refused))
  })

  it('with multi-tenancy a user with the permission changes users of their own teams, or of any', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await upserts(
      appServer,
      { id: 'ada', teams: ['red'] },
      { id: 'bo', teams: ['blue'] },
      { id: 'cleo', teams: ['red'] },
    )
    await rules(appServer, { multi_tenant_enabled: true, grants: { user: ['update-user'] } })
    const changes = [
      (id: string) => ['PATCH', { users: [{ id, set: { name: 'New' } }] }] as const,
      (id: string) => ['POST', { users: { [id]: { id, name: 'New' } } }] as const,
    ]
    for (const change of changes) {
      const [method, body] = change('bo')
      await ada.does(method, '/users', { body: change('cleo')[1] })
      await ada.isRefused(17, method, '/users', { body })
      await rules(appServer, { grants: { user: ['update-user-any-team'] } })
      await ada.does(method, '/users', { body })
      await rules(appServer, { grants: { user: ['update-user'] } })
    }
  })

  it('the app’s server sees all user fields, clients only the permitted ones', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.sends(room, 'Hi')
    await ada.does('POST', '/moderation/mute', { body: { target_id: 'bo' } })
    await ada.does('POST', '/moderation/mute/channel', { body: { channel_cid: room } })
    await ada.does('POST', '/users/block', { body: { blocked_user_id: 'bo' } })
    const payload = JSON.stringify({ filter_conditions: { id: { $in: ['ada', 'bo'] } }, sort: [{ field: 'id' }] })
    const seenBy = async (caller: TestUser | AppServer) =>
      (await caller.does('GET', '/users', { query: { payload } })).users
    const [full, other] = await seenBy(appServer)
    assert.deepEqual(
      [full.blocked_user_ids, full.mutes[0].target.id, full.channel_mutes[0].channel.cid, full.devices],
      [['bo'], 'bo', room, []],
    )
    assert.deepEqual([full.total_unread_count, full.unread_channels, full.unread_threads], [0, 0, 0])
    assert.deepEqual([other.mutes, other.blocked_user_ids, other.shadow_banned], [[], [], false])
    const [own] = await seenBy(ada)
    assert.deepEqual(
      [own.blocked_user_ids, own.invisible, own.mutes, own.devices],
      [['bo'], false, undefined, undefined],
    )
    const [seen] = await seenBy(bo)
    assert.deepEqual([seen.blocked_user_ids, seen.invisible, seen.unread_count], [[], undefined, undefined])
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', banned_by_id: 'ada', shadow: true },
    })
    assert.deepEqual(
      [await finds(appServer, { shadow_banned: true }), await finds(ada, { shadow_banned: true })],
      [['bo'], []],
    )
  })

  it('a user is exported with all messages and reactions', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { shoe: 38 } }] } })
    const said = await ada.sends(room, 'Hello')
    const answer = await ada.sends(room, 'A reply', { parent_id: said.id })
    await bo.sends(room, 'not hers')
    await ada.does('POST', `/messages/${said.id}/reaction`, { body: { reaction: { type: 'love' } } })
    const all = await appServer.does('GET', '/users/ada/export')
    assert.deepEqual([all.id, all.name, all.shoe, all.user.id, all.user.shoe], ['ada', 'Ada', 38, 'ada', 38])
    assert.deepEqual(
      all.messages.map((message: { id: string; user: null }) => [message.id, message.user]),
      [
        [said.id, null],
        [answer.id, null],
      ],
    )
    assert.deepEqual([all.reactions.length, all.reactions[0].type, all.reactions[0].user], [1, 'love', null])
    await appServer.isRefused(16, 'GET', '/users/nobody/export')
    await ada.isRefused(17, 'GET', '/users/ada/export')
  })
})

onEveryTransport((fixture) => {
  it('[READ-27] a user who leaves a team has no unread counts and events of its channels until they return', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] }, { id: 'bo', teams: ['red', 'blue'] })
    const red = await appServer.opens([ada, bo], { team: 'red' })
    const blue = await appServer.opens([ada, bo], { team: 'blue' })
    const { id: parent_id } = await appServer
      .does('POST', `${path(blue)}/message`, { body: { message: { text: 'Lunch?', user_id: 'ada' } } })
      .then(({ message }) => message)
    for (const room of [red, blue]) await bo.sends(room, 'Hello')
    await bo.sends(blue, 'Pho', { parent_id })
    await ada.watches(blue)
    assert.deepEqual([ada.me.total_unread_count, ada.me.unread_channels, ada.me.unread_threads], [2, 2, 1])

    await upserts(appServer, { id: 'ada', teams: ['red'] })
    const ofBlue = async () => {
      const { total_unread_count, total_unread_count_by_team, threads } = await ada.does('GET', '/unread')
      const { counts_by_user } = await appServer.does('POST', '/unread_batch', { body: { user_ids: ['ada'] } })
      assert.equal(counts_by_user.ada.total_unread_count, total_unread_count)
      return [total_unread_count, total_unread_count_by_team, threads.length]
    }
    assert.deepEqual(await ofBlue(), [1, { red: 1 }, 0])
    const phone = ada.device()
    await phone.connects()
    assert.deepEqual([phone.me.total_unread_count, phone.me.unread_channels, phone.me.unread_threads], [1, 1, 0])
    await ada.receives('capabilities.changed', ({ cid }) => cid === blue)
    const isOut = () => fixture.nodes[0]!.server.hub.user(ada.app.id, 'ada')?.channels.has(blue) === false
    await eventually(isOut, 'she is out of it')
    await bo.sends(blue, 'Secret')
    await bo.sends(red, 'Open')
    const told = await ada.receives('notification.message_new', ({ cid }) => cid === red)
    assert.deepEqual([told.total_unread_count, told.unread_channels], [2, 1])
    assert.equal(
      (await ada.received()).some(({ message }) => message?.text === 'Secret'),
      false,
    )

    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] })
    await eventually(() => !isOut(), 'she is in it again')
    await bo.sends(red, 'Open again')
    const back = await ada.receives('notification.message_new', ({ cid }) => cid === red)
    assert.deepEqual([back.total_unread_count, back.unread_channels], [5, 2])
    assert.deepEqual(await ofBlue(), [5, { red: 3, blue: 2 }, 1])
  })

  it('[READ-27] a channel moved to another team does not count for non-members of the team, and counts again once it is moved back', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red'] }, { id: 'bo', teams: ['red', 'blue'] })
    const red = await appServer.opens([ada, bo], { team: 'red' })
    const moving = await appServer.opens([ada, bo], { team: 'red' })
    for (const room of [red, moving]) await bo.sends(room, 'Hello')
    await ada.watches(moving)
    assert.deepEqual([ada.me.total_unread_count, ada.me.unread_channels], [2, 2])
    const isIn = () => fixture.nodes[0]!.server.hub.user(ada.app.id, 'ada')!.channels.has(moving)
    const moves = (team: string) => appServer.does('PATCH', path(moving), { body: { set: { team } } })

    await moves('blue')
    await ada.receives('capabilities.changed')
    await eventually(() => !isIn(), 'she is out of it')
    await bo.sends(moving, 'Secret')
    await bo.sends(red, 'Open')
    const told = await ada.receives('notification.message_new')
    assert.deepEqual([told.message.text, told.total_unread_count, told.unread_channels], ['Open', 2, 1])

    await moves('red')
    await eventually(isIn, 'she is in it again')
    await bo.sends(moving, 'Open again')
    const back = await ada.receives('notification.message_new')
    assert.deepEqual([back.message.text, back.total_unread_count, back.unread_channels], ['Open again', 5, 2])
    assert.equal((await ada.does('GET', '/unread')).total_unread_count, 5)
  })

  it('[READ-27] enabling or disabling multi-tenancy updates the counts and events of connected users', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await upserts(appServer, { id: 'ada', teams: ['red'] }, { id: 'bo', teams: ['red', 'blue'] })
    const red = await appServer.opens([ada, bo], { team: 'red' })
    const blue = await appServer.opens([ada, bo], { team: 'blue' })
    for (const room of [red, blue]) await bo.sends(room, 'Hello')
    await ada.connects()
    assert.deepEqual([ada.me.total_unread_count, ada.me.unread_channels], [2, 2])
    const isIn = () => fixture.nodes[0]!.server.hub.user(ada.app.id, 'ada')!.channels.has(blue)

    await rules(appServer, { multi_tenant_enabled: true })
    await eventually(() => !isIn(), 'she is out of it')
    await bo.sends(blue, 'Secret')
    await bo.sends(red, 'Open')
    const told = await ada.receives('notification.message_new')
    assert.deepEqual([told.message.text, told.total_unread_count, told.unread_channels], ['Open', 2, 1])

    await rules(appServer, { multi_tenant_enabled: false })
    await eventually(isIn, 'she is in it again')
    await bo.sends(blue, 'Open again')
    const back = await ada.receives('notification.message_new')
    assert.deepEqual([back.message.text, back.total_unread_count, back.unread_channels], ['Open again', 5, 2])
  })

  it('[READ-27] thread replies are not delivered to a participant who left the team', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] }, { id: 'bo', teams: ['red', 'blue'] })
    const blue = await appServer.opens([ada, bo], { team: 'blue' })
    const message = { text: 'Lunch?', user_id: 'ada' }
    const { message: parent } = await appServer.does('POST', `${path(blue)}/message`, { body: { message } })
    await ada.connects()
    await upserts(appServer, { id: 'ada', teams: ['red'] })
    const isOut = () => fixture.nodes[0]!.server.hub.user(ada.app.id, 'ada')?.channels.has(blue) === false
    await eventually(isOut, 'she is out of it')
    await bo.sends(blue, 'Secret', { parent_id: parent.id })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] })
    await eventually(() => !isOut(), 'she is in it again')
    await bo.sends(blue, 'Open', { parent_id: parent.id })
    const told = await ada.receives('notification.thread_message_new')
    assert.deepEqual([told.message.text, told.unread_thread_messages], ['Open', 2])
  })

  it('[READ-27] a watching non-member receives no more events of a channel they can no longer read', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] }, { id: 'bo', teams: ['red', 'blue'] })
    const opens = () => appServer.opens([bo], { team: 'blue' }, 'livestream')
    const rooms = [await opens(), await opens()]
    for (const testUser of [ada, bo]) for (const room of rooms) await testUser.watches(room)
    await appServer.does('PATCH', path(rooms[1]!), { body: { set: { team: 'green' } } })
    await ada.receives('capabilities.changed', ({ cid }) => cid === rooms[1])
    await upserts(appServer, { id: 'ada', teams: ['red'] })
    await ada.receives('capabilities.changed', ({ cid }) => cid === rooms[0])
    const watchers = () => fixture.nodes[0]!.server.hub.watchersHere(ada.app.id, rooms[0]!)
    await eventually(() => !watchers().some(({ userId }) => userId === 'ada'), 'she watches no more')
    for (const room of rooms.reverse())
      await appServer.does('POST', `${path(room)}/message`, { body: { message: { text: 'Secret', user_id: 'bo' } } })
    await bo.receives('message.new')
    assert.deepEqual(
      (await ada.received()).filter(({ message }) => message),
      [],
    )
  })

  it('[POL-20] polls of a channel whose team the user left are not found', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] }, { id: 'bo', teams: ['red', 'blue'] })
    const found = async () => {
      const { polls } = await ada.does('POST', '/polls/query', { body: { sort: [{ field: 'name' }] } })
      return polls.map(({ name }: { name: string }) => name)
    }
    for (const team of ['red', 'blue']) {
      const room = await appServer.opens([ada, bo], { team })
      const { poll } = await bo.does('POST', '/polls', { body: { name: team, options: [{ text: 'Pho' }] } })
      await bo.sends(room, '', { poll_id: poll.id })
    }
    await ada.does('POST', '/polls', { body: { name: 'own', options: [{ text: 'Pho' }] } })
    assert.deepEqual(await found(), ['blue', 'own', 'red'])
    await upserts(appServer, { id: 'ada', teams: ['red'] })
    await eventually(async () => (await found()).join() === 'own,red', 'hers and those of her team are found')
  })

  it('[READ-27] a member added to a channel of another team receives no events before joining the team', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    await rules(appServer, { multi_tenant_enabled: true })
    await upserts(
      appServer,
      { id: 'ada', teams: ['red'] },
      { id: 'bo', teams: ['blue'] },
      { id: 'cy', teams: ['blue'] },
    )
    const room = await appServer.opens([bo], { team: 'blue' })
    for (const testUser of [ada, cy]) await testUser.connects()
    await appServer.does('POST', path(room), { body: { add_members: ['ada', 'cy'] } })
    await cy.receives('notification.added_to_channel')
    await bo.sends(room, 'Secret')
    assert.equal((await cy.receives('notification.message_new')).message.text, 'Secret')
    assert.deepEqual(
      (await ada.received()).filter(({ cid }) => cid === room),
      [],
    )
    assert.equal((await ada.device().connects()).me.total_unread_count, 0)

    await upserts(appServer, { id: 'ada', teams: ['red', 'blue'] })
    const isIn = () => fixture.nodes[0]!.server.hub.user(ada.app.id, 'ada')!.channels.has(room)
    await eventually(isIn, 'she is in it')
    await bo.sends(room, 'Open')
    const told = await ada.receives('notification.message_new')
    assert.deepEqual([told.message.text, told.total_unread_count], ['Open', 2])
  })

  it('of two users who take the same name concurrently on any node, one gets it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await rules(appServer, { enforce_unique_usernames: 'app' })
    for (const name of ['Kim', 'Lou', 'Max', 'Noa', 'Pat']) {
      const takes = (who: TestUser) => who.call('PATCH', '/users', { body: { users: [{ id: who.id, set: { name } }] } })
      // The other node learns of the rule a moment later.
      const isHeld = () => bo.call('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Ada' } }] } })
      await ada.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { name: 'Ada' } }] } })
      await eventually(async () => (await isHeld()).body.code === 6, 'bo’s node knows the rule')
      const answers = await Promise.all([takes(ada), takes(bo)])
      assert.deepEqual(answers.map(({ body }) => body.code).toSorted(), [6, undefined], name)
      await bo.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { name: 'Bo' } }] } })
    }
  })

  it('a custom event of the app’s server reaches all devices of a user, and no other user', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const second = ada.device(bo.url)
    for (const device of [ada, second, bo]) await device.connects()
    const send = (event: object, id = 'ada') => ({ body: { event }, path: `/users/${id}/event` })
    await appServer.does('POST', '/users/ada/event', send({ type: 'invoice', amount: 5 }))
    for (const device of [ada, second]) {
      const event = await device.receives('invoice')
      assert.deepEqual([event.amount, typeof event.created_at], [5, 'string'])
    }
    assert.equal((await bo.receivedTypes()).includes('invoice'), false)
    await appServer.isRefused(4, 'POST', '/users/ada/event', send({ type: 'message.new' }))
    await appServer.isRefused(4, 'POST', '/users/ada/event', send({ type: '' }))
    await appServer.isRefused(4, 'POST', '/users/ada/event', send({}))
    await appServer.isRefused(22, 'POST', '/users/ada/event', send({ type: 'x', story: 'x'.repeat(6_000) }))
    await appServer.isRefused(16, 'POST', '/users/nobody/event', send({ type: 'x' }))
    await bo.isRefused(17, 'POST', '/users/ada/event', send({ type: 'x' }))
  })

  it('[CHN-49] a user banned in the app, or with a new role, receives the new capabilities', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', banned_by_id: 'ada', reason: 'spam' },
    })
    const banned = await bo.receives('capabilities.changed')
    assert.deepEqual([banned.cid, banned.own_capabilities.includes('send-message')], [room, false])
    assert.deepEqual((await bo.receives('user.banned')).reason, 'spam')
    await appServer.does('DELETE', '/moderation/ban', { query: { target_user_id: 'bo', user_id: 'ada' } })
    const free = await bo.receives('capabilities.changed')
    assert.equal(free.own_capabilities.includes('send-message'), true)
    await upserts(appServer, { id: 'bo', role: 'moderator' })
    const raised = await bo.receives('capabilities.changed')
    assert.equal(raised.own_capabilities.includes('ban-channel-members'), true)
    await eventually(
      async () => (await bo.opensChannel(room)).channel.own_capabilities!.join() === raised.own_capabilities.join(),
      'what was told holds',
    )
  })
})
