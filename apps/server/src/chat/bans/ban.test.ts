import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { aForm, pdf, uploads } from '../../features/attachments/testing/some-files.ts'
import { microsOf } from '../../platform/micros.ts'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport, onTwoNodes } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { type AppServer, path, type TestUser } from '../../testing/test-user.ts'
import { waitsOrIsOver } from '../../testing/waits.ts'

const ban = '/moderation/ban'
type Caller = TestUser | AppServer
const memberIn = async (who: TestUser, room: string, id: string) =>
  (await who.opensChannel(room)).members.find((member) => member.user_id === id)!
const send = (room: string) => ['POST', `${path(room)}/message`, { body: { message: { text: 'Hello' } } }] as const

onEveryStorage((fixture) => {
  it('a user banned from future channels is banned in each channel the same user adds them to, until it is undone', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo])
    const bans = async (who: Caller, payload: object = {}) =>
      (await who.does('GET', '/query_future_channel_bans', { query: { payload: JSON.stringify(payload) } })).bans
    const scope = { target_user_id: 'bo', channel_cid: room }
    const all = { ban_from_future_channels: true, reason: 'spam', user_id: 'ada' }
    await appServer.isRefused(4, 'POST', ban, { body: { target_user_id: 'bo', ...all } })
    await appServer.does('POST', ban, { body: { ...scope, ...all } })
    await bo.isRefused(17, ...send(room))

    const opens = async (who: TestUser) => {
      const { channel } = await who.does('POST', '/channels/messaging/query', {
        body: { data: { members: ['ada', 'bo', who.id] } },
      })
      return channel.cid as string
    }
    const [mine, hers] = [await opens(ada), await opens(cleo)]
    await bo.isRefused(17, ...send(mine))
    await bo.sends(hers, 'Here I may')
    const [kept, other] = [await appServer.opens([ada]), await appServer.opens([ada])]
    await ada.does('POST', path(kept), { body: { add_members: ['bo'] } })
    await bo.isRefused(17, ...send(kept))
    assert.deepEqual(
      (await bans(ada)).map((row: Record<string, { id: string }>) => [row.user!.id, row.banned_by!.id, row.reason]),
      [['bo', 'ada', 'spam']],
    )
    assert.deepEqual(await bans(cleo), [])
    assert.equal((await bans(appServer, { target_user_id: 'bo' }))[0].user, undefined)

    const query = { ...scope, remove_future_channels_ban: 'true' }
    await appServer.isRefused(4, 'DELETE', ban, { query })
    await appServer.does('DELETE', ban, { query: { ...query, created_by: 'ada' } })
    await ada.does('POST', path(other), { body: { add_members: ['bo'] } })
    await bo.sends(other, 'Here I may, too')
    await bo.sends(room, 'And here')
    await bo.isRefused(17, ...send(kept))
    assert.deepEqual(await bans(ada), [])
  })

  it('a ban from future channels does not shorten the existing ban of a returning member', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, longer] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const soon = { timeout: 5, ban_from_future_channels: true, user_id: 'ada' }
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', channel_cid: room, ...soon } })
    await appServer.does('POST', ban, {
      body: { target_user_id: 'bo', channel_cid: longer, timeout: 60, user_id: 'ada' },
    })
    for (const change of [{ remove_members: ['bo'] }, { add_members: ['bo'] }])
      await ada.does('POST', path(longer), { body: change })
    fixture.clock.advance(6 * 60_000)
    await bo.isRefused(17, ...send(longer))
    fixture.clock.advance(60 * 60_000)
    await eventually(async () => (await bo.call(...send(longer))).status === 201, 'the ban is over')
  })

  it('with tenants, moderators of other teams cannot ban or unban a user in the app', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/app', { body: { multi_tenant_enabled: true } })
    const people = [
      { id: 'ada', teams: ['red'] },
      { id: 'bo', teams: ['blue'] },
      { id: 'mo', role: 'moderator', teams: ['red'] },
    ]
    await appServer.does('POST', '/users', { body: { users: Object.fromEntries(people.map((one) => [one.id, one])) } })
    const mo = appServer.user('mo')
    const red = await appServer.opens([ada], { team: 'red' })
    const blue = await appServer.opens([bo], { team: 'blue' })
    for (const at of [ban, '/api/v2/moderation/ban'])
      await mo.isRefused(16, 'POST', at, { body: { target_user_id: 'bo' } })
    await bo.sends(blue, 'I may')
    await mo.does('POST', ban, { body: { target_user_id: 'ada' } })
    await ada.isRefused(17, ...send(red))
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', user_id: 'mo' } })
    const query = { target_user_id: 'bo' }
    await mo.isRefused(16, 'DELETE', ban, { query })
    await mo.isRefused(16, 'POST', '/api/v2/moderation/unban', { query, body: {} })
    await bo.isRefused(17, ...send(blue))
  })
})

