import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const says = (testUser: TestUser, cid: string, text = 'hello') =>
  testUser.call('POST', `${path(cid)}/message`, { body: { message: { text } } })

onEveryStorage((fixture) => {
  it('[PERM-7] [PERM-15] [PERM-20] only the server lists and creates permissions, and built-in ones cannot be deleted', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const { permissions } = await appServer.does('GET', '/permissions')
    const builtIn = permissions.find(({ id }: { id: string }) => id === 'update-message-owner')
    assert.deepEqual(
      [builtIn.action, builtIn.owner, builtIn.same_team, builtIn.custom, builtIn.level, builtIn.owner_resource],
      ['UpdateMessage', true, true, false, 'channel', 'message'],
    )

    const made = await appServer.does('POST', '/permissions', {
      body: { name: 'Write On Sundays', action: 'CreateMessage', condition: { '$subject.mood': 'sunny' } },
    })
    assert.deepEqual([made.permission.id, made.permission.custom], ['write-on-sundays', true])
    const { permission } = await appServer.does('GET', '/permissions/write-on-sundays')
    assert.deepEqual(permission, made.permission)
    assert.equal((await appServer.does('GET', '/permissions')).permissions.length, permissions.length + 1)

    await appServer.isRefused(4, 'POST', '/permissions', {
      body: { name: 'Write On Sundays', action: 'CreateMessage' },
    })
    await appServer.isRefused(4, 'POST', '/permissions', { body: { name: 'x', action: 'Fly' } })
    await appServer.isRefused(4, 'POST', '/permissions', {
      body: { name: 'x', action: 'CreateMessage', condition: { mood: 'sunny' } },
    })
    await appServer.isRefused(4, 'PUT', '/permissions/create-message', { body: { name: 'mine now' } })
    await appServer.isRefused(4, 'DELETE', '/permissions/create-message')
    await appServer.isRefused(16, 'GET', '/permissions/fly')
    for (const [method, at] of [
      ['GET', '/permissions'],
      ['GET', '/permissions/create-message'],
      ['POST', '/permissions'],
      ['PUT', '/permissions/write-on-sundays'],
      ['DELETE', '/permissions/write-on-sundays'],
    ] as const)
      await ada.isRefused(17, method, at, method === 'GET' || method === 'DELETE' ? {} : { body: {} })
  })

  it('[PERM-8] [PERM-9] a custom permission is updated, and deleting it revokes it from all roles', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { mood: 'sunny' } }] } })
    const room = await appServer.opens([ada])
    await appServer.does('POST', '/permissions', {
      body: { id: 'sunny', name: 'Sunny', action: 'CreateMessage', condition: { '$subject.mood': { $eq: 'sunny' } } },
    })
    await appServer.does('POST', '/permissions', {
      body: { id: 'see-rooms', name: 'See rooms', action: 'ReadChannel', condition: { '$resource.type': 'messaging' } },
    })
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    const user = [...grants.user, 'sunny', 'see-rooms']
    const put = await appServer.does('PUT', '/channeltypes/messaging', { body: { grants: { user } } })
    assert.deepEqual(put.grants.user, user)
    assert.equal((await says(bo, room)).status, 201)

    const changed = await appServer.does('PUT', '/permissions/sunny', {
      body: { condition: { '$subject.mood': { $in: ['rainy'] } } },
    })
    assert.deepEqual(changed.permission.condition, { '$subject.mood': { $in: ['rainy'] } })
    assert.equal((await says(bo, room)).body.code, 17)

    await appServer.does('DELETE', '/permissions/sunny')
    await appServer.isRefused(16, 'GET', '/permissions/sunny')
    const loud = { id: 'See-ROOMS_2', name: 'See rooms', action: 'ReadChannel' }
    await appServer.does('POST', '/permissions', { body: loud })
    assert.equal((await appServer.does('GET', '/permissions/See-ROOMS_2')).permission.action, 'ReadChannel')
    assert.deepEqual((await appServer.does('GET', '/channeltypes/messaging')).grants.user, [
      ...grants.user,
      'see-rooms',
    ])
  })

  it('[PERM-8] a concurrently deleted permission cannot be changed', async () => {
    const { appServer } = await fixture.createApp()
    await appServer.does('POST', '/permissions', { body: { id: 'sunny', name: 'Sunny', action: 'CreateMessage' } })
    justBefore(fixture.nodes[0]!.server.commit, 'write', () => appServer.does('DELETE', '/permissions/sunny'))
    await appServer.isRefused(16, 'PUT', '/permissions/sunny', { body: { description: 'Only when it shines' } })
  })

  it('a request that creates or changes a rule returns it, even if another deletes it concurrently', async () => {
    const { appServer } = await fixture.createApp()
    const { apps } = fixture.nodes[0]!.server
    for (const [place, at, body] of [
      ['/channeltypes', '/channeltypes/salon', { name: 'salon', max_message_length: 7 }],
      ['/commands', '/commands/poem', { name: 'poem', description: 'A poem' }],
      ['/blocklists', '/blocklists/rude', { name: 'rude', words: ['rude'] }],
      ['/roles', '/roles/Host', { name: 'Host' }],
    ] as const) {
      const deletes = () => appServer.does('DELETE', at)
      justBefore(apps, 'reload', deletes)
      const made = await appServer.does('POST', place, { body })
      assert.match(JSON.stringify(made), new RegExp(body.name))
      if (place === '/roles') continue
      await appServer.does('POST', place, { body })
      justBefore(apps, 'reload', deletes)
      const { name: _, ...change } = body
      assert.match(JSON.stringify(await appServer.does('PUT', at, { body: change })), new RegExp(body.name))
    }
  })

  it('[PERM-10] [PERM-11] [PERM-14] [PERM-18] only the server lists, creates and deletes roles', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const { roles } = await appServer.does('GET', '/roles')
    const names = roles.map(({ name }: { name: string }) => name)
    for (const name of ['user', 'guest', 'anonymous', 'moderator', 'admin', 'channel_member', 'channel_moderator'])
      assert.ok(names.includes(name), name)
    const anonymous = roles.find(({ name }: { name: string }) => name === 'anonymous')
    assert.deepEqual([anonymous.custom, anonymous.scopes], [false, ['livestream']])

    const { role } = await appServer.does('POST', '/roles', { body: { name: 'Host' } })
    assert.deepEqual([role.name, role.custom, role.scopes], ['Host', true, []])
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { grants: { Host: ['read-channel', 'pin-message'] } },
    })
    const listed = (await appServer.does('GET', '/roles')).roles.find(({ name }: { name: string }) => name === 'Host')
    assert.deepEqual(listed.scopes, ['messaging'])

    const room = await appServer.opens([ada])
    await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { role: 'Host' } }] } })
    const { channel } = await bo.opensChannel(room)
    assert.deepEqual(channel.own_capabilities?.includes('pin-message'), true)
    await appServer.isRefused(4, 'DELETE', '/roles/Host')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants: { Host: [] } } })
    await appServer.isRefused(4, 'DELETE', '/roles/Host')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { role: 'user' } }] } })
    const overrides = (config_overrides: object) =>
      appServer.does('PATCH', path(room), { body: { set: { config_overrides } } })
    await overrides({ grants: { Host: ['read-channel'] } })
    await appServer.isRefused(4, 'DELETE', '/roles/Host')
    await overrides({})
    await appServer.does('DELETE', '/roles/Host')
    await appServer.isRefused(16, 'DELETE', '/roles/Host')
    // A response can be sent back.
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    await appServer.does('PUT', '/channeltypes/messaging', { body: { grants } })

    await appServer.isRefused(4, 'DELETE', '/roles/user')
    await appServer.isRefused(4, 'POST', '/roles', { body: { name: 'user' } })
    await appServer.isRefused(4, 'POST', '/roles', { body: { name: 'a role' } })
    await appServer.isRefused(4, 'PATCH', '/users', { body: { users: [{ id: 'bo', set: { role: 'Host' } }] } })
    await appServer.isRefused(4, 'PATCH', '/users', {
      body: { users: [{ id: 'bo', set: { role: 'channel_member' } }] },
    })
    await appServer.isRefused(4, 'POST', path(room), {
      body: { assign_roles: [{ user_id: 'ada', channel_role: 'admin' }] },
    })
    for (let i = 0; i < 25; i++) await appServer.does('POST', '/roles', { body: { name: `role-${i}` } })
    await appServer.isRefused(4, 'POST', '/roles', { body: { name: 'one-more' } })

    await ada.isRefused(17, 'GET', '/roles')
    await ada.isRefused(17, 'POST', '/roles', { body: { name: 'mine' } })
    await ada.isRefused(17, 'DELETE', '/roles/role-1')
  })

  it('[PERM-10] roles are found by the beginning of their name or of a word in it, page by page', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    for (const name of ['tea-host', 'host', 'ghost', 'Hostess'])
      await appServer.does('POST', '/roles', { body: { name } })
    const finds = async (query: Record<string, string>) =>
      (await appServer.does('GET', '/roles/search', { query })).roles.map(({ name }: { name: string }) => name)
    assert.deepEqual(await finds({ query: 'host' }), ['Hostess', 'host', 'tea-host'])
    assert.deepEqual(await finds({ query: 'HOST', limit: '2' }), ['Hostess', 'host'])
    assert.deepEqual(await finds({ query: 'host', limit: '2', name_gt: 'host' }), ['tea-host'])
    assert.deepEqual(await finds({ query: 'member' }), ['channel_member'])
    assert.deepEqual(await finds({ query: 'none' }), [])
    for (const query of [{ query: ' ' }, { limit: '0', query: 'a' }, { limit: '101', query: 'a' }])
      assert.deepEqual(
        Object.keys((await appServer.isRefused(4, 'GET', '/roles/search', { query })).exception_fields),
        [Object.keys(query)[0]!],
      )
    await appServer.isRefused(4, 'GET', '/roles/search')
    await ada.isRefused(17, 'GET', '/roles/search', { query: { query: 'host' } })
  })

  it('[PERM-6] a custom role assigned to a member gives its grants', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', '/roles', { body: { name: 'scribe' } })
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { grants: { scribe: ['read-channel', 'create-message', 'update-channel'] } },
    })
    await bo.isRefused(17, 'PATCH', path(room), { body: { set: { name: 'Minutes' } } })
    await appServer.does('POST', path(room), { body: { assign_roles: [{ user_id: 'bo', channel_role: 'scribe' }] } })
    const { channel } = await bo.does('PATCH', path(room), { body: { set: { name: 'Minutes' } } })
    assert.equal(channel.name, 'Minutes')
  })

  it('[PERM-12] [PERM-13] [PERM-19] channel types are listed, updated, created, and deleted when unused', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const { channel_types } = await appServer.does('GET', '/channeltypes')
    assert.deepEqual(Object.keys(channel_types), ['messaging', 'team', 'livestream', 'gaming', 'commerce'])
    assert.deepEqual([channel_types.messaging.polls, channel_types.commerce.polls], [true, false])
    assert.equal(channel_types.messaging.grants.channel_member.includes('send-poll'), true)
    assert.equal((await ada.does('GET', '/channeltypes/messaging')).grants, undefined)

    const made = await appServer.does('POST', '/channeltypes', {
      body: { name: 'clinic', commands: ['fun_set'], max_message_length: 20 },
    })
    assert.deepEqual(
      [made.name, made.polls, made.commands, made.max_message_length, made.grants.user.includes('create-channel')],
      ['clinic', false, ['giphy'], 20, true],
    )
    assert.deepEqual([made.blocklist_behavior, 'blocklist' in made], ['flag', false])
    const room = await appServer.opens([ada], {}, 'clinic')
    assert.equal((await says(ada, room, 'x'.repeat(21))).body.code, 20)
    assert.equal((await ada.opensChannel(room)).channel.config.max_message_length, 20)

    const changed = await appServer.does('PUT', '/channeltypes/clinic', {
      body: { max_message_length: 40, replies: false, commands: ['all'], unheard_of: 1 },
    })
    assert.deepEqual([changed.max_message_length, changed.replies], [40, false])
    assert.equal((await says(ada, room, 'x'.repeat(21))).status, 201)
    const { commands } = await appServer.does('GET', '/channeltypes/clinic')
    const names = commands.map(({ name }: { name: string }) => name)
    assert.deepEqual([changed.commands, names.slice(0, 2)], [names, ['giphy', 'ban']])
    const back = await appServer.does('PUT', '/channeltypes/clinic', { body: { max_message_length: null } })
    assert.equal(back.max_message_length, 5_000)

    await appServer.isRefused(4, 'DELETE', '/channeltypes/clinic')
    await appServer.does('DELETE', path(room))
    await appServer.isRefused(4, 'DELETE', '/channeltypes/clinic')
    await appServer.does('POST', `${path(room)}/query`, { body: { data: { created_by_id: 'ada' } } })
    await appServer.does('DELETE', path(room), { query: { hard_delete: 'true' } })
    await appServer.does('DELETE', '/channeltypes/clinic')
    await appServer.isRefused(16, 'GET', '/channeltypes/clinic')
    await ada.isRefused(16, 'POST', `${path(room)}/query`, { body: {} })

    await appServer.isRefused(4, 'DELETE', '/channeltypes/messaging')
    await appServer.isRefused(4, 'POST', '/channeltypes', { body: { name: 'team' } })
    await appServer.isRefused(4, 'POST', '/channeltypes', { body: { name: 'no spaces' } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/team', { body: { max_message_length: 0 } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/team', { body: { automod_thresholds: { toxic: { block: 2 } } } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/team', { body: { commands: ['dance'] } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/team', { body: { grants: { nobody: [] } } })
    await appServer.isRefused(4, 'PUT', '/channeltypes/team', { body: { grants: { user: ['fly'] } } })
    await ada.isRefused(17, 'POST', '/channeltypes', { body: { name: 'mine' } })
    await ada.isRefused(17, 'PUT', '/channeltypes/team', { body: {} })
    await ada.isRefused(17, 'DELETE', '/channeltypes/team')
    for (let i = 5; i < 50; i++) await appServer.does('POST', '/channeltypes', { body: { name: `type-${i}` } })
    await appServer.isRefused(4, 'POST', '/channeltypes', { body: { name: 'one-more' } })
  })

  it('[PERM-13] a channel type can be sent back as received, with one change', async () => {
    const { appServer } = await fixture.createApp('ada')
    const { duration: _, ...got } = await appServer.does('GET', '/channeltypes/messaging')
    const put = await appServer.does('PUT', '/channeltypes/messaging', { body: { ...got, quotes: false } })
    assert.deepEqual([put.quotes, put.commands], [false, got.commands.map(({ name }: { name: string }) => name)])
    const { duration: __, updated_at, ...after } = await appServer.does('GET', '/channeltypes/messaging')
    assert.deepEqual({ ...after, updated_at: got.updated_at }, { ...got, quotes: false })
  })

  it('[PERM-19] each built-in type has the right grants for every role', async () => {
    const { appServer } = await fixture.createApp()
    const words = (text: string) => text.trim().split(/\s+/)
    const owned = (text: string) => words(text).map((right) => `${right}-owner`)
    const minus = (rights: readonly string[], text: string) => rights.filter((right) => !words(text).includes(right))
    const writing = 'create-message create-attachment create-mention create-reaction send-poll cast-vote query-votes'
    const speaking = `${writing} add-links flag-message mute-channel pin-message read-channel read-channel-members
      remove-own-channel-membership run-message-action send-custom-event upload-attachment`
    const ending = 'delete-channel recreate-channel truncate-channel'
    const keeping = 'delete-attachment delete-message delete-reaction update-message update-thread'
    const ordering = `ban-channel-member create-system-message read-message-flags skip-channel-cooldown
      skip-message-moderation unblock-message update-channel-cooldown update-channel-frozen`
    const leading = 'update-channel update-channel-members'
    const calling = 'create-call join-call'
    const all = words(`${speaking} ${ending} ${keeping} ${ordering} ${leading} ${calling} ban-user create-channel`)
    const admin = [...all, 'create-restricted-visibility-message', 'read-restricted-visibility-message']
    const user = ['create-channel', ...owned(`${speaking} ${ending} ${keeping} ${leading}`)]
    const channel_moderator = minus(all, `ban-user create-channel ${ending}`)
    const messaging = {
      ...{ admin, user, channel_moderator, channel_member: words(`${speaking} ${calling}`) },
      moderator: [...minus(all, ending), ...owned(ending)],
    }
    const shopper = minus(user, `create-channel update-channel-owner ${owned(ending).join(' ')}`)
    const due: Record<string, Record<string, string[]>> = {
      messaging,
      team: messaging,
      livestream: {
        admin,
        moderator: minus(all, `${ending} ${leading} remove-own-channel-membership`),
        user: [
          ...words('create-channel join-call'),
          ...minus(words(speaking), 'pin-message remove-own-channel-membership'),
          ...owned(`${keeping} pin-message`),
        ],
        channel_moderator: words(`${ordering} ${keeping} pin-message create-call`),
        guest: words('flag-message join-call mute-channel read-channel read-channel-members'),
        anonymous: words('join-call read-channel read-channel-members'),
      },
      commerce: {
        ...{ admin, user: shopper, channel_moderator, moderator: minus(all, ending) },
        channel_member: minus(words(`${speaking} join-call`), 'pin-message'),
        guest: [
          ...words('add-links create-channel upload-attachment'),
          ...owned(`delete-attachment delete-message delete-reaction flag-message mute-channel pin-message
            read-channel read-channel-members update-channel-members update-message`),
        ],
      },
      gaming: {
        ...{ admin, user: minus(shopper, 'pin-message-owner update-channel-members-owner') },
        moderator: minus(all, `create-channel ${ending} ${leading}`),
        channel_member: minus(words(`${speaking} ${calling}`), 'pin-message'),
        channel_moderator: minus(channel_moderator, leading),
      },
    }
    const sorted = (grants: Record<string, string[]>) =>
      Object.fromEntries(
        Object.entries(grants).flatMap(([role, rights]) => (rights.length > 0 ? [[role, rights.toSorted()]] : [])),
      )
    const { channel_types } = await appServer.does('GET', '/channeltypes')
    for (const [type, grants] of Object.entries(due))
      assert.deepEqual(sorted(channel_types[type].grants), sorted(grants), type)
  })

  it('[PERM-21] legacy policies are stored, and only grants are checked', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const nobody = { name: 'Deny all', priority: 999, resources: ['*'], roles: ['*'], owner: false, action: 'Deny' }
    const { permissions } = await appServer.does('PUT', '/channeltypes/messaging', { body: { permissions: [nobody] } })
    assert.deepEqual(permissions, [nobody])
    assert.deepEqual((await appServer.does('GET', '/channeltypes/messaging')).permissions, [nobody])
    assert.equal((await says(ada, await appServer.opens([ada]))).status, 201)
  })

  it('[PERM-22] only the server creates a direct channel for other users, unless a grant allows it', async () => {
    const { appServer, ada, bo, cleo } = await fixture.createApp('ada', 'bo', 'cleo')
    const make = { body: { data: { members: [ada.id, bo.id] } } }
    await cleo.isRefused(17, 'POST', '/channels/messaging/query', make)
    const { channel } = await appServer.does('POST', '/channels/messaging/query', {
      body: { data: { members: [ada.id, bo.id], created_by_id: 'ada' } },
    })
    assert.deepEqual([channel.type, channel.config.polls], ['messaging', true])
    const { grants } = await appServer.does('GET', '/channeltypes/team')
    await appServer.does('PUT', '/channeltypes/team', {
      body: { grants: { user: [...grants.user, 'create-distinct-channel-for-others', 'read-channel'] } },
    })
    await cleo.does('POST', '/channels/team/query', make)
  })

  it('the creator of a channel does not own its messages', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await ada.does('POST', '/channels/messaging/hers/query', { body: { data: { members: ['ada', 'bo'] } } })
    const { id } = await bo.sends('messaging:hers', 'my own words')
    await ada.isRefused(17, 'DELETE', `/messages/${id}`)
    await ada.isRefused(17, 'PUT', `/messages/${id}`, { body: { set: { text: 'not yours' } } })
    const { channel } = await ada.opensChannel('messaging:hers')
    assert.deepEqual(
      channel.own_capabilities?.filter((capability) => capability.endsWith('-any-message')),
      [],
    )
    await bo.does('DELETE', `/messages/${id}`)
  })

  it('grants of a role are replaced, emptied, and reset', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const put = (grants: object | null) => appServer.does('PUT', '/channeltypes/messaging', { body: { grants } })
    await put({ channel_member: ['read-channel'] })
    assert.equal((await says(bo, room)).body.code, 17)
    await put({ channel_member: [] })
    await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
    await put(null)
    assert.equal((await says(bo, room)).status, 201)

    const { app } = await appServer.does('GET', '/app')
    assert.ok(app.grants.user.includes('search-user'))
    await appServer.does('PATCH', '/app', { body: { grants: { user: [] } } })
    await ada.isRefused(17, 'GET', '/users', { query: { payload: JSON.stringify({ filter_conditions: {} }) } })
    await appServer.does('PATCH', '/app', { body: { grants: null } })
    await ada.does('GET', '/users', { query: { payload: JSON.stringify({ filter_conditions: {} }) } })
  })

  it('a channel can override its type', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo], { config_overrides: { reactions: false } })
    const { id } = await ada.sends(room, 'hello')
    await bo.isRefused(19, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    const { channel } = await appServer.does('PATCH', path(room), {
      body: {
        set: {
          config_overrides: { commands: ['giphy'], grants: { channel_member: ['update-channel', '!create-message'] } },
        },
      },
    })
    assert.deepEqual(
      [channel.config.reactions, channel.config.commands.length, channel.config.grants],
      [true, 1, { channel_member: ['update-channel', '!create-message'] }],
    )
    assert.equal((await says(bo, room)).body.code, 17)
    await bo.does('PATCH', path(room), { body: { set: { name: 'Ours' } } })
    const cleared = await appServer.does('PATCH', path(room), { body: { set: { config_overrides: {} } } })
    assert.deepEqual([cleared.channel.config.grants, cleared.channel.config.commands.length], [undefined, 5])
    assert.equal((await says(bo, room)).status, 201)

    const stranger = await appServer.isRefused(4, 'PATCH', path(room), {
      body: { set: { config_overrides: { read_events: false } } },
    })
    assert.deepEqual(stranger.exception_fields, {
      'config_overrides.read_events': 'config_overrides.read_events is no field that can be set here',
    })
    await appServer.isRefused(4, 'PATCH', path(room), {
      body: { set: { config_overrides: { grants: { user: ['!fly'] } } } },
    })
    await ada.isRefused(17, 'PATCH', path(room), { body: { set: { config_overrides: { replies: false } } } })
  })

  it('[SET-2] the server changes single settings, and null resets one', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const before = (await appServer.does('GET', '/app')).app
    await appServer.does('PATCH', '/app', {
      body: {
        ...{ name: '', suspended: true, channel_configs: null, policies: null, unheard_of: 1 },
        ...{ reminders_interval: 0, enforce_unique_usernames: true, allowed_flag_reasons: ['spam'] },
        file_upload_config: { size_limit: 1_000, blocked_file_extensions: ['.exe'] },
      },
    })
    const { app } = await appServer.does('GET', '/app')
    assert.deepEqual(
      [app.name, app.suspended, app.reminders_interval, app.enforce_unique_usernames, app.allowed_flag_reasons],
      [before.name, false, 300, 'app', ['spam']],
    )
    assert.deepEqual(app.file_upload_config, {
      ...before.file_upload_config,
      ...{ size_limit: 1_000, blocked_file_extensions: ['.exe'] },
    })
    assert.deepEqual((await ada.does('GET', '/app')).app.file_upload_config, app.file_upload_config)
    await appServer.does('PATCH', '/app', {
      body: { file_upload_config: null, allowed_flag_reasons: null, enforce_unique_usernames: '' },
    })
    assert.deepEqual((await appServer.does('GET', '/app')).app, before)

    await appServer.isRefused(4, 'PATCH', '/app', { body: { permission_version: 'v1' } })
    await appServer.isRefused(4, 'PATCH', '/app', { body: { reminders_interval: 5 } })
    await appServer.isRefused(4, 'PATCH', '/app', { body: { revoke_tokens_issued_before: '' } })
    await appServer.isRefused(4, 'PATCH', '/app', { body: { image_upload_config: { allowed_mime_types: ['png'] } } })
    await ada.isRefused(17, 'PATCH', '/app', { body: {} })
  })

  it('[PERM-5] a permission error names action and scope, in the same words everywhere', async () => {
    const { appServer, ada, bo } = await fixture.createApp('ada', 'bo')
    const channel_cid = await appServer.opens([ada, bo])
    await appServer.does('PATCH', '/app', { body: { grants: { user: [] } } })
    const ban = { target_user_id: 'bo' }
    for (const [scope, action, method, at, options] of [
      ['.app', 'BanUser', 'POST', '/moderation/ban', { body: ban }],
      ['messaging', 'BanChannelMember', 'POST', '/moderation/ban', { body: { ...ban, channel_cid } }],
      ['.app', 'MuteUser', 'POST', '/moderation/mute', { body: { target_id: 'bo' } }],
      ['.app', 'FlagUser', 'POST', '/moderation/flag', { body: { target_user_id: 'bo' } }],
      ['.app', 'SearchUser', 'GET', '/users', { query: { payload: '{"filter_conditions":{}}' } }],
      ['.app', 'ReadFlagReports', 'POST', '/moderation/reports', { body: {} }],
      ['messaging', 'DeleteChannel', 'DELETE', path(channel_cid), {}],
    ] as const) {
      const { message } = await bo.isRefused(17, method, at, options)
      const detail = `User 'bo' with role 'user' is not allowed to perform action ${action} in scope '${scope}'`
      assert.ok(message.endsWith(`failed with error: "${detail}"`), message)
    }
    const { message } = await bo.isRefused(17, 'GET', '/roles')
    assert.ok(message.endsWith('"this endpoint is only available with server side authentication"'), message)
  })

  it('[AUTH-14] tokens of all users are revoked at once, with and without a given time', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    await ada.connects()
    const now = new Date(fixture.clock.now() + 60_000).toISOString()
    await appServer.does('PATCH', '/app', { body: { revoke_tokens_issued_before: now } })
    await ada.isRefused(40, 'GET', '/app')
    fixture.clock.advance(6_000)
    await ada.ends()
    await appServer.does('PATCH', '/app', { body: { revoke_tokens_issued_before: null } })
    await ada.does('GET', '/app')
  })

  it('an app without auth checks accepts any signature, and guests are refused where they are disabled', async () => {
    const { appServer, ada } = await fixture.createApp('ada')
    const forged = `${ada.token.split('.').slice(0, 2).join('.')}.devtoken`
    const tries = ada.device()
    tries.token = forged
    await tries.isRefused(43, 'GET', '/app')
    await appServer.does('PATCH', '/app', { body: { disable_auth_checks: true, guest_user_creation_disabled: true } })
    await tries.does('GET', '/app')
    await ada.isRefused(17, 'POST', '/guest', { body: { user: { id: 'han' } } })
    await appServer.does('PATCH', '/app', { body: { disable_auth_checks: null, guest_user_creation_disabled: false } })
    await tries.isRefused(43, 'GET', '/app')
    await ada.does('POST', '/guest', { body: { user: { id: 'han' } } })
  })
})

onEveryTransport((fixture) => {
  it('[CHN-49] changed capabilities are published on every node, and apply at once', async () => {
    const { appServer, ada, bo, cleo } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    for (const testUser of [bo, cleo]) await testUser.watches(room)
    const { grants } = await appServer.does('GET', '/channeltypes/messaging')
    await appServer.does('PUT', '/channeltypes/messaging', {
      body: { grants: { channel_member: [...grants.channel_member, 'update-channel'] } },
    })
    for (const testUser of [bo, cleo]) {
      const { own_capabilities, cid } = await testUser.receives('capabilities.changed')
      assert.deepEqual([cid, own_capabilities.includes('update-channel')], [room, true])
      assert.deepEqual((await testUser.opensChannel(room)).channel.own_capabilities, own_capabilities)
    }
    await bo.does('PATCH', path(room), { body: { set: { name: 'Ours' } } })
    await appServer.does('PUT', '/channeltypes/messaging', { body: { uploads: true } })
    assert.equal((await bo.receivedTypes()).includes('capabilities.changed'), false)
  })
})
