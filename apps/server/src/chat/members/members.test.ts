import assert from 'node:assert/strict'
import type { Member } from '@parley/protocol/members'
import { it } from 'vitest'
import { onEveryStorage, onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('[MEM-2] [MEM-21] [MEM-29] an added member and the watchers receive the event', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, cleo])
    await ada.watches(room)
    await bo.connects()
    await cleo.connects()

    const answer = await ada.does('POST', path(room), { body: { add_members: ['bo'] } })
    assert.equal(answer.channel.member_count, 3)
    const added = await ada.receives('member.added')
    assert.deepEqual([added.member.user_id, added.user.id, added.cid], ['bo', 'bo', room])
    assert.equal(added.channel_member_count, 3)
    const notice = await bo.receives('notification.added_to_channel')
    assert.deepEqual([notice.channel.cid, notice.member.user_id, notice.total_unread_count], [room, 'bo', 0])
    assert.equal('own_capabilities' in notice.channel, false)
    assert.deepEqual(
      notice.channel.members.map((member: Member) => [member.user_id, member.user.name]),
      [
        ['ada', 'Ada'],
        ['cleo', 'Cleo'],
        ['bo', 'Bo'],
      ],
    )
    assert.deepEqual(
      (await cleo.receivedTypes()).filter((type) => type !== 'user.presence.changed'),
      [],
    )

    await ada.sends(room, 'Welcome')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 1)
  })

  it('[MEM-3] [MEM-23] [MEM-30] a removed member receives the event, stops watching and has no access', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)
    await ada.sends(room, 'Before')
    await bo.receives('message.new')

    await ada.does('POST', path(room), { body: { remove_members: ['bo'] } })
    const removed = await ada.receives('member.removed')
    assert.deepEqual([removed.member.user_id, removed.user.id], ['bo', 'bo'])
    const notice = await bo.receives('notification.removed_from_channel')
    assert.deepEqual([notice.channel.cid, notice.user.id, notice.total_unread_count], [room, 'bo', 0])
    await ada.sends(room, 'After')
    await ada.receives('message.new', (event) => event.message.text === 'After')
    assert.equal((await bo.receivedTypes()).includes('message.new'), false)
    await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
    assert.deepEqual(
      (await ada.opensChannel(room)).members.map((member) => member.user_id),
      ['ada'],
    )
  })
})

onEveryStorage((fixture) => {
  it('[MEM-29] in a large channel an added member receives as many members as a user who opens the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const crowd = Array.from({ length: 100 }, (_, i) => `fan-${i}`)
    await appServer.createUsers(...crowd)
    const room = await appServer.opens([ada])
    await appServer.does('POST', path(room), { body: { add_members: crowd } })
    await bo.connects()

    await appServer.does('POST', path(room), { body: { add_members: ['bo'] } })

    const { channel } = await bo.receives('notification.added_to_channel')
    const ids = (members: readonly Member[]) => members.map((member) => member.user_id)
    assert.deepEqual([channel.member_count, channel.members.length], [102, 100])
    assert.deepEqual(ids(channel.members), ids((await bo.opensChannel(room)).members))
  })
})