onEveryTransport((fixture) => {
  it('[MOD-1] [MOD-3] [MOD-17] [MEM-24] a user banned in a channel can read but not write there', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const [room, other] = [await appServer.opens([ada, bo, cleo]), await appServer.opens([bo])]
    await appServer.does('POST', path(room), {
      body: { add_members: [], remove_members: ['ada'] },
    })
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'ada', channel_role: 'channel_moderator' }] },
    })
    await cleo.watches(room)
    await bo.watches(room)
    await bo.isRefused(17, 'POST', ban, { body: { target_user_id: 'cleo', channel_cid: room } })

    const { id } = await ada.sends(room, 'Be kind')
    await ada.does('POST', ban, { body: { target_user_id: 'bo', channel_cid: room, reason: 'spam', timeout: 60 } })

    for (const testUser of [cleo, bo]) {
      const event = await testUser.receives('user.banned')
      assert.deepEqual(
        [event.cid, event.user.id, event.created_by.id, event.reason, event.shadow],
        [room, 'bo', 'ada', 'spam', false],
      )
      assert.equal((await memberIn(testUser, room, 'bo')).ban_expires, event.expiration)
      assert.equal(Math.round((microsOf(event.expiration)! - microsOf(event.created_at)!) / 60_000_000), 60)
    }
    const changed = await bo.receives('capabilities.changed')
    assert.equal(changed.own_capabilities.includes('send-message'), false)
    assert.equal((await bo.receivedTypes()).includes('user.banned'), false)
    assert.equal((await memberIn(cleo, room, 'bo')).banned, true)
    await bo.isRefused(17, ...send(room))
    await bo.isRefused(17, 'POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.sends(other, 'Here I may')
    const state = await bo.opensChannel(room)
    assert.deepEqual([state.messages.length, state.channel.own_capabilities], [1, changed.own_capabilities])
  })

  it('[MOD-17] the app’s server cannot write on behalf of a banned user, and sees what all others write', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Be kind')
    const [type, channelId] = room.split(':')
    const { poll } = await ada.does('POST', '/polls', { body: { name: 'Tea?', options: [{ text: 'yes' }] } })
    const asked = await ada.sends(room, 'Tea?', { poll_id: poll.id })
    const vote = { vote: { option_id: poll.options[0].id } }
    const by = (user_id: string): (readonly [string, string, object])[] => [
      ['POST', `${path(room)}/message`, { message: { text: 'Hello', user_id } }],
      ['POST', `${path(room)}/message`, { message: { text: 'Hello', user_id, parent_id: id } }],
      ['POST', `${path(room)}/message`, { message: { text: 'Hello', user_id }, skip_push: true, pending: true }],
      ['POST', path(room), { data: { name: 'Tea' }, message: { text: 'A new name', user_id } }],
      ['POST', `/messages/${id}/reaction`, { reaction: { type: 'love', user_id } }],
      ['POST', `/messages/${asked.id}/polls/${poll.id}/vote`, { ...vote, user_id }],
    ]
    const texts = async () => (await ada.opensChannel(room)).messages.map(({ text }) => text)
    const before = await texts()
    for (const scope of [{ type, id: channelId }, {}]) {
      await appServer.does('POST', ban, { body: { target_user_id: 'bo', user_id: 'ada', ...scope } })
      for (const [method, at, body] of by('bo')) await appServer.isRefused(17, method, at, { body })
      assert.deepEqual(await texts(), before)
      const message = (await ada.does('GET', `/messages/${id}`)).message
      assert.deepEqual([message.reply_count, message.reaction_counts ?? {}], [0, {}])
      for (const [method, at, body] of by('ada').slice(0, 1)) await appServer.does(method, at, { body })
      before.push('Hello')
      await appServer.does('DELETE', ban, { query: { target_user_id: 'bo', ...scope } as Record<string, string> })
    }
    for (const [method, at, body] of by('bo')) await appServer.does(method, at, { body })
  })

  it('[MOD-2] [MOD-5] [MEM-25] a ban can be lifted, and an expired one ends by itself', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const scope = { type: 'messaging', id: room.split(':')[1]! }
    await ada.watches(room)
    await bo.watches(room)
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', user_id: 'ada', ...scope } })
    await bo.receives('user.banned')
    await bo.isRefused(17, ...send(room))
    await bo.does('POST', path(room), { body: { remove_members: ['bo'] } })
    await bo.receives('notification.removed_from_channel')
    await appServer.does('POST', path(room), { body: { add_members: ['bo'] } })
    await bo.receives('notification.added_to_channel')
    await bo.isRefused(17, ...send(room))
    await appServer.does('DELETE', ban, { query: { target_user_id: 'bo', ...scope } })
    for (const testUser of [ada, bo]) assert.equal((await testUser.receives('user.unbanned')).user.id, 'bo')
    await bo.sends(room, 'Back again')

    await appServer.does('POST', ban, { body: { target_user_id: 'bo', user_id: 'ada', timeout: 1, ...scope } })
    await bo.receives('user.banned')
    await bo.isRefused(17, ...send(room))
    for (let i = 0; i < 4; i++) {
      fixture.clock.advance(25_000)
      bo.whispers(JSON.stringify([{ type: 'health.check' }]))
      await bo.receives('health.check')
    }
    await bo.receives('user.unbanned')
    assert.equal((await memberIn(bo, room, 'bo')).banned, false)
    await bo.sends(room, 'Time is over')
  })

  it('[MOD-17] a ban does not hold after its end', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    for (const later of [0, 10_000, 20_000]) {
      fixture.clock.advance(later)
      await appServer.does('POST', ban, { body: { target_user_id: 'bo', user_id: 'ada', timeout: 1 } })
      fixture.clock.advance(59_000)
      await bo.isRefused(17, ...send(room))
      fixture.clock.advance(2_000)
      await eventually(async () => (await bo.call(...send(room))).status === 201, 'bo may write again')
    }
  })

  it('[MOD-17] a ban that cannot end does not block others from ending, and one in a deleted channel ends without an event', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const [room, gone] = [await appServer.opens([ada, bo, cy]), await appServer.opens([ada, bo])]
    await bo.connects()
    for (const [target_user_id, channel_cid] of [
      ['cy', room],
      ['bo', gone],
      ['bo', room],
    ])
      await appServer.does('POST', ban, { body: { target_user_id, channel_cid, user_id: 'ada', timeout: 1 } })
    await appServer.does('DELETE', path(gone))
    await bo.received()
    const { users } = fixture.nodes[0]!.server
    const { get } = users
    users.get = (app, id) => (id === 'cy' ? Promise.reject(new Error('of the story')) : get.call(users, app, id))
    onTestFinished(() => {
      users.get = get
    })
    for (let i = 0; i < 4; i++) {
      fixture.clock.advance(25_000)
      bo.whispers(JSON.stringify([{ type: 'health.check' }]))
      await bo.receives('health.check')
    }
    await bo.sees(({ type, cid }) => type === 'user.unbanned' && cid === room)
    const told = (await bo.received()).filter(({ type }) => type === 'user.unbanned')
    assert.deepEqual(
      told.map(({ cid }) => cid),
      [room],
    )
    users.get = get
    fixture.clock.advance(1_000)
    await eventually(async () => (await cy.call(...send(room))).status === 201, 'cy may write again')
  })

  it('[MOD-1] [MOD-2] a user banned in the app is notified, and cannot write in any channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('POST', '/users', { body: { users: { ada: { id: 'ada', role: 'moderator' } } } })
    const room = await appServer.opens([bo])
    await bo.connects()
    await bo.isRefused(17, 'POST', ban, { body: { target_user_id: 'ada' } })
    fixture.clock.advance(10)
    await ada.does('POST', ban, { body: { target_user_id: 'bo', reason: 'enough' } })
    const event = await bo.receives('user.banned')
    assert.deepEqual([event.cid, event.user.banned, event.reason], [undefined, true, 'enough'])
    const updated = await bo.receives('user.updated')
    assert.ok(microsOf(updated.created_at)! > microsOf(updated.user.created_at)!)
    await bo.isRefused(17, ...send(room))
    await bo.isRefused(17, 'POST', '/channels/messaging/another/query', { body: {} })
    assert.equal((await bo.device().connects()).me.banned, true)
    const find = async () => {
      const payload = JSON.stringify({ filter_conditions: { banned: true } })
      return (await ada.does('GET', '/users', { query: { payload } })).users.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await find(), ['bo'])
    await ada.does('DELETE', ban, { query: { target_user_id: 'bo' } })
    assert.equal((await bo.receives('user.unbanned')).user.banned, false)
    await bo.sends(room, 'Hello')
    assert.deepEqual(await find(), [])
  })
})

