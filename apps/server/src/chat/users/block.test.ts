import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { justBefore } from '../../testing/just-before.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

const blocks = (testUser: TestUser, blocked_user_id: string) =>
  testUser.does('POST', '/users/block', { body: { blocked_user_id } })
const unblocks = (testUser: TestUser, blocked_user_id: string) =>
  testUser.does('POST', '/users/unblock', { body: { blocked_user_id } })

/** The cids in a channel query result. */
async function finds(testUser: TestUser, filter: object): Promise<string[]> {
  const { channels } = await testUser.does('POST', '/channels', { body: { filter_conditions: filter } })
  return channels.map(({ channel }: { channel: { cid: string } }) => channel.cid).sort()
}
const own = (testUser: TestUser, filter: object = {}) => finds(testUser, { members: { $in: [testUser.id] }, ...filter })
const total = async (testUser: TestUser) => (await testUser.does('GET', '/unread')).total_unread_count

onEveryStorage((fixture) => {
  it('[USR-14] [USR-15] a user is blocked, listed and unblocked', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const made = await blocks(ada, 'bo')
    assert.deepEqual([made.blocked_by_user_id, made.blocked_user_id], ['ada', 'bo'])
    fixture.clock.advance(5)
    assert.equal((await blocks(ada, 'bo')).created_at, made.created_at, 'a second block changes nothing')
    fixture.clock.advance(5)
    await appServer.does('POST', '/users/block', { body: { blocked_user_id: 'cy', user_id: 'ada' } })

    const listed = (await ada.does('GET', '/users/block')).blocks
    assert.deepEqual(
      listed.map((block: { user: { id: string }; blocked_user: { id: string }; created_at: string }) => [
        block.user.id,
        block.blocked_user.id,
      ]),
      [
        ['ada', 'bo'],
        ['ada', 'cy'],
      ],
    )
    assert.equal(listed[0].created_at, made.created_at)
    assert.deepEqual((await appServer.does('GET', '/users/block', { query: { user_id: 'ada' } })).blocks.length, 2)
    assert.deepEqual((await cy.does('GET', '/users/block')).blocks, [])
    assert.deepEqual((await ada.connects()).me.blocked_user_ids, ['bo', 'cy'])
    assert.deepEqual((await bo.connects()).me.blocked_user_ids, [])

    await unblocks(ada, 'bo')
    await unblocks(ada, 'bo')
    assert.deepEqual((await ada.device().connects()).me.blocked_user_ids, ['cy'])
  })

  it('[USR-14] a user renamed while blocking receives the block and keeps the new name', async () => {
    const { ada, appServer } = await fixture.createApp('ada', 'bo')
    const { commit } = fixture.nodes[0]!.server
    await ada.connects()
    for (const [name, change] of [
      ['Ada L.', blocks],
      ['Ada B.', unblocks],
    ] as const) {
      const renames = () => appServer.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { name } }] } })
      justBefore(commit, 'write', renames)
      await change(ada, 'bo')
      const told = (await ada.received()).filter(({ type }) => type === 'user.updated')
      assert.deepEqual(
        [told.at(-1)?.user.name, told.at(-1)?.user.blocked_user_ids],
        [name, change === blocks ? ['bo'] : []],
      )
    }
  })

  it('blocking oneself or an unknown user is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const refused = (code: number, body: object) => ada.isRefused(code, 'POST', '/users/block', { body })
    await refused(4, { blocked_user_id: 'ada' })
    await refused(16, { blocked_user_id: 'nobody' })
    await refused(4, {})
    await refused(4, { blocked_user_id: 5 })
    await appServer.isRefused(4, 'POST', '/users/block', { body: { blocked_user_id: 'ada' } })
    await appServer.isRefused(4, 'GET', '/users/block')
    const nobody = appServer.user('!anon')
    nobody.token = ''
    await nobody.isRefused(17, 'POST', '/users/block', { body: { blocked_user_id: 'ada' } })
  })

  it('[USR-19] direct channels of the two users are hidden from the blocker, groups stay', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const pair = await appServer.opens([ada, bo])
    const second = await appServer.opens([bo, ada])
    const group = await appServer.opens([ada, bo, cy])
    const withCy = await appServer.opens([ada, cy])
    await blocks(ada, 'bo')

    assert.deepEqual(await own(ada), [group, withCy].sort())
    assert.deepEqual(await own(ada, { hidden: true }), [pair, second].sort())
    assert.deepEqual(await own(ada, { hidden: true, blocked: true }), [pair, second].sort())
    assert.deepEqual(await own(ada, { hidden: true, blocked: false }), [])
    assert.deepEqual(await own(ada, { blocked: false }), [group, withCy].sort())
    const { channel, hidden } = await ada.opensChannel(pair)
    assert.deepEqual([channel.blocked, channel.hidden, hidden], [true, true, true])
    assert.equal((await ada.opensChannel(group)).channel.blocked, undefined)
    assert.deepEqual(await own(bo), [pair, second, group].sort(), 'who is blocked sees no difference')
    assert.equal((await bo.opensChannel(pair)).channel.blocked, undefined)
    await ada.isRefused(4, 'POST', `${path(pair)}/show`, { body: {} })

    await unblocks(ada, 'bo')
    assert.deepEqual(await own(ada), [pair, second, group, withCy].sort())
    assert.equal((await ada.opensChannel(pair)).channel.blocked, undefined)
  })

  it('[USR-19] a message to the blocker shows nothing again and counts nowhere until the block is lifted', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const pair = await appServer.opens([ada, bo])
    const parent = await ada.sends(pair, 'Hi')
    await bo.sends(pair, 'one')
    assert.equal(await total(ada), 1)
    await blocks(ada, 'bo')
    await bo.sends(pair, 'two')
    await bo.sends(pair, 'three', { parent_id: parent.id })
    const counts = await ada.does('GET', '/unread')
    assert.deepEqual([counts.total_unread_count, counts.channels, counts.threads], [0, [], []])
    assert.deepEqual(await own(ada), [])
    assert.deepEqual(await own(ada, { hidden: true, has_unread: true }), [])
    const { me } = await ada.connects()
    assert.deepEqual([me.total_unread_count, me.unread_channels, me.unread_threads], [0, 0, 0])

    await unblocks(ada, 'bo')
    assert.equal(await total(ada), 2, 'all that was not read is shown again')
    assert.equal(await ada.unread(pair), 2)
  })

  it('[USR-19] a direct channel that becomes a group is shown, and a group that becomes direct is hidden', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    await blocks(ada, 'bo')
    await appServer.does('POST', path(room), { body: { add_members: ['cy'] } })
    assert.deepEqual(await own(ada), [room])
    await cy.sends(room, 'Hello you two')
    assert.equal(await total(ada), 1)
    await appServer.does('POST', path(room), { body: { remove_members: ['cy'] } })
    assert.deepEqual(await own(ada), [])
    await appServer.does('POST', path(room), { body: { remove_members: ['bo'] } })
    assert.deepEqual(await own(ada), [room], 'alone there is nobody to hide it from')
    await appServer.does('POST', path(room), { body: { invites: ['bo'] } })
    assert.deepEqual(await own(ada), [])
  })

  it('[USR-19] a blocked user cannot add the blocker to a channel, and cannot notice it', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const group = await appServer.opens([bo, cy])
    await blocks(ada, 'bo')
    const membersOf = async (cid: string) =>
      (await appServer.does('POST', `${path(cid)}/query`, { body: { state: true } })).members.map(
        (member: { user_id: string }) => member.user_id,
      )
    const adds = (body: object) => bo.does('POST', path(group), { body })
    await adds({ add_members: ['ada'] })
    await adds({ invites: ['ada'] })
    await adds({ add_moderators: ['ada'] })
    assert.deepEqual(await membersOf(group), ['bo', 'cy'])
    await bo.does('POST', '/channels/messaging/tea/query', { body: { data: { members: ['bo', 'ada', 'cy'] } } })
    assert.deepEqual(await membersOf('messaging:tea'), ['bo', 'cy'])
    await cy.does('POST', '/channels/messaging/milk/query', { body: { data: { members: ['cy', 'ada', 'bo'] } } })
    assert.deepEqual(await membersOf('messaging:milk'), ['cy', 'ada', 'bo'])
    await appServer.does('POST', path(group), { body: { add_members: ['ada'] } })
    assert.deepEqual(await membersOf(group), ['bo', 'cy', 'ada'])
  })

  it('[USR-19] a direct channel created after the block is hidden from the start', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await blocks(ada, 'bo')
    await ada.connects()
    await appServer.does('POST', '/channels/messaging/query', {
      body: { data: { members: ['bo', 'ada'], created_by_id: 'bo' } },
    })
    const [cid] = await own(bo)
    await bo.sends(cid!, 'Hello?')
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => type !== 'user.presence.changed'),
      [],
    )
    assert.deepEqual([await own(ada), await own(ada, { hidden: true }), await total(ada)], [[], [cid], 0])
    await unblocks(ada, 'bo')
    assert.deepEqual([await own(ada), await total(ada)], [[cid], 1])
  })
})