onEveryTransport((fixture) => {
  it('[MEM-4] [MEM-5] [MEM-22] [CHN-49] members are promoted and demoted, and receive their capabilities', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)

    await ada.does('POST', path(room), { body: { add_moderators: ['bo', 'cleo'] } })
    const updated = await ada.receives('member.updated')
    assert.deepEqual(
      [updated.member.user_id, updated.member.channel_role, updated.member.is_moderator],
      ['bo', 'channel_moderator', true],
    )
    assert.equal((await ada.receives('member.added')).member.is_moderator, true)
    const gained = await bo.receives('capabilities.changed')
    assert.equal(gained.cid, room)
    assert.deepEqual(gained.own_capabilities, (await bo.opensChannel(room)).channel.own_capabilities)
    assert.ok(gained.own_capabilities?.includes('delete-any-message'))
    assert.equal((await cleo.opensChannel(room)).membership?.channel_role, 'channel_moderator')

    await ada.does('POST', path(room), { body: { demote_moderators: ['bo'] } })
    assert.equal((await bo.receives('capabilities.changed')).own_capabilities?.includes('delete-any-message'), false)
    await bo.isRefused(17, 'POST', path(room), { body: { add_moderators: ['bo'] } })
  })

  it('[CHN-49] capabilities are published where the user watches and where they changed', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.connects()
    const watching = await bo.device()
    await watching.watches(room)
    await appServer.does('POST', path(room), { body: { add_moderators: ['bo'] } })
    await watching.receives('capabilities.changed')
    await appServer.does('POST', path(room), { body: { remove_members: ['ada'] } })
    await watching.receives('member.removed')
    assert.equal((await bo.receivedTypes()).includes('capabilities.changed'), false)

    const show = await appServer.opens([ada], {}, 'livestream')
    await bo.watches(show)
    await appServer.does('POST', path(show), {
      body: { add_members: [{ user_id: 'bo', channel_role: 'channel_moderator' }] },
    })
    const { own_capabilities } = await bo.receives('capabilities.changed')
    assert.deepEqual(own_capabilities, (await bo.opensChannel(show)).channel.own_capabilities)

    await appServer.does('PATCH', `${path(show)}/member/bo`, { body: { set: { channel_role: 'channel_member' } } })
    assert.equal((await bo.receives('member.updated')).member.channel_role, 'channel_member')
    await bo.receives('capabilities.changed')
    assert.equal((await bo.receivedTypes()).includes('member.updated'), false)
  })

  it('a member with a hidden history receives no events about it', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, cleo])
    const { id, created_at } = await ada.sends(room, 'Secret')
    await cleo.watches(room)
    await bo.connects()
    await appServer.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    await bo.watches(room)
    const hearing = async (testUser: TestUser) => {
      await testUser.received()
      await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Changed', pinned: true } } })
      await ada.does('POST', `/messages/${id}/reaction`, { body: { reaction: { type: 'love' } } })
      await ada.does('DELETE', `/messages/${id}/reaction/love`)
      await ada.sends(room, 'New')
      await testUser.sees(({ type }) => type === 'message.new')
      return (await testUser.receivedTypes()).filter((type) => /^(message|reaction)\./.test(type))
    }
    const all = ['message.updated', 'reaction.new', 'reaction.deleted', 'message.new']

    assert.deepEqual(await hearing(bo), ['message.new'])
    assert.deepEqual(await hearing(cleo), all)
    // The same holds for a returning member, and for one from whom it is hidden later.
    await bo.leaves()
    await bo.connects()
    await bo.watches(room)
    assert.deepEqual(await hearing(bo), ['message.new'])
    // Clearing up to an earlier time does not show anything again.
    const truncated_at = new Date(Date.parse(created_at) - 1_000).toISOString()
    const cleared = { member_ids: ['bo'], truncated_at, user_id: 'ada' }
    await appServer.does('POST', `${path(room)}/truncate`, { body: cleared })
    assert.deepEqual(await hearing(bo), ['message.new'])
    await cleo.does('POST', `${path(room)}/hide`, { body: { clear_history: true } })
    await cleo.receives('channel.hidden')
    assert.deepEqual(await hearing(cleo), ['message.new'])
  })
})

