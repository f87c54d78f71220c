import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Fixture, onEveryStorage } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

type Caller = Pick<TestUser, 'does' | 'isRefused' | 'call'>

/** The ids of the channels in a query result, in its order. */
async function finds(caller: Caller, filter_conditions: object, options: object = { sort: [{ field: 'id' }] }) {
  const { channels } = await caller.does('POST', '/channels', { body: { filter_conditions, ...options } })
  return channels.map(({ channel }: { channel: { id: string } }) => channel.id) as string[]
}

const opens = (testUser: Pick<TestUser, 'does'>, id: string, data: object = {}) =>
  testUser.does('POST', `/channels/messaging/${id}/query`, { body: { data } })

/** Three rooms of Ada’s, made a second apart: tea (with Bo), milk (with Bo and Cleo), oats (Ada alone). */
async function rooms(fixture: Fixture) {
  const people = await fixture.createApp('ada', 'bo', 'cleo')
  const { ada } = people
  await opens(ada, 'tea', {
    members: ['ada', 'bo'],
    name: 'Green Tea',
    colour: 'green',
    price: 9,
    tags: ['hot', 'leaf'],
  })
  fixture.clock.advance(1_000)
  await opens(ada, 'milk', { members: ['ada', 'bo', 'cleo'], name: 'Milch & Käse', price: 10, cold: true, team: 'red' })
  fixture.clock.advance(1_000)
  await opens(ada, 'oats', { members: ['ada'], box: { size: 3 } })
  fixture.clock.advance(1_000)
  return people
}