onEveryStorage((fixture) => {
  it('[MOD-10] users who may ban can query bans', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo, cleo])
    const by = { user_id: 'ada' }
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', channel_cid: room, reason: 'spam', ...by } })
    await appServer.does('POST', ban, { body: { target_user_id: 'cleo', timeout: 1, ...by } })
    const find = async (who: typeof appServer | TestUser, filter: object, options: object = {}) => {
      const payload = JSON.stringify({ filter_conditions: filter, ...options })
      const { bans } = await who.does('GET', '/query_banned_users', { query: { payload } })
      return bans.map((found: { user: { id: string } }) => found.user.id)
    }
    assert.deepEqual(await find(appServer, {}), ['bo', 'cleo'])
    assert.deepEqual(await find(appServer, {}, { sort: [{ field: 'created_at', direction: -1 }] }), ['cleo', 'bo'])
    assert.deepEqual(await find(appServer, { channel_cid: room }), ['bo'])
    assert.deepEqual(await find(appServer, { reason: { $autocomplete: 'sp' } }), ['bo'])
    assert.deepEqual(await find(appServer, { banned_by_id: 'bo' }), [])
    fixture.clock.advance(120_000)
    assert.deepEqual(await find(appServer, {}), ['bo', 'cleo'])
    assert.deepEqual(await find(appServer, {}, { exclude_expired_bans: true }), ['bo'])
    const query = (filter: object) => ({ query: { payload: JSON.stringify({ filter_conditions: filter }) } })
    await ada.isRefused(4, 'GET', '/query_banned_users', query({}))
    await ada.isRefused(17, 'GET', '/query_banned_users', query({ channel_cid: room }))
    await appServer.isRefused(4, 'GET', '/query_banned_users', query({ mood: 'x' }))
  })

  it('[MOD-10] bans with equal sort values still page without gaps', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = ['messaging:c', 'messaging:a', 'messaging:d', 'messaging:b']
    for (const cid of rooms) {
      await appServer.does('POST', `${path(cid)}/query`, {
        body: { data: { created_by_id: 'ada', members: [ada.id] } },
      })
      await appServer.does('POST', ban, { body: { target_user_id: 'bo', channel_cid: cid, user_id: 'ada' } })
    }
    const page = async (offset: number) => {
      const sort = [{ field: 'user_id', direction: 1 }]
      const payload = JSON.stringify({ filter_conditions: { user_id: 'bo' }, sort, limit: 2, offset })
      const { bans } = await appServer.does('GET', '/query_banned_users', { query: { payload } })
      return bans.map(({ channel }: { channel: { cid: string } }) => channel.cid)
    }
    assert.deepEqual([...(await page(0)), ...(await page(2))], rooms.toSorted())
  })

  it('[MOD-10] a ban in a deleted channel is not a ban in the app, and is found again when the channel is restored', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', channel_cid: room, user_id: 'ada' } })
    const payload = JSON.stringify({ filter_conditions: { user_id: 'bo' } })
    const where = async () => {
      const { bans } = await appServer.does('GET', '/query_banned_users', { query: { payload } })
      return bans.map(({ channel }: { channel?: { cid: string } }) => channel?.cid)
    }
    assert.deepEqual(await where(), [room])
    await appServer.does('DELETE', path(room))
    assert.deepEqual(await where(), [])
    await appServer.does('POST', `${path(room)}/query`, { body: { data: { created_by_id: 'ada', members: ['bo'] } } })
    assert.equal((await memberIn(bo, room, 'bo')).banned, true)
    assert.deepEqual(await where(), [room])
  })

  it('[MOD-17] [PERM-1] a banned user of any role cannot change what others see, nor lift the ban', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'cleo', set: { role: 'moderator' } }] } })
    const room = await appServer.opens([bo, ada], { members: ['bo', 'ada'] })
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    const [theirs, own] = [await ada.sends(room, 'Be kind'), await bo.sends(room, 'I am')]
    const asked = { name: 'Lunch?', options: [{ text: 'Pho' }] }
    const { poll } = await ada.does('POST', '/polls', { body: asked })
    const topic = await ada.sends(room, '', { poll_id: poll.id })
    const uploaded = async (who: TestUser) =>
      (await uploads(who, room, 'file', aForm('a.pdf', 'application/pdf', pdf))).file
    const [file, ownFile] = [await uploaded(ada), await uploaded(bo)]
    const banned = async (target_user_id: string) => {
      await appServer.does('POST', ban, { body: { target_user_id, channel_cid: room, user_id: 'ada' } })
      const query = { target_user_id, channel_cid: room }
      const calls: Parameters<TestUser['call']>[] = [
        ['POST', path(room), { body: { data: { name: 'Rude' } } }],
        ['PATCH', path(room), { body: { set: { name: 'Rude' } } }],
        ['POST', path(room), { body: { cooldown: 100 } }],
        ['POST', path(room), { body: { demote_moderators: ['ada'] } }],
        ['POST', path(room), { body: { remove_members: ['ada'] } }],
        ['POST', path(room), { body: { invites: ['cleo'] } }],
        ['POST', `${path(room)}/truncate`, { body: {} }],
        ['DELETE', path(room)],
        ['DELETE', `/messages/${theirs.id}`],
        ['DELETE', `${path(room)}/file`, { query: { url: file } }],
        ['POST', `/messages/${own.id}/reaction`, { body: { reaction: { type: 'like' } } }],
        ['POST', `/messages/${topic.id}/polls/${poll.id}/vote`, { body: { vote: { option_id: poll.options[0].id } } }],
        ['POST', `${path(room)}/event`, { body: { event: { type: 'wave' } } }],
        ['POST', `${path(room)}/message`, { body: { message: { text: 'Hm', quoted_message_id: own.id } } }],
        ['POST', `${path(room)}/file`, { form: aForm('a.pdf', 'application/pdf', pdf) }],
        ['PUT', `/messages/${own.id}`, { body: { set: { pinned: true } } }],
        ['POST', `/messages/${own.id}`, { body: { message: { text: 'I was' } } }],
        ['POST', ban, { body: { target_user_id: 'ada', channel_cid: room } }],
        ['DELETE', ban, { query }],
        ['POST', '/api/v2/moderation/unban', { query, body: {} }],
      ]
      return calls
    }
    const before = (await bo.opensChannel(room)).channel.own_capabilities!
    // One is the owner and a moderator there, the other a moderator of the whole app and not a member.
    for (const refused of await banned('bo')) await bo.isRefused(17, ...refused)
    for (const refused of await banned('cleo')) await cleo.isRefused(17, ...refused)
    const { channel, messages } = await bo.opensChannel(room)
    assert.deepEqual([channel.name, channel.member_count, messages.length], [undefined, 2, 3])
    const left = new Set(channel.own_capabilities)
    const lost = before.filter((capability) => !left.has(capability))
    assert.deepEqual(lost, [
      'ban-channel-members',
      'cast-poll-vote',
      'create-attachment',
      'create-mention',
      'delete-any-message',
      'delete-channel',
      'freeze-channel',
      'pin-message',
      'quote-message',
      'send-custom-events',
      'send-links',
      'send-message',
      'send-poll',
      'send-reaction',
      'send-reply',
      'send-typing-events',
      'set-channel-cooldown',
      'update-any-message',
      'update-channel',
      'update-channel-members',
      'update-own-message',
      'update-thread',
      'upload-file',
    ])

    // They keep their own private data, and may delete it.
    await bo.does('PATCH', `${path(room)}/member/bo`, { body: { set: { pinned: true } } })
    await bo.does('DELETE', `/messages/${own.id}`)
    await bo.does('DELETE', `${path(room)}/file`, { query: { url: ownFile } })
    await bo.does('POST', path(room), { body: { remove_members: ['bo'] } })
  })

  it('[MOD-17] a moderator banned in the app cannot moderate', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.does('PATCH', '/users', { body: { users: [{ id: 'bo', set: { role: 'moderator' } }] } })
    const room = await appServer.opens([ada, bo])
    const { id } = await ada.sends(room, 'Be kind')
    const { item_id } = await ada.does('POST', '/api/v2/moderation/flag', {
      body: { entity_type: 'message', entity_id: id, reason: 'kind' },
    })
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', user_id: 'ada' } })
    await bo.isRefused(17, 'DELETE', ban, { query: { target_user_id: 'bo' } })
    await bo.isRefused(17, 'POST', ban, { body: { target_user_id: 'ada' } })
    await bo.isRefused(17, 'POST', '/api/v2/moderation/submit_action', { body: { action_type: 'ban', item_id } })
  })

  it('[MOD-3] a user who is not a member can be banned, where all users may write', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const live = await appServer.opens([ada], {}, 'livestream')
    await bo.sends(live, 'Hello')
    await appServer.does('POST', ban, { body: { target_user_id: 'bo', channel_cid: live, user_id: 'ada' } })
    await bo.isRefused(17, ...send(live))
    const form = aForm('a.pdf', 'application/pdf', pdf)
    await bo.isRefused(17, 'POST', `${path(live)}/file`, { form })
    await appServer.does('DELETE', ban, { query: { target_user_id: 'bo', channel_cid: live } })
    await bo.sends(live, 'Hello again')
    await uploads(bo, live, 'file', form)
  })

  it('[MOD-1] a ban of oneself, of an unknown user, or without the banning user is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    await appServer.isRefused(4, 'POST', ban, { body: { target_user_id: 'ada', user_id: 'ada' } })
    await appServer.isRefused(16, 'POST', ban, { body: { target_user_id: 'nobody', user_id: 'ada' } })
    await appServer.isRefused(4, 'POST', ban, { body: { target_user_id: 'ada' } })
    await appServer.isRefused(4, 'POST', ban, { body: { target_user_id: 'bo', user_id: 'ada', timeout: -5 } })
    await ada.isRefused(17, 'POST', ban, { body: { target_user_id: 'bo' } })
    await appServer.does('DELETE', ban, { query: { target_user_id: 'bo' } })
    const stranger = await appServer.isRefused(4, 'POST', ban, {
      body: { target_user_id: 'bo', banned_by_id: 'nobody', user_id: 'ada' },
    })
    assert.deepEqual(Object.keys(stranger.exception_fields), ['banned_by_id'])
    for (const channel_cid of ['tea', 'messaging:', ':tea', 'tea:a:b'])
      await appServer.isRefused(4, 'POST', ban, { body: { target_user_id: 'bo', channel_cid, user_id: 'ada' } })
  })

  it('[HTTP-21] empty fields of a ban are ignored', async () => {
    const { appServer } = await fixture.createApp('ada', 'bo')
    const blanks = { type: '', id: '', channel_cid: '', reason: '', banned_by_id: '', banned_by: { id: '' } }
    await appServer.does('POST', ban, {
      body: { target_user_id: 'bo', user_id: 'ada', delete_messages: '', ...blanks },
    })
    const { bans } = await appServer.does('GET', '/query_banned_users')
    assert.deepEqual([bans.length, bans[0].reason, bans[0].channel], [1, undefined, undefined])
  })
})

