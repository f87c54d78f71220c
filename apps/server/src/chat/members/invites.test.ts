import assert from 'node:assert/strict'
import { it } from 'vitest'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('[MEM-7] [MEM-8] [MEM-28] messages count as unread for an invitee only after acceptance', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, cleo])
    await ada.watches(room)
    await bo.connects()
    await cleo.isRefused(17, 'POST', path(room), { body: { invites: ['bo'] } })
    await cleo.isRefused(4, 'POST', path(room), { body: { accept_invite: true } })

    await ada.does('POST', path(room), { body: { invites: ['bo'] } })
    const invited = await bo.receives('notification.invited')
    assert.deepEqual([invited.channel.cid, invited.member.invited, invited.member.status], [room, true, 'pending'])
    assert.equal((await ada.receives('member.added')).member.status, 'pending')
    await ada.sends(room, 'Before')
    assert.equal((await bo.receivedTypes()).includes('notification.message_new'), false)
    assert.equal(await bo.unread(room), 0)

    const answer = await bo.does('POST', path(room), { body: { accept_invite: true } })
    assert.ok(answer.members.find((member: { user_id: string }) => member.user_id === 'bo')?.invite_accepted_at)
    assert.equal((await bo.receives('notification.invite_accepted')).member.status, 'accepted')
    assert.equal((await ada.receives('member.updated')).member.status, 'accepted')
    assert.equal(await bo.unread(room), 0)
    await ada.sends(room, 'After')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 1)
    assert.equal(await bo.unread(room), 1)
  })

  it('[MEM-8] [READ-1] a user who accepts has nothing unread, and appears to others as having read the existing messages', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await ada.watches(room)
    await ada.does('POST', path(room), { body: { invites: ['bo'] } })
    const { created_at } = (await ada.receives('member.added')).member
    fixture.clock.advance(1_000)
    const { id } = await ada.sends(room, 'Are you coming?')
    await bo.does('POST', path(room), { body: { accept_invite: true } })
    const read = async () => (await ada.opensChannel(room)).read.find(({ user }) => user.id === 'bo')!
    // No read event was published for him since.
    assert.deepEqual([(await read()).last_read, (await read()).unread_messages], [created_at, 0])
    assert.equal((await ada.receivedTypes()).includes('message.read'), false)
    await bo.reads(room)
    assert.equal((await ada.receives('message.read')).last_read_message_id, id)
    assert.equal((await read()).last_read_message_id, id)
  })

  it('[MEM-33] [CHN-49] a watching invitee receives the capabilities on acceptance and on a new invitation', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const show = await appServer.opens([ada], {}, 'livestream')
    await bo.watches(show)
    const invites = [{ user_id: 'bo', channel_role: 'channel_moderator' }]
    for (let i = 0; i < 2; i++) {
      const before = (await bo.opensChannel(show)).channel.own_capabilities
      await appServer.does('POST', path(show), { body: { invites } })
      assert.deepEqual((await bo.opensChannel(show)).channel.own_capabilities, before)
      await bo.does('POST', path(show), { body: { accept_invite: true } })
      const { own_capabilities } = await bo.receives('capabilities.changed')
      assert.deepEqual(own_capabilities, (await bo.opensChannel(show)).channel.own_capabilities)
      assert.ok(own_capabilities?.includes('delete-any-message'))
      await appServer.does('POST', path(show), { body: { remove_members: ['bo'] } })
      await bo.watches(show)
    }
  })

  it('[MEM-34] a user named as a member and as an invitee of one request is invited, and accepts or rejects', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const states = (members: { user_id: string; status: string }[]) =>
      Object.fromEntries(members.map(({ user_id, status }) => [user_id, status]))
    const bos = { user_id: 'bo', channel_role: 'channel_moderator', shift: 'late' }
    const data = { created_by_id: 'ada', members: ['ada', bos, 'cleo'], invites: ['bo', 'cleo', 'ada'] }
    const made = await appServer.does('POST', '/channels/messaging/tea/query', { body: { data, state: true } })
    assert.deepEqual(states(made.members), { ada: 'member', bo: 'pending', cleo: 'pending' })
    const tea = made.channel.cid
    await ada.sends(tea, 'Who comes?')
    assert.equal(await bo.unread(tea), 0)
    const accepted = await appServer.does('POST', path(tea), { body: { accept_invite: true, user_id: 'bo' } })
    const own = accepted.members.find((member: { user_id: string }) => member.user_id === 'bo')
    assert.deepEqual([own.channel_role, own.shift, own.invited], ['channel_moderator', 'late', true])
    const rejected = await appServer.does('POST', path(tea), { body: { reject_invite: true, user_id: 'cleo' } })
    assert.deepEqual(states(rejected.members), { ada: 'member', bo: 'accepted', cleo: 'rejected' })
    await cleo.isRefused(17, 'POST', `${path(tea)}/query`)

    const room = await appServer.opens([ada])
    await ada.sends(room, 'A secret')
    fixture.clock.advance(10)
    const both = { add_members: ['bo', 'cleo'], invites: ['cleo'], hide_history: true }
    const { members } = await appServer.does('POST', path(room), { body: both })
    assert.deepEqual(states(members), { ada: 'member', bo: 'member', cleo: 'pending' })
    await cleo.does('POST', path(room), { body: { accept_invite: true } })
    for (const user of [bo, cleo]) assert.deepEqual((await user.opensChannel(room)).messages, [])
  })

  it('[MEM-7] creating or updating a channel can invite users', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    await bo.connects()
    const data = { members: ['ada'], invites: ['bo', 'ada'] }
    const state = await ada.does('POST', '/channels/messaging/tea/query', { body: { data, state: true } })
    assert.deepEqual(
      state.members.map((member: { user_id: string; status: string }) => [member.user_id, member.status]),
      [
        ['ada', 'member'],
        ['bo', 'pending'],
      ],
    )
    assert.equal((await bo.receives('notification.invited')).channel.cid, 'messaging:tea')
    const { members } = await ada.does('POST', '/channels/messaging/tea', { body: { data: { invites: ['cleo'] } } })
    assert.equal(members.find((member: { user_id: string }) => member.user_id === cleo.id).status, 'pending')
    const distinct = { body: { data: { members: ['ada', 'bo'], invites: ['cleo'] } } }
    await ada.isRefused(4, 'POST', '/channels/messaging/query', distinct)
    await appServer.isRefused(4, 'POST', '/channels/messaging/milk/query', {
      body: { data: { created_by_id: 'ada', invites: ['nobody'] } },
    })
  })

  it('[MEM-7] [CHN-17] a partial update can invite users, with the right to do so', async () => {
    const { ada, bo, cleo, appServer } = await fixture.createApp('ada', 'bo', 'cleo')
    const room = await appServer.opens([ada, cleo])
    await ada.watches(room)
    await bo.connects()
    const set = { mood: 'calm', invites: ['bo', { user_id: 'cleo' }] }
    await cleo.isRefused(17, 'PATCH', path(room), { body: { set: { invites: ['bo'] } } })
    await ada.isRefused(4, 'PATCH', path(room), { body: { set: { invites: ['nobody'] } } })
    await ada.isRefused(4, 'PATCH', path(room), { body: { set: { invites: 'bo' } } })
    const { channel, members } = await ada.does('PATCH', path(room), { body: { set } })
    assert.deepEqual([channel.mood, channel.invites], ['calm', undefined])
    assert.deepEqual(
      members.map((member: { user_id: string; status: string }) => [member.user_id, member.status]).sort(),
      [
        ['ada', 'member'],
        ['bo', 'pending'],
        ['cleo', 'member'],
      ],
    )
    assert.equal((await bo.receives('notification.invited')).channel.mood, 'calm')
    assert.equal((await ada.receives('member.added')).member.user_id, 'bo')
    await ada.receives('channel.updated')
  })

  it('[MEM-9] [MEM-28] a user who rejects stays listed and has no access', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await bo.connects()
    await ada.does('POST', path(room), { body: { invites: ['bo'] } })
    await bo.does('POST', path(room), { body: { reject_invite: true } })
    assert.equal((await bo.receives('notification.invite_rejected')).member.status, 'rejected')
    await ada.sends(room, 'Alone')
    await bo.isRefused(17, 'POST', `${path(room)}/query`, { body: {} })
    const listed = (await ada.opensChannel(room)).members.find((member) => member.user_id === 'bo')
    assert.ok(listed?.invite_rejected_at)
    const members = { $in: ['bo'] }
    assert.deepEqual((await bo.does('POST', '/channels', { body: { filter_conditions: { members } } })).channels, [])
    assert.equal((await bo.receivedTypes()).includes('notification.message_new'), false)
  })

  it('[MEM-28] a user who may read the channel finds rejected invitations by asking for them', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const rooms = [await appServer.opens([ada]), await appServer.opens([ada], {}, 'livestream')]
    for (const room of rooms) {
      await appServer.does('POST', path(room), { body: { invites: ['bo'] } })
      await bo.does('POST', path(room), { body: { reject_invite: true } })
    }
    const rejected = async (who: typeof bo | typeof appServer, filter: object = { invite: 'rejected' }) => {
      const { channels } = await who.does('POST', '/channels', { body: { filter_conditions: filter, user_id: 'bo' } })
      return channels.map(({ channel }: { channel: { cid: string } }) => channel.cid).sort()
    }
    assert.deepEqual(await rejected(appServer), rooms.toSorted())
    assert.deepEqual(await rejected(bo), [rooms[1]])
    assert.deepEqual(await rejected(bo, { members: { $in: ['bo'] } }), [])
  })

  it('[MEM-32] a user who rejected can be invited again and accept', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    await bo.connects()
    await ada.watches(room)
    const invites = () => ada.does('POST', path(room), { body: { invites: ['bo'] } })
    await invites()
    await bo.does('POST', path(room), { body: { reject_invite: true } })
    await bo.receives('notification.invited')
    await invites()
    await invites()
    const { member } = await bo.receives('notification.invited')
    assert.deepEqual([member.status, member.invite_rejected_at], ['pending', undefined])
    assert.equal((await bo.receivedTypes()).includes('notification.invited'), false)
    const told = []
    for (const type of ['member.added', 'member.updated', 'member.updated'])
      told.push((await ada.receives(type)).member.status)
    assert.deepEqual(told, ['pending', 'rejected', 'pending'])

    await ada.sends(room, 'Come in')
    await bo.does('POST', path(room), { body: { accept_invite: true } })
    await ada.sends(room, 'Welcome')
    assert.equal((await bo.receives('notification.message_new')).message.text, 'Welcome')
    assert.equal(await bo.unread(room), 1)
    assert.equal((await ada.opensChannel(room)).channel.member_count, 2)
  })
})