onEveryStorage((fixture) => {
  it('[CHN-13] every filter field finds its matches', async () => {
    const { ada, appServer } = await rooms(fixture)
    const tea = (await ada.opensChannel('messaging:tea')).channel
    const milk = (await ada.opensChannel('messaging:milk')).channel
    await appServer.does('PATCH', '/channels/messaging/oats', { body: { set: { frozen: true } } })
    const mine = { members: { $in: ['ada'] } }
    const cases: [filter: object, found: string[]][] = [
      [{}, ['milk', 'oats', 'tea']],
      [mine, ['milk', 'oats', 'tea']],
      [{ cid: 'messaging:tea' }, ['tea']],
      [{ cid: { $in: ['messaging:tea', 'messaging:oats', 'team:tea'] } }, ['oats', 'tea']],
      [{ id: 'tea' }, ['tea']],
      [{ id: { $gt: 'milk' } }, ['oats', 'tea']],
      [{ id: { $in: ['tea'] } }, ['tea']],
      [{ type: 'messaging', id: 'tea' }, ['tea']],
      [{ type: { $in: ['team'] } }, []],
      [{ members: { $in: ['bo', 'cleo'] } }, ['milk', 'tea']],
      [{ members: { $in: ['cleo'] } }, ['milk']],
      [{ members: { $in: [] } }, []],
      [{ members: { $eq: ['bo', 'ada'] } }, ['tea']],
      [{ members: { $eq: ['ada'] } }, ['oats']],
      [{ members: ['bo', 'ada'] }, ['tea']],
      [{ members: { $ne: ['bo', 'ada'] } }, ['milk', 'oats']],
      [{ members: { $nin: ['cleo', 'nobody'] } }, ['oats', 'tea']],
      [{ 'member.user.name': 'Cleo' }, ['milk']],
      [{ 'member.user.name': { $autocomplete: 'b' } }, ['milk', 'tea']],
      [{ joined: true }, ['milk', 'oats', 'tea']],
      [{ joined: false }, []],
      [{ invite: 'pending' }, []],
      [{ muted: false }, ['milk', 'oats', 'tea']],
      [{ muted: true }, []],
      [{ pinned: false }, ['milk', 'oats', 'tea']],
      [{ archived: true }, []],
      [{ hidden: false }, ['milk', 'oats', 'tea']],
      [{ hidden: true }, []],
      [{ blocked: false }, ['milk', 'oats', 'tea']],
      [{ has_unread: true }, []],
      [{ created_by_id: 'ada' }, ['milk', 'oats', 'tea']],
      [{ created_by_id: { $in: ['bo'] } }, []],
      [{ frozen: true }, ['oats']],
      [{ frozen: false }, ['milk', 'tea']],
      [{ disabled: false }, ['milk', 'oats', 'tea']],
      [{ member_count: { $gte: 2 } }, ['milk', 'tea']],
      [{ member_count: 1 }, ['oats']],
      [{ member_count: { $in: [1, 3] } }, ['milk', 'oats']],
      [{ last_message_at: { $exists: true } }, []],
      [{ last_message_at: null }, ['milk', 'oats', 'tea']],
      [{ created_at: { $gt: tea.created_at } }, ['milk', 'oats']],
      [{ created_at: { $lte: milk.created_at, $ne: tea.created_at } }, ['milk']],
      [{ created_at: { $exists: true } }, ['milk', 'oats', 'tea']],
      [{ updated_at: { $gt: milk.created_at } }, ['oats']],
      [{ last_updated: { $lt: milk.created_at } }, ['tea']],
      [{ team: 'red' }, ['milk']],
      [{ team: { $in: ['red', 'blue'] } }, ['milk']],
      [{ name: 'Green Tea' }, ['tea']],
      [{ name: { $autocomplete: 'kas' } }, ['milk']],
      [{ name: { $autocomplete: 'tea gr' } }, ['tea']],
      [{ name: { $exists: false } }, ['oats']],
      [{ name: { $gt: 'H' } }, ['milk']],
      [{ colour: 'green' }, ['tea']],
      [{ colour: { $ne: 'green' } }, ['milk', 'oats']],
      [{ price: { $gt: 9 } }, ['milk']],
      [{ price: { $in: [9, '10'] } }, ['tea']],
      [{ cold: true }, ['milk']],
      [{ tags: { $contains: 'hot' } }, ['tea']],
      [{ tags: ['hot', 'leaf'] }, ['tea']],
      [{ 'box.size': { $lte: 3 } }, ['oats']],
      [{ 'box.size': { $exists: false } }, ['milk', 'tea']],
      [{ $or: [{ id: 'tea' }, { price: 10 }], ...mine }, ['milk', 'tea']],
      [{ $nor: [{ members: { $in: ['cleo'] } }] }, ['oats', 'tea']],
    ]
    for (const [filter, found] of cases) assert.deepEqual(await finds(ada, filter), found, JSON.stringify(filter))
    assert.deepEqual(await finds(appServer, { members: { $in: ['cleo'] } }), ['milk'])
    assert.deepEqual(await finds(appServer, { has_unread: true }, { user_id: 'ada' }), [])
    assert.deepEqual(await finds(ada, { app_banned: 'only' }), [])
    await appServer.does('POST', '/moderation/ban', { body: { target_user_id: 'bo', user_id: 'ada' } })
    assert.deepEqual(await finds(ada, { app_banned: 'only', ...mine }), ['tea'])
    assert.deepEqual(await finds(ada, { app_banned: 'excluded', ...mine }), ['milk', 'oats'])
  })

  it('an invalid filter is refused with 4', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const wrong = [
      { members: { $in: 'ada' } },
      { members: { $in: [5] } },
      { members: { $gt: ['ada'] } },
      { members: null },
      { joined: 'yes' },
      { joined: { $in: [true] } },
      { invite: 'maybe' },
      { app_banned: true },
      { has_unread: false },
      { frozen: 1 },
      { member_count: '2' },
      { last_updated: { $exists: true } },
      { last_message_at: 'soon' },
      { cid: { $gt: 'a' } },
      { cid: 5 },
      { 'member.user.name': 5 },
      { 'member.user.name': { $in: ['Ada'] } },
      { type: { $autocomplete: 'm' } },
      { $and: [{ type: { $nope: 1 } }] },
    ]
    for (const filter_conditions of wrong) {
      const { status, body } = await ada.call('POST', '/channels', { body: { filter_conditions } })
      assert.deepEqual([status, body.code], [400, 4], JSON.stringify(filter_conditions))
    }
    for (const field of ['joined', 'hidden', 'muted', 'pinned', 'archived', 'has_unread']) {
      const refused = await appServer.isRefused(4, 'POST', '/channels', {
        body: { filter_conditions: { [field]: true } },
      })
      assert.match(refused.message, /needs a user/)
    }
    const deep = (depth: number): object => (depth === 1 ? { id: 'x' } : { $and: [deep(depth - 1)] })
    assert.deepEqual(await finds(ada, deep(5)), [])
    await ada.isRefused(4, 'POST', '/channels', { body: { filter_conditions: deep(6) } })
    await ada.isRefused(4, 'POST', '/channels', {
      body: { filter_conditions: { id: { $in: Array(600).fill('somebody') } } },
    })
  })

  it('the newest activity comes first, and any field sorts, null last in both directions', async () => {
    const { ada, bo } = await rooms(fixture)
    const sorted = (...sort: object[]) => finds(ada, {}, { sort })
    assert.deepEqual(await finds(ada, {}, {}), ['oats', 'milk', 'tea'])
    await ada.sends('messaging:tea', 'Hello')
    fixture.clock.advance(1_000)
    await bo.sends('messaging:milk', 'Good morning')
    assert.deepEqual(await finds(ada, {}, {}), ['milk', 'tea', 'oats'])
    assert.deepEqual(await sorted({ field: 'last_message_at', direction: -1 }), ['milk', 'tea', 'oats'])
    assert.deepEqual(await sorted({ field: 'last_message_at' }), ['tea', 'milk', 'oats'])
    assert.deepEqual(await sorted({ field: 'last_updated' }), ['oats', 'tea', 'milk'])
    assert.deepEqual(await sorted({ field: 'created_at' }), ['tea', 'milk', 'oats'])
    assert.deepEqual(await sorted({ field: 'updated_at', direction: -1 }), ['oats', 'milk', 'tea'])
    assert.deepEqual(await sorted({ field: 'member_count', direction: -1 }), ['milk', 'tea', 'oats'])
    assert.deepEqual(await sorted({ field: 'has_unread', direction: -1 }, { field: 'id' }), ['milk', 'oats', 'tea'])
    assert.deepEqual(await sorted({ field: 'unread_count', direction: -1 }, { field: 'id' }), ['milk', 'oats', 'tea'])
    assert.deepEqual(await sorted({ field: 'pinned_at', direction: -1 }, { field: 'id' }), ['milk', 'oats', 'tea'])
    assert.deepEqual(await sorted({ field: 'price', type: 'number' }), ['tea', 'milk', 'oats'])
    assert.deepEqual(await sorted({ field: 'price', type: 'number', direction: -1 }), ['milk', 'tea', 'oats'])
    // Numbers need no type declaration.
    assert.deepEqual(await sorted({ field: 'price' }), ['tea', 'milk', 'oats'])
    assert.deepEqual(await sorted({ field: 'price', direction: -1 }), ['milk', 'tea', 'oats'])
    assert.deepEqual(await sorted({ field: 'name' }), ['tea', 'milk', 'oats'])
    assert.deepEqual(await sorted({ field: 'colour' }), ['tea', 'milk', 'oats'])
    assert.deepEqual(await finds(ada, { has_unread: true }), ['milk'])
    for (const sort of [
      { id: 2 },
      [{ field: 'members' }],
      [{ field: 'joined' }],
      [{ field: 'id', direction: 0 }],
      [{}],
      'id',
    ])
      await ada.isRefused(4, 'POST', '/channels', { body: { sort } })
  })

  it('[READ-13] [MEM-28] `has_unread` finds the channels whose messages would count as unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await appServer.does('POST', '/channeltypes', { body: { name: 'unread', read_events: false } })
    await opens(ada, 'tea', { members: ['ada', 'bo', 'cleo'] })
    await opens(ada, 'milk', { members: ['ada'], invites: ['bo'] })
    await appServer.opens([ada, bo], {}, 'unread').then((room) => ada.sends(room, 'Hello'))
    const secret = { text: 'For Cleo', user_id: 'ada', restricted_visibility: ['cleo'] }
    await appServer.does('POST', '/channels/messaging/tea/message', { body: { message: secret } })
    await ada.sends('messaging:milk', 'Come in')
    const mine = { members: { $in: ['bo'] } }
    assert.deepEqual(await finds(bo, { has_unread: true, ...mine }), [])
    await ada.sends('messaging:tea', 'For all')
    assert.deepEqual(await finds(bo, { has_unread: true, ...mine }), ['tea'])
    const sort = [{ field: 'unread_count', direction: -1 }, { field: 'id' }]
    assert.deepEqual(await finds(bo, { type: 'messaging', ...mine }, { sort }), ['tea', 'milk'])
  })

  it('[CHN-58] [LIM-5] ten channels come by default, thirty at most, and pages are contiguous', async () => {
    const { ada } = await fixture.createApp('ada')
    const ids = Array.from({ length: 32 }, (_, i) => `r${String(i).padStart(2, '0')}`)
    for (const id of ids) await opens(ada, id, { members: ['ada'] })
    const sort = [{ field: 'id' }]
    const mine = { members: { $in: ['ada'] } }
    assert.deepEqual(await finds(ada, mine), ids.slice(0, 10))
    assert.deepEqual(await finds(ada, mine, { sort, limit: 30 }), ids.slice(0, 30))
    assert.deepEqual(await finds(ada, mine, { sort, limit: 30, offset: 30 }), ids.slice(30))
    assert.deepEqual(await finds(ada, mine, { sort, limit: 0 }), [])
    assert.deepEqual(await finds(ada, mine, { sort, offset: 1000 }), [])
    const newestFirst = [...ids].reverse()
    for (const field of ['last_updated', 'last_message_at', 'created_at']) {
      const order = field === 'last_message_at' ? [{ field, direction: -1 }, ...sort] : [{ field, direction: -1 }]
      const pages = [0, 12, 24].map((offset) => finds(ada, mine, { sort: order, limit: 12, offset }))
      const found = (await Promise.all(pages)).flat()
      assert.deepEqual(found, field === 'last_message_at' ? ids : newestFirst, field)
    }
    for (const page of [
      { limit: 31 },
      { limit: -1 },
      { limit: 1.5 },
      { offset: 1001 },
      { message_limit: 301 },
      { member_limit: 101 },
    ])
      await ada.isRefused(4, 'POST', '/channels', { body: page })
  })

  it('[CHN-58] a large channel comes with a hundred members', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const crowd = Array.from({ length: 100 }, (_, i) => `fan-${i}`)
    await appServer.createUsers(...crowd)
    const cid = await appServer.opens([ada])
    await appServer.does('POST', path(cid), { body: { add_members: crowd } })
    const { channels } = await ada.does('POST', '/channels', { body: { filter_conditions: { cid }, state: true } })
    assert.deepEqual([channels[0].channel.member_count, channels[0].members.length], [101, 100])
  })

  it('[CHN-58] each channel comes with its newest messages and members, or with none', async () => {
    const { ada, bo } = await rooms(fixture)
    for (let i = 0; i < 27; i++) await ada.sends('messaging:tea', `${i}`)
    const query = async (options: object) =>
      (
        await bo.does('POST', '/channels', {
          body: { filter_conditions: { id: 'tea', members: { $in: ['bo'] } }, ...options },
        })
      ).channels[0]
    const full = await query({ state: true })
    assert.deepEqual(
      full.messages.map(({ text }: { text: string }) => text),
      Array.from({ length: 25 }, (_, i) => `${i + 2}`),
    )
    assert.deepEqual([full.members.length, full.membership.user_id, full.read.length], [2, 'bo', 2])
    assert.ok(full.channel.own_capabilities.includes('send-message'))
    assert.equal(full.read.find((read: { user: { id: string } }) => read.user.id === 'bo').unread_messages, 27)
    const small = await query({ state: true, message_limit: 2, member_limit: 1 })
    assert.deepEqual([small.messages.length, small.members.length], [2, 1])
    assert.ok(small.read.some((read: { user: { id: string } }) => read.user.id === 'bo'))
    const none = await query({ state: true, message_limit: 0, member_limit: 0 })
    assert.deepEqual([none.messages, none.members, none.membership.user_id], [[], [], 'bo'])
    const bare = await query({})
    assert.deepEqual([bare.messages, bare.members, bare.read], [[], [], []])
  })

  it('[ERR-28] a filter that matches an unreadable channel is refused with 70', async () => {
    const { ada, bo } = await rooms(fixture)
    const refused = await bo.isRefused(70, 'POST', '/channels', { body: { filter_conditions: {} } })
    assert.equal(refused.StatusCode, 403)
    assert.match(
      refused.message,
      /1 channels match your query but cannot be returned because you don't have access to them\. Did you forget to include \{members: \$in: \["bo"\]\}\?/,
    )
    assert.deepEqual(await finds(bo, { members: { $in: ['bo'] } }), ['milk', 'tea'])
    assert.deepEqual(await finds(ada, {}), ['milk', 'oats', 'tea'])
  })

  it('[CHN-55] [CHN-58] hidden channels come only when the filter names them', async () => {
    const { ada, appServer } = await rooms(fixture)
    const { write } = fixture.nodes[0]!.server.database
    const hide = write.updateTable('members').set({ hidden: 1 }).where('cid', '=', 'messaging:tea')
    await hide.where('app', '=', ada.app.id).where('user_id', '=', 'ada').execute()
    assert.deepEqual(await finds(ada, {}), ['milk', 'oats'])
    assert.deepEqual(await finds(ada, { hidden: true }), ['tea'])
    assert.deepEqual(await finds(ada, { $or: [{ hidden: true }, { id: 'milk' }] }), ['milk', 'tea'])
    assert.deepEqual(await finds(ada, { hidden: {} }), ['milk', 'oats', 'tea'])
    assert.deepEqual(await finds(appServer, {}), ['milk', 'oats', 'tea'])
    assert.deepEqual(await finds(appServer, {}, { user_id: 'ada', sort: [{ field: 'id' }] }), ['milk', 'oats'])
  })

  it('the channels of the query are watched, all at once', async () => {
    const { ada, bo } = await rooms(fixture)
    await bo.connects()
    await bo.does('POST', '/channels', { body: { filter_conditions: { members: { $in: ['bo'] } }, watch: true } })
    for (const id of ['tea', 'milk']) {
      await ada.sends(`messaging:${id}`, id)
      assert.equal((await bo.receives('message.new')).message.text, id)
    }
    assert.equal((await bo.receivedTypes()).includes('notification.message_new'), false)
    assert.equal((await ada.opensChannel('messaging:tea')).watcher_count, 1)
    await bo.does('POST', `${path('messaging:tea')}/stop-watching`, { body: {} })
    assert.equal((await ada.opensChannel('messaging:tea')).watcher_count, 0)
  })
})
