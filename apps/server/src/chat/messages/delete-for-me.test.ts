import assert from 'node:assert/strict'
import { it } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { onEveryTransport } from '../../testing/fixture.ts'
import { path, type TestUser } from '../../testing/test-user.ts'

onEveryTransport((fixture) => {
  const forgets = async (testUser: TestUser, id: string) =>
    (await testUser.does('DELETE', `/messages/${id}`, { query: { delete_for_me: 'true' } })).message
  const shown = async (testUser: TestUser, room: string) =>
    (await testUser.opensChannel(room)).messages.map(({ type, text }) => `${type} ${text}`)

  it('a message a member deletes for themselves is a tombstone on all their devices, and stays for other members', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const message = await ada.sends(room, 'Hello')
    await bo.sends(room, 'As you said', { quoted_message_id: message.id })
    await ada.reads(room)
    const tablet = ada.device(fixture.nodes.at(-1)!.url)
    await tablet.connects()
    await bo.watches(room)

    const tombstone = await forgets(ada, message.id)

    assert.deepEqual([tombstone.type, tombstone.text, tombstone.deleted_for_me], ['deleted', '', true])
    const event = await tablet.receives('message.deleted')
    assert.deepEqual([event.message_id, event.deleted_for_me, event.hard_delete], [message.id, true, false])
    assert.equal(event.message.text, '')
    const state = await ada.opensChannel(room)
    assert.deepEqual(await shown(ada, room), ['deleted ', 'regular As you said'])
    assert.equal(state.messages[0]!.deleted_for_me, true)
    assert.deepEqual(
      [state.messages[1]!.quoted_message?.type, state.messages[1]!.quoted_message?.text],
      ['deleted', ''],
    )
    assert.deepEqual(state.membership?.deleted_messages, [message.id])
    assert.equal((await ada.does('GET', `/messages/${message.id}`)).message.deleted_for_me, true)
    assert.equal((await forgets(ada, message.id)).deleted_for_me, true)

    assert.deepEqual(
      (await bo.receivedTypes()).filter((type) => type.startsWith('message')),
      [],
    )
    assert.deepEqual(await shown(bo, room), ['regular Hello', 'regular As you said'])
    assert.equal((await bo.opensChannel(room)).membership?.deleted_messages, undefined)
    const told = await ada.does('POST', '/sync', {
      body: { channel_cids: [room], last_sync_at: new Date(fixture.clock.now() - 60_000).toISOString() },
    })
    assert.ok(!JSON.stringify(told.events).includes('Hello'))
  })

  it('an unread message deleted for oneself no longer counts, even if it is deleted for all or restored later', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const [one, two] = [await ada.sends(room, 'One'), await ada.sends(room, 'Two')]
    await bo.connects()
    const unread = async () => [await bo.unread(room), await cy.unread(room)]
    assert.equal(bo.me.total_unread_count, 2)

    await forgets(bo, one.id)
    assert.equal((await bo.receives('message.deleted')).total_unread_count, 1)
    assert.deepEqual(await unread(), [1, 2])
    await ada.does('DELETE', `/messages/${one.id}`)
    assert.deepEqual(await unread(), [1, 1])
    await appServer.does('POST', `/messages/${one.id}/undelete`, { body: { undeleted_by: 'ada' } })
    assert.deepEqual(await unread(), [1, 2])
    assert.equal((await bo.does('GET', '/unread')).total_unread_count, 1)
    await ada.sends(room, 'Three')
    assert.equal((await bo.receives('notification.message_new')).total_unread_count, 2)

    await bo.reads(room)
    await bo.does('POST', `${path(room)}/unread`, { body: { message_id: one.id } })
    assert.equal(await bo.unread(room), 2)
    await ada.does('DELETE', `/messages/${one.id}`, { query: { hard: 'true' } })
    assert.deepEqual(await unread(), [2, 2])
    await ada.does('DELETE', `/messages/${two.id}`)
    assert.deepEqual(await unread(), [1, 1])
  })

  it('[READ-11] a message of a muted user that is also deleted for oneself is left out of the count once', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    await ada.does('POST', '/moderation/mute', { body: { target_id: 'bo' } })
    await forgets(ada, (await bo.sends(room, 'Buy!')).id)
    await ada.connects()
    await cy.sends(room, 'Hello')
    assert.equal((await ada.receives('notification.message_new')).total_unread_count, 1)
    assert.equal(await ada.unread(room), 1)
  })

  it('a reply deleted for oneself is no longer unread in its thread, on all devices', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const { id: parent_id } = await ada.sends(room, 'Lunch?')
    const [one, two] = [await bo.sends(room, 'Pho', { parent_id }), await bo.sends(room, 'Pizza', { parent_id })]
    const tablet = ada.device(fixture.nodes.at(-1)!.url)
    await tablet.connects()
    const unread = async (id: string) => {
      await forgets(ada, id)
      const { unread_threads, unread_thread_messages } = await tablet.receives('message.deleted')
      const { threads } = await ada.does('GET', '/unread')
      assert.equal(threads.length, unread_threads)
      assert.equal(threads[0]?.unread_count ?? 0, unread_thread_messages)
      return [unread_threads, unread_thread_messages]
    }
    assert.deepEqual(await unread(one.id), [1, 1])
    assert.deepEqual(await unread(two.id), [0, 0])
  })

  it('deletions for oneself are forgotten when the author’s messages are deleted for good', async () => {
    const { ada, bo, cy, appServer } = await fixture.createApp('ada', 'bo', 'cy')
    const room = await appServer.opens([ada, bo, cy])
    const { id } = await bo.sends(room, 'Hello')
    const reply = await cy.sends(room, 'Hello, too', { parent_id: id, show_in_channel: true })
    const own = await cy.sends(room, 'Anybody?')
    for (const message of [{ id }, reply, own]) await forgets(ada, message.id)
    await appServer.does('POST', '/moderation/ban', {
      body: { target_user_id: 'bo', banned_by_id: 'ada', delete_messages: 'hard' },
    })
    await eventually(async () => (await shown(cy, room)).length === 1, 'they are gone')
    assert.deepEqual((await ada.opensChannel(room)).membership?.deleted_messages, [own.id])
    await cy.sends(room, 'Hello again', { id })
    assert.deepEqual(await shown(ada, room), ['deleted ', 'regular Hello again'])
  })

  it('the app’s server deletes a message for the user it names', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada, bo])
    const [first, second] = [await bo.sends(room, 'Hello'), await bo.sends(room, 'Ada?')]
    const query = { delete_for_me: 'true' }
    await appServer.does('DELETE', `/messages/${first.id}`, { query: { ...query, deleted_by: 'ada' } })
    await appServer.does('DELETE', `/messages/${second.id}`, { query: { ...query, user_id: 'ada' } })
    assert.deepEqual(await shown(ada, room), ['deleted ', 'deleted '])
    assert.deepEqual(await shown(bo, room), ['regular Hello', 'regular Ada?'])
  })

  it('only a member can delete for themselves, up to a hundred messages in a channel', async () => {
    const { ada, bo, appServer } = await fixture.createApp('ada', 'bo')
    const room = await appServer.opens([ada])
    const query = { delete_for_me: 'true' }
    const sent = []
    for (let i = 0; i <= 100; i++) sent.push(await ada.sends(room, `${i}`))
    await bo.isRefused(16, 'DELETE', `/messages/${sent[0]!.id}`, { query })
    await appServer.isRefused(4, 'DELETE', `/messages/${sent[0]!.id}`, { query })
    await appServer.isRefused(17, 'DELETE', `/messages/${sent[0]!.id}`, { query: { ...query, user_id: 'bo' } })
    for (const message of sent.slice(0, 100)) await forgets(ada, message.id)
    await ada.isRefused(4, 'DELETE', `/messages/${sent[100]!.id}`, { query })
    await ada.does('DELETE', `/messages/${sent[100]!.id}`)
    await ada.isRefused(4, 'DELETE', `/messages/${sent[100]!.id}`, { query })
  })
})