onEveryTransport((fixture) => {
  it('a ban can delete the target’s messages, in the channel or everywhere', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [room, other] = [await appServer.opens([ada, bo]), await appServer.opens([ada, bo])]
    const mine = await ada.sends(room, 'mine')
    for (const cid of [room, other]) for (const text of ['one', 'two']) await bo.sends(cid, text)
    await bo.sends(room, 'a reply', { parent_id: mine.id })
    await ada.watches(room)
    await bo.connects()
    const bans = (fields: object) =>
      appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', banned_by_id: 'ada', ...fields } })
    const seen = async (cid: string) =>
      (await ada.opensChannel(cid)).messages.map(({ type, text }) => (type === 'deleted' ? '-' : text))

    await bans({ channel_cid: room, delete_messages: 'soft' })
    const soft = await ada.receives('user.messages.deleted')
    assert.deepEqual([soft.cid, soft.soft_delete, soft.hard_delete, soft.total_unread_count], [room, true, false, 2])
    assert.deepEqual(
      [await seen(room), await seen(other)],
      [
        ['mine', '-', '-'],
        ['one', 'two'],
      ],
    )
    await bans({ delete_messages: 'hard' })
    const all = await bo.receives('user.messages.deleted')
    assert.deepEqual(
      [all.cid, all.user.id, all.user.banned, all.soft_delete, all.hard_delete],
      [undefined, 'bo', true, false, true],
    )
    await ada.receives('user.messages.deleted', (event) => event.cid === other && event.hard_delete)
    await ada.receives('user.messages.deleted', (event) => event.cid === room && event.hard_delete)
    assert.deepEqual([await seen(room), await seen(other)], [['mine'], []])
    const [parent] = (await ada.opensChannel(room)).messages
    assert.deepEqual([parent!.reply_count, parent!.deleted_reply_count], [0, 0])
    await appServer.isRefused(4, 'POST', '/moderation/ban', {
      body: { target_user_id: 'bo', banned_by_id: 'ada', delete_messages: 'some' },
    })
  })
})

onTwoNodes((fixture) => {
  it('[MOD-4] a user banned and shadow banned in the app at the same time gets the event for the end of the ban', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const [here, there] = fixture.nodes
    const room = await appServer.opens([ada, bo])
    await bo.connects()
    const body = { target_user_id: 'bo', user_id: 'ada' }
    let other: Promise<unknown> | undefined
    const meanwhile = async () => {
      other = appServer.at(there!).does('POST', ban, { body: { ...body, shadow: true } })
      await waitsOrIsOver(here!.server, other)
    }
    justBefore(here!.server.database.dialect, 'putRows', meanwhile, (_db, table) => table === 'users')
    await appServer.at(here!).does('POST', ban, { body })
    await other
    await bo.receives('user.banned')
    assert.equal((await bo.receives('user.unbanned')).shadow, false)
    await bo.sends(room, 'Hello?')
  })
})
