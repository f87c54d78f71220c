import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  it('a message shows its author’s current role in the channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo])
    await bo.watches(room)
    const isShown = (role: string | undefined) =>
      eventually(
        async () => (await bo.opensChannel(room)).messages[0]!.member?.channel_role === role,
        `the author is shown as ${role}`,
      )
    const { id, member } = await ada.sends(room, 'Tea')
    assert.deepEqual(member, { channel_role: 'channel_member', notifications_muted: false })
    assert.deepEqual((await bo.receives('message.new')).message.member, member)
    await isShown('channel_member')

    await appServer.does('POST', path(room), { body: { add_moderators: ['ada'] } })
    await isShown('channel_moderator')
    await ada.does('PUT', `/messages/${id}`, { body: { set: { text: 'Milk' } } })
    assert.equal((await bo.receives('message.updated')).message.member.channel_role, 'channel_moderator')
    const search = { filter_conditions: { cid: room }, query: 'Milk' }
    const { results } = await bo.does('GET', '/search', { query: { payload: JSON.stringify(search) } })
    assert.equal(results[0].message.member.channel_role, 'channel_moderator')
    await appServer.does('POST', path(room), { body: { remove_members: ['ada'] } })
    await isShown(undefined)
    const guest = await appServer.does('POST', `${path(room)}/message`, {
      body: { message: { text: 'Hi', user_id: 'cy' } },
    })
    assert.equal(guest.message.member, undefined)
  })

  it('[MSG-8] [MSG-26] a message is delivered to each watcher once', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.watches(room)
    await bo.watches(room)

    const sent = await ada.sends(room, 'Hello Bo')

    const { message } = await bo.receives('message.new')
    assert.equal(message.id, sent.id)
    assert.equal(message.text, 'Hello Bo')
    assert.equal(message.user.id, 'ada')
    assert.equal((await ada.receives('message.new')).message.id, sent.id)
    assert.deepEqual(
      (await bo.receivedTypes()).filter((type) => type.startsWith('message')),
      [],
    )
  })

  it('a member who does not watch gets a notification with the same unread totals as a query', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await bo.connects()

    await ada.sends(room, 'One')
    await ada.sends(room, 'Two')

    const first = await bo.receives('notification.message_new')
    const second = await bo.receives('notification.message_new')
    // With several nodes the first total may already include the second message, but a later total is never older.
    assert.ok(first.total_unread_count >= 1 && first.total_unread_count <= 2)
    assert.equal(second.total_unread_count, 2)
    assert.equal(second.unread_channels, 1)
    assert.equal(second.channel.cid, room)
    assert.equal(await bo.unread(room), 2)
  })

  it('[MSG-33] a second message with the same id is refused because it exists, and not stored', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    await ada.sends(room, 'Once', { id: 'ada-1' })

    const refusal = await ada.isRefused(4, 'POST', `${path(room)}/message`, {
      body: { message: { text: 'Once', id: 'ada-1' } },
    })

    assert.equal(refusal.message, 'SendMessage failed with error: "a message with ID ada-1 already exists"')
    assert.equal((await bo.opensChannel(room)).messages.length, 1)
  })

  it('a resent message is refused because it exists, even if it could no longer be sent', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const message = { text: 'Tea at four?', id: 'ada-2' }
    await ada.sends(room, message.text, message)
    await appServer.does('PUT', '/channeltypes/messaging', { body: { max_message_length: 5 } })

    const again = await ada.isRefused(4, 'POST', `${path(room)}/message`, { body: { message } })

    assert.equal(again.message, 'SendMessage failed with error: "a message with ID ada-2 already exists"')
    await ada.isRefused(20, 'POST', `${path(room)}/message`, { body: { message: { ...message, id: 'ada-3' } } })
  })
})