onEveryStorage((fixture) => {
  it('[MEM-6] [PERM-6] only the app’s server assigns roles, to members and with existing names', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dan')
    const room = await appServer.opens([ada, bo])
    const assign = (user_id: string, channel_role: string) => ({ body: { assign_roles: [{ user_id, channel_role }] } })
    await appServer.does('POST', path(room), assign('bo', 'channel_moderator'))
    assert.equal((await bo.opensChannel(room)).membership?.channel_role, 'channel_moderator')
    await appServer.does('POST', path(room), {
      body: { add_members: ['cleo'], ...assign('cleo', 'channel_moderator').body },
    })
    await ada.isRefused(17, 'POST', path(room), assign('bo', 'channel_member'))
    await appServer.isRefused(4, 'POST', path(room), assign('bo', 'king'))
    await appServer.isRefused(4, 'POST', path(room), assign('nobody', 'channel_member'))
    await appServer.isRefused(4, 'POST', path(room), { body: { demote_moderators: ['nobody'] } })

    const both = { add_members: ['dan'], ...assign('nobody', 'channel_member').body }
    await appServer.isRefused(4, 'POST', path(room), { body: both })
    assert.equal((await ada.opensChannel(room)).channel.member_count, 3)
  })

  it('[MEM-1] a member object has the user and the membership fields', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const { members } = await ada.opensChannel(await appServer.opens([ada]))
    const { user, created_at, updated_at, ...member } = members[0]!
    assert.deepEqual(member, {
      user_id: 'ada',
      banned: false,
      shadow_banned: false,
      channel_role: 'channel_member',
      role: 'owner',
      status: 'member',
      notifications_muted: false,
      archived: false,
      pinned: false,
    })
    assert.equal(user.id, 'ada')
    assert.equal(created_at, updated_at)
  })

  it('[MEM-26] sending the current values of a member changes nothing and publishes nothing', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.connects()
    const says = async (set: object, unset: string[] = []) =>
      (await bo.does('PATCH', `${path(room)}/member/bo`, { body: { set, unset } })).channel_member
    const first = await says({ pinned: true, archived: true, mood: 'calm' })
    fixture.clock.advance(1_000)
    assert.deepEqual(await says({ pinned: true, archived: true, mood: 'calm' }, ['hat']), first)
    for (const place of ['hide', 'hide', 'show', 'show']) await bo.does('POST', `${path(room)}/${place}`, { body: {} })
    assert.deepEqual(
      (await ada.receivedTypes()).filter((type) => type.startsWith('member.')),
      ['member.updated'],
    )
    assert.deepEqual(
      (await bo.receivedTypes()).filter((type) => type.startsWith('channel.')),
      ['channel.hidden', 'channel.visible'],
    )
    await bo.isRefused(4, 'PATCH', `${path(room)}/member/bo`, { body: { set: { 'user.name': 'x' } } })
  })

  it('[CHN-22] a channel made by the app’s server for somebody is hidden for them if they ask for it', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    await bo.connects()
    const makers = [{ created_by_id: 'ada' }, { created_by: { id: 'ada' } }]
    for (const [i, maker] of makers.entries()) {
      const data = { ...maker, members: ['ada', 'bo'] }
      const body = { data, hide_for_creator: true, state: true }
      await appServer.does('POST', `/channels/messaging/quiet-${i}/query`, { body })
      assert.equal((await ada.opensChannel(`messaging:quiet-${i}`)).hidden, true)
      assert.equal((await bo.opensChannel(`messaging:quiet-${i}`)).hidden, false)
    }
    // The acting user is somebody else.
    const data = { created_by_id: 'ada', members: ['ada', 'bo'] }
    await appServer.does('POST', '/channels/messaging/quiet-2/query', {
      body: { data, hide_for_creator: true, user_id: 'bo' },
    })
    assert.equal((await ada.opensChannel('messaging:quiet-2')).hidden, true)
    assert.equal((await bo.opensChannel('messaging:quiet-2')).hidden, false)
    // Who is not in it has nothing to hide.
    const outside = { created_by_id: 'ada', members: ['bo'] }
    const body = { data: outside, hide_for_creator: true }
    await appServer.does('POST', '/channels/messaging/quiet-3/query', { body })
    assert.equal((await bo.opensChannel('messaging:quiet-3')).hidden, false)
  })

  it('[MEM-27] adding a member again changes nothing', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    const places = (members: readonly Member[]) => members.map(({ user, ...place }) => place)
    const before = places((await ada.opensChannel(room)).members)
    const { channel, members } = await ada.does('POST', path(room), {
      body: { add_members: ['bo', { user_id: 'bo', channel_role: 'channel_moderator' }, 'ada'] },
    })
    assert.deepEqual([channel.member_count, places(members)], [2, before])
    assert.equal((await ada.receivedTypes()).includes('member.added'), false)
  })

  it('[MEM-27] adding an unknown user or more than a hundred is refused', async () => {
    const { ada, appServer } = await fixture.createApp('ada')
    const room = await appServer.opens([ada])
    const refused = await ada.isRefused(4, 'POST', path(room), { body: { add_members: ['nobody'] } })
    assert.match(refused.message, /could not find user nobody from add_members/)
    const many = Array.from({ length: 101 }, (_, i) => `u${i}`)
    for (const field of ['add_members', 'remove_members', 'invites', 'add_moderators', 'demote_moderators']) {
      const { exception_fields } = await ada.isRefused(4, 'POST', path(room), { body: { [field]: many } })
      assert.deepEqual(exception_fields, { [field]: `${field} must not have more than 100 items` })
    }
    const data = { members: many }
    const { exception_fields } = await ada.isRefused(4, 'POST', '/channels/messaging/crowd/query', { body: { data } })
    assert.deepEqual(exception_fields, { 'data.members': 'data.members must not have more than 100 items' })
    await ada.isRefused(4, 'POST', path(room), { body: { add_members: 'bo' } })
    await ada.does('POST', path(room), { body: { remove_members: ['nobody'] } })
    assert.equal((await ada.opensChannel(room)).channel.member_count, 1)
  })

  it('members leave by themselves; only the owner and the app’s server remove or add others', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, bo])
    await bo.isRefused(17, 'POST', path(room), { body: { remove_members: ['ada'] } })
    await bo.isRefused(17, 'POST', path(room), { body: { remove_members: ['bo', 'ada'] } })
    await bo.isRefused(17, 'POST', path(room), { body: { add_members: ['cleo'] } })
    await cleo.isRefused(17, 'POST', path(room), { body: { add_members: ['cleo'] } })
    await bo.does('POST', path(room), { body: { remove_members: ['bo'] } })
    await appServer.does('POST', path(room), { body: { add_members: ['cleo'], remove_members: ['ada'] } })
    assert.deepEqual(
      (await cleo.opensChannel(room)).members.map((member) => member.user_id),
      ['cleo'],
    )
  })

  it('no user joins a channel of exactly these members, but members may leave it', async () => {
    const { ada, bo } = await fixture.createApp('ada', 'bo', 'cleo')
    const { channel } = await ada.does('POST', '/channels/messaging/query', {
      body: { data: { members: ['ada', 'bo'] } },
    })
    for (const change of ['add_members', 'invites']) {
      const refused = await ada.isRefused(4, 'POST', path(channel.cid), { body: { [change]: ['cleo'] } })
      assert.match(refused.message, /cannot add\/invite members to the distinct channel/)
    }
    await bo.does('POST', path(channel.cid), { body: { remove_members: ['bo'] } })
    const again = await ada.does('POST', '/channels/messaging/query', { body: { data: { members: ['ada', 'bo'] } } })
    assert.deepEqual([again.channel.cid, again.channel.member_count], [channel.cid, 1])
  })

  it('history may be hidden from new members', async () => {
    const { ada, bo, cleo, dan, appServer } = await fixture.createApp('ada', 'bo', 'cleo', 'dan')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'One')
    fixture.clock.advance(1_000)
    const two = await ada.sends(room, 'Two')
    fixture.clock.advance(1_000)
    await ada.does('POST', path(room), { body: { add_members: ['bo'], hide_history: true } })
    await ada.does('POST', path(room), {
      body: {
        add_members: ['cleo'],
        hide_history: true,
        hide_history_before: new Date(Date.parse(two.created_at) - 500).toISOString(),
      },
    })
    await ada.does('POST', path(room), { body: { add_members: ['dan'] } })
    fixture.clock.advance(1_000)
    await ada.sends(room, 'Three')
    const texts = async (testUser: typeof ada) => (await testUser.opensChannel(room)).messages.map(({ text }) => text)
    assert.deepEqual(await texts(bo), ['Three'])
    assert.deepEqual(await texts(cleo), ['Two', 'Three'])
    assert.deepEqual(await texts(dan), ['One', 'Two', 'Three'])
    assert.equal(typeof (await bo.opensChannel(room)).hide_messages_before, 'string')
    for (const hide_history_before of ['soon', new Date(fixture.clock.now() + 60_000).toISOString()])
      await ada.isRefused(4, 'POST', path(room), { body: { add_members: ['bo'], hide_history_before } })
  })

  it('a new or returning member has nothing unread', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await ada.sends(room, 'One')
    const add = () => ada.does('POST', path(room), { body: { add_members: ['bo'] } })
    await add()
    assert.equal(await bo.unread(room), 0)
    await ada.sends(room, 'Two')
    assert.equal(await bo.unread(room), 1)
    await ada.does('POST', path(room), { body: { remove_members: ['bo'] } })
    await add()
    assert.equal(await bo.unread(room), 0)
    assert.equal((await bo.connects()).me.total_unread_count, 0)
  })

  it('a channel moderator has more rights in the channel than its members', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await appServer.does('POST', path(room), {
      body: { add_members: [{ user_id: 'bo', channel_role: 'channel_moderator' }] },
    })
    const { channel, membership } = await bo.opensChannel(room)
    assert.equal(membership?.is_moderator, true)
    for (const one of ['freeze-channel', 'delete-any-message', 'update-channel-members', 'ban-channel-members'])
      assert.ok(channel.own_capabilities?.includes(one), one)
  })
})