onEveryTransport((fixture) => {
  it('[USR-19] the blocker receives no events of the direct channel on any device, and receives them again afterwards', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const other = ada.device(bo.url)
    const pair = await appServer.opens([ada, bo])
    await bo.watches(pair)
    await ada.watches(pair)
    await other.connects()
    await bo.sends(pair, 'one')
    await ada.receives('message.new')
    await other.receives('notification.message_new')

    await blocks(ada, 'bo')
    for (const device of [ada, other]) {
      const hidden = await device.receives('channel.hidden')
      assert.deepEqual([hidden.cid, hidden.channel.blocked, hidden.total_unread_count], [pair, true, 0])
      const { user } = await device.receives('user.updated')
      assert.deepEqual([user.id, user.blocked_user_ids], ['ada', ['bo']])
      await device.received()
    }
    await ada.does('POST', `${path(pair)}/query`, { body: { state: true, watch: true } })
    await ada.does('POST', '/channels', {
      body: { filter_conditions: { members: { $in: ['ada'] }, hidden: true }, watch: true },
    })
    const said = await bo.sends(pair, 'two')
    await bo.does('POST', `/messages/${said.id}/reaction`, { body: { reaction: { type: 'love' } } })
    await bo.does('POST', `${path(pair)}/event`, { body: { event: { type: 'typing.start' } } })
    await bo.receives('typing.start')
    for (const device of [ada, other]) assert.deepEqual(await device.receivedTypes(), [])
    const since = { channel_cids: [pair], last_sync_at: said.created_at.replace(/\.\d+Z/, 'Z') }
    const { events } = await ada.does('POST', '/sync', { body: since })
    assert.equal(
      events.some((event: { type: string }) => event.type === 'message.new'),
      false,
    )

    await unblocks(ada, 'bo')
    for (const device of [ada, other]) {
      const visible = await device.receives('channel.visible')
      assert.deepEqual([visible.channel.blocked, visible.total_unread_count], [false, 2])
      assert.deepEqual((await device.receives('user.updated')).user.blocked_user_ids, [])
    }
    await bo.sends(pair, 'three')
    for (const device of [ada, other])
      assert.equal((await device.receives('notification.message_new')).total_unread_count, 3)
    await ada.watches(pair)
    await bo.sends(pair, 'four')
    assert.equal((await ada.receives('message.new')).total_unread_count, 4)
  })

  it('[USR-19] [MEM-28] answering an invitation leaves a channel hidden by a block hidden, and a rejected one closed', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const pair = await appServer.opens([bo])
    for (const testUser of [ada, cy]) await testUser.connects()
    const answers = (testUser: TestUser, answer: object) => testUser.does('POST', path(pair), { body: answer })
    await appServer.does('POST', path(pair), { body: { invites: ['ada'] } })
    await blocks(ada, 'bo')
    await answers(ada, { accept_invite: true })
    await ada.receives('notification.invite_accepted')
    await bo.sends(pair, 'one')
    assert.equal((await ada.receivedTypes()).includes('notification.message_new'), false)
    await unblocks(ada, 'bo')
    assert.equal((await ada.receives('channel.visible')).total_unread_count, 1)
    await bo.sends(pair, 'two')
    assert.equal((await ada.receives('notification.message_new')).total_unread_count, 2)

    await appServer.does('POST', path(pair), { body: { remove_members: ['ada'], invites: ['cy'] } })
    await answers(cy, { reject_invite: true })
    await blocks(cy, 'bo')
    await unblocks(cy, 'bo')
    await bo.sends(pair, 'three')
    await cy.receives('channel.visible')
    assert.equal((await cy.receivedTypes()).includes('notification.message_new'), false)
  })

  it('renaming the blocker does not change the list of blocked users', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo')
    await ada.connects()
    await blocks(ada, 'bo')
    await ada.receives('user.updated')
    await ada.does('PATCH', '/users', { body: { users: [{ id: 'ada', set: { name: 'Ada L.' } }] } })
    const { user } = await ada.receives('user.updated')
    assert.deepEqual([user.name, user.blocked_user_ids, user.invisible], ['Ada L.', ['bo'], false])
    await bo.connects()
    await eventually(async () => (await bo.device().connects()).me.blocked_user_ids.length === 0, 'bo sees none')
  })
})
